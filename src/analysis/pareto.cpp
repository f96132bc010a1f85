// Which points are beaten.
#include "analysis/pareto.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/metric.hpp"

namespace vecusim {
namespace {

/// In no figure worse, in one better.
bool beats(std::span<const double> a, std::span<const double> b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

std::optional<ParetoAxes> parse_pareto(std::string_view text, const std::optional<std::string>& interrupt,
                                       Problems& problems) {
  ParetoAxes parsed;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    std::string_view name = rest.substr(0, comma);
    const bool more = name.starts_with('+');
    if (more) name.remove_prefix(1);
    auto path = name.empty() ? std::nullopt : metric_path(name, interrupt);
    if (!path) {
      parsed.axes.clear();
      break;
    }
    parsed.axes.push_back({*std::move(path), more});
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (parsed.axes.size() >= 2) return parsed;
  const std::string which = interrupt ? "" : " (with several interrupts by their whole paths, or --interrupt with it)";
  problems.add(
      {{}, "--pareto", "METRIC,METRIC, like p99_us,load.dom0.pcpu_pct" + which, "\"" + std::string(text) + "\""});
  return std::nullopt;
}

void require_metrics(const ParetoAxes& axes, const Sweep& sweep) {
  Problems problems;
  std::vector<std::string> paths;
  for (const ParetoAxes::Axis& axis : axes.axes) {
    // Results of different hypervisors have different numbers: a point that has it is enough.
    const bool there = std::any_of(sweep.points.begin(), sweep.points.end(), [&](const PlannedPoint& point) {
      paths = metric_paths(sweep.scenario_at(sweep.at(point)));
      return std::find(paths.begin(), paths.end(), axis.path) != paths.end();
    });
    if (!there) problems.add(unknown_metric("--pareto", axis.path, paths));
  }
  problems.throw_if_errors();
}

void ParetoFront::add(const std::vector<Column>& columns) {
  const std::size_t begin = figures_.size();
  bool known = true;
  for (const ParetoAxes::Axis& axis : axes_) {
    const auto value = number_at(columns, axis.path);
    known = known && value;
    figures_.push_back(axis.more_is_better ? -value.value_or(0.0) : value.value_or(0.0));
  }
  if (!known) std::fill(figures_.begin() + static_cast<std::ptrdiff_t>(begin), figures_.end(), std::nan(""));
}

// In ascending order whoever beats a point comes before it, and who beats one that is beaten beats what that one beats:
// each is compared with the front so far. With two figures the front's last is enough, as it has the least of the
// second.
std::vector<bool> ParetoFront::front() const {
  const std::size_t points = figures_.size() / axes_.size();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points; ++i) {
    if (!std::isnan(point(i).front())) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(point(a).begin(), point(a).end(), point(b).begin(), point(b).end());
  });
  std::vector<bool> result(points, false);
  std::vector<std::size_t> front;
  for (const std::size_t at : order) {
    const auto beaten = [&](std::size_t other) { return beats(point(other), point(at)); };
    const bool last_tells = axes_.size() == 2 && !front.empty();
    if (last_tells ? beaten(front.back()) : std::any_of(front.begin(), front.end(), beaten)) continue;
    result[at] = true;
    front.push_back(at);
  }
  return result;
}

}  // namespace vecusim
