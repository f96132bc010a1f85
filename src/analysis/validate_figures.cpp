// Simulating and judging figures.
#include "analysis/validate_figures.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/metric.hpp"
#include "analysis/summary.hpp"
#include "analysis/text_layout.hpp"
#include "engine/random.hpp"
#include "system/json_assign.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

double number_of(const Scenario& scenario, const std::string& figure, const std::string& path,
                 const Parallel& parallel) {
  const std::vector<Column> columns = to_columns(make_result(scenario, run_replications(scenario, 0, parallel)));
  if (const auto number = number_at(columns, path)) return *number;
  std::vector<std::string> paths;
  paths.reserve(columns.size());
  for (const Column& column : columns) paths.push_back(column.path);
  if (std::find(paths.begin(), paths.end(), path) == paths.end()) {
    throw InvalidInput(unknown_metric("/figures/" + figure + "/number", path, paths));
  }
  throw InvalidInput(Problem{{}, "/figures/" + figure + "/number", "a number that there are enough samples for", path});
}

/// A point of the box: uniform within each cost's range.
void draw_costs(const CaseRegion& region, RandomStream& stream, Scenario& scenario) {
  for (const std::string& name : scenario.costs.names()) {
    const bool drawn = std::any_of(region.costs.begin(), region.costs.end(),
                                   [&](const std::string& prefix) { return name.starts_with(prefix); });
    const Cost& cost = std::as_const(scenario).costs.at(name);
    if (!drawn || !cost.value || cost.range.size() != 2) continue;
    scenario.costs[name].value = cost.range[0] + stream.uniform() * (cost.range[1] - cost.range[0]);
  }
}

std::vector<json::Variation> conditions_of(const CaseFigure& figure) {
  std::vector<json::Variation> conditions;
  if (!figure.region) return conditions;
  Problems problems;
  const std::string option = "/figures/" + figure.name + "/region/conditions";
  for (const std::string& text : figure.region->conditions) {
    if (auto condition = json::parse_variation(text, problems, option)) conditions.push_back(*std::move(condition));
  }
  problems.throw_if_errors();
  return conditions;
}

std::vector<std::string> draw(const std::vector<json::Variation>& conditions, RandomStream& stream) {
  std::vector<std::string> set;
  for (const json::Variation& condition : conditions) {
    const auto n = static_cast<double>(condition.choices.size());
    const json::Choice& chosen = condition.choices[static_cast<std::size_t>(stream.uniform() * n)];
    set.push_back(condition.pointer + "=" + json::compact(chosen.value));
  }
  return set;
}

/// What a figure is under a change, and at a point of its box. The points are the same for all figures.
class FigureModel {
 public:
  FigureModel(const CaseFigure& figure, const RunOptions& options)
      : figure_(figure), options_(options), conditions_(conditions_of(figure)) {
    options_.parallel.progress = {};
  }

  double at(const std::vector<std::string>& change) const { return ratio(change, nullptr, options_.parallel); }
  /// By one of several threads.
  double at_point(std::uint32_t point) const {
    RandomStream stream(options_.seed.value_or(1), point, "region");
    const std::vector<std::string> change = draw(conditions_, stream);
    return ratio(change, &stream, {.threads = 1, .stop = options_.parallel.stop});
  }

 private:
  double ratio(const std::vector<std::string>& change, const RandomStream* costs, const Parallel& parallel) const {
    const double value = number(figure_.scenario, change, costs, parallel);
    return figure_.over ? value / number(*figure_.over, change, costs, parallel) : value;
  }
  double number(const std::string& preset, const std::vector<std::string>& change, const RandomStream* costs,
                const Parallel& parallel) const {
    std::vector<std::string> set = figure_.set;
    set.insert(set.end(), change.begin(), change.end());
    Scenario scenario = with_options(load_scenario(preset, set).scenario, options_);
    if (costs != nullptr) {
      RandomStream same = *costs;
      draw_costs(*figure_.region, same, scenario);
    }
    const std::string path = metric_path(figure_.number, std::nullopt).value_or(figure_.number);
    return number_of(scenario, figure_.name, path, parallel);
  }

  const CaseFigure& figure_;
  RunOptions options_;
  std::vector<json::Variation> conditions_;
};

bool within(const CaseFigure& figure, double predicted) {
  return std::abs(predicted / figure.measured - 1.0) <= figure.mark;
}

std::string region_in_words(const CaseFigure& figure, std::vector<double> points) {
  std::sort(points.begin(), points.end());
  const auto inside = std::count_if(points.begin(), points.end(), [&](double p) { return within(figure, p); });
  const auto n = static_cast<double>(points.size());
  const auto at = [&](double p) { return points[static_cast<std::size_t>(std::llround(p * (n - 1.0)))]; };
  return "of " + std::to_string(points.size()) + " points of the box of costs' ranges and open conditions, " +
         std::to_string(std::lround(100.0 * static_cast<double>(inside) / n)) + " % are within the mark; median " +
         four_digits(at(0.5)) + ", all " + four_digits(points.front()) + " … " + four_digits(points.back());
}

JudgedRow judge_figure(const CaseFigure& figure, const RunOptions& options) {
  const FigureModel model(figure, options);
  JudgedRow judged;
  judged.row = figure.name;
  judged.role = figure.role;
  judged.expect = figure.expect;
  JudgedStatistic statistic;
  statistic.figure = figure.over ? "ratio" : "value";
  statistic.measured = figure.measured;
  statistic.mark = figure.mark;
  statistic.predicted = model.at({});
  statistic.inside = within(figure, *statistic.predicted);
  judged.verdict = *statistic.inside ? RowVerdict::pass : RowVerdict::fail;
  judged.statistics.push_back(statistic);
  judged.note = figure.number;
  if (*statistic.inside && !figure.perturbation.empty() && within(figure, model.at(figure.perturbation))) {
    judged.verdict = RowVerdict::fail;
    judged.note += "; does not notice the perturbation, so it says nothing";
  }
  if (figure.region) {
    std::vector<double> points;
    run_trials(
        static_cast<std::size_t>(figure.region->draws), options.parallel,
        [&](std::size_t point) { return model.at_point(static_cast<std::uint32_t>(point)); },
        [&](std::size_t, double value) { points.push_back(value); });
    judged.note += "; " + region_in_words(figure, std::move(points));
  }
  if (!figure.note.empty()) judged.note += "; " + figure.note;
  return judged;
}

}  // namespace

std::vector<JudgedRow> judge_figures(const LoadedCase& loaded, const RunOptions& options) {
  std::vector<JudgedRow> judged;
  for (const CaseFigure& figure : loaded.content.figures) {
    judged.push_back(judge_figure(figure, options));
    judged.back().case_name = loaded.name;
  }
  return judged;
}

}  // namespace vecusim
