// From names to paths, and which paths there are.
#include "analysis/metric.hpp"

#include <algorithm>
#include <array>

#include "analysis/claim.hpp"
#include "analysis/summary.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"
#include "system/replication.hpp"

namespace vecusim {
namespace {

/// "p99.9" → "p99_9_us"; empty for what is no short name.
std::optional<std::string> latency_figure(std::string_view name) {
  constexpr std::array<std::string_view, 3> kOthers = {"min", "max", "std"};
  if (auto figure = parse_figure(name)) return std::move(figure->name);
  if (std::find(kOthers.begin(), kOthers.end(), name) == kOthers.end()) return std::nullopt;
  return std::string(name) + "_us";
}

}  // namespace

std::optional<std::string> metric_path(std::string_view figure, const std::optional<std::string>& interrupt) {
  const auto short_name = latency_figure(figure);
  if (short_name || figure.find('.') == std::string_view::npos) {
    if (!interrupt) return std::nullopt;
    return "latency." + *interrupt + "." + short_name.value_or(std::string(figure));
  }
  // An end of it, behind any of its dots: "p99.9" has one of its own.
  for (std::size_t dot = figure.find('.'); dot != std::string_view::npos; dot = figure.find('.', dot + 1)) {
    if (const auto end = latency_figure(figure.substr(dot + 1))) return std::string(figure.substr(0, dot + 1)) + *end;
  }
  return std::string(figure);
}

std::optional<double> number_at(const std::vector<Column>& columns, std::string_view path) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.path == path; });
  if (found == columns.end()) return std::nullopt;
  if (found->value.kind == json::Kind::boolean) return found->value.truth ? 1.0 : 0.0;
  return found->value.is_number() ? std::optional(found->value.as_double()) : std::nullopt;
}

std::optional<std::string> interval_path(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (!path.starts_with("latency.") || dot == std::string_view::npos) return std::nullopt;
  const std::string_view name = path.substr(dot + 1);
  const bool known = name == "mean_us" || std::any_of(kLevelList.begin(), kLevelList.end(),
                                                      [&](const Level& level) { return level.key == name; });
  if (!known) return std::nullopt;
  return std::string(path.substr(0, dot)) + ".ci95." + std::string(name);
}

std::vector<std::string> metric_paths(const Scenario& scenario) {
  QuantileTables tables;
  Tally nothing;
  nothing.view = Replication(scenario, tables, scenario.run.seed, 0).view();
  for (const SystemView::InterruptView& interrupt : nothing.view.interrupts) {
    nothing.latency.emplace_back().stages.resize(interrupt.stages.size());
    for (StageSum& stage : nothing.latency.back().stages) stage.waits.fill(Duration{1});
  }
  nothing.load = LoadSink(nothing.view, kStart).finish(kStart);
  nothing.network.resize(nothing.view.flows.size());
  std::vector<std::string> paths;
  for (Column& column : to_columns(make_result(scenario, nothing))) paths.push_back(std::move(column.path));
  return paths;
}

Problem unknown_metric(std::string_view place, const std::string& path, const std::vector<std::string>& paths) {
  // Where all but the last name is right, the others would be too much of what is compared.
  const std::size_t end = path.rfind('.') + 1;
  std::vector<std::string> siblings;
  for (const std::string& known : paths) {
    if (known.starts_with(path.substr(0, end))) siblings.push_back(known.substr(end));
  }
  std::string near = nearest(path.substr(end), siblings);
  if (near.empty()) near = nearest(path.substr(end) + "_us", siblings);
  return {{},
          std::string(place),
          "a number of the result (list metrics)",
          json::quoted(path),
          near.empty() ? nearest(path, paths) : path.substr(0, end) + near};
}

}  // namespace vecusim
