// Which points are beaten.
#include "analysis/pareto.hpp"

#include <algorithm>

namespace vecusim {
namespace {

/// In no figure worse, in one better.
bool beats(const std::vector<double>& a, const std::vector<double>& b) {
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
    auto path = name.empty() ? std::nullopt : column_path(name, interrupt);
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

void ParetoFront::add(const std::vector<Column>& columns) {
  std::vector<double> point;
  for (const ParetoAxes::Axis& axis : axes_.axes) {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.path == axis.path; });
    if (found == columns.end() || !found->value.is_number()) {
      point.clear();
      break;
    }
    const double value = found->value.as_double();
    point.push_back(axis.more_is_better ? -value : value);
  }
  points_.push_back(std::move(point));
}

std::vector<bool> ParetoFront::front() const {
  std::vector<bool> result;
  for (const std::vector<double>& point : points_) {
    const auto beaten = [&](const std::vector<double>& other) { return !other.empty() && beats(other, point); };
    result.push_back(!point.empty() && std::none_of(points_.begin(), points_.end(), beaten));
  }
  return result;
}

}  // namespace vecusim
