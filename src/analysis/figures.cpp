// Simulating and judging figures.
#include "analysis/figures.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "analysis/experiment.hpp"
#include "analysis/summary.hpp"
#include "analysis/text_layout.hpp"
#include "engine/random.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

double number_of(const Scenario& scenario, const std::string& path, const std::stop_token& stop) {
  QuantileTables tables;
  const Result result = make_result(scenario, {}, run_trial(scenario, tables, 0, 0, stop));
  for (const Column& column : to_columns(result)) {
    if (column.path == path && column.value.is_number()) return column.value.as_double();
  }
  throw InvalidInput(
      Problem{.place = {}, .pointer = "/figures", .expected = "a number of a result", .found = json::quoted(path)});
}

/// A point of the box: uniform within each cost's range.
void draw_costs(const CaseRegion& region, RandomStream& stream, Scenario& scenario) {
  for (auto& [name, cost] : scenario.costs) {
    const bool drawn = std::any_of(region.costs.begin(), region.costs.end(),
                                   [&, &known = name](const std::string& prefix) { return known.starts_with(prefix); });
    if (!drawn || !cost.value || cost.range.size() != 2) continue;
    cost.value = cost.range[0] + stream.uniform() * (cost.range[1] - cost.range[0]);
  }
}

std::vector<std::string> draw_conditions(const CaseRegion& region, RandomStream& stream) {
  std::vector<std::string> set;
  for (const std::string& condition : region.conditions) {
    const std::size_t equals = condition.find('=');
    std::vector<std::string> values;
    std::size_t from = equals + 1;
    for (std::size_t bar = condition.find('|'); bar != std::string::npos; bar = condition.find('|', from)) {
      values.push_back(condition.substr(from, bar - from));
      from = bar + 1;
    }
    values.push_back(condition.substr(from));
    const auto chosen = static_cast<std::size_t>(stream.uniform() * static_cast<double>(values.size()));
    set.push_back(condition.substr(0, equals + 1) + values[chosen]);
  }
  return set;
}

/// What a figure is under a change, and at a point of its box. The points are the same for all figures.
class FigureModel {
 public:
  FigureModel(const CaseFigure& figure, const std::stop_token& stop) : figure_(figure), stop_(stop) {}

  double at(const std::vector<std::string>& change) const { return ratio(change, nullptr); }
  double at_point(std::uint32_t point) const {
    RandomStream stream(1, point, "region");
    return ratio(draw_conditions(*figure_.region, stream), &stream);
  }

 private:
  double ratio(const std::vector<std::string>& change, const RandomStream* costs) const {
    const double value = number(figure_.scenario, change, costs);
    return figure_.over ? value / number(*figure_.over, change, costs) : value;
  }
  double number(const std::string& preset, const std::vector<std::string>& change, const RandomStream* costs) const {
    std::vector<std::string> set = figure_.set;
    set.insert(set.end(), change.begin(), change.end());
    Scenario scenario = load_scenario(preset, set).scenario;
    if (costs != nullptr) {
      RandomStream same = *costs;
      draw_costs(*figure_.region, same, scenario);
    }
    return number_of(scenario, figure_.number, stop_);
  }

  const CaseFigure& figure_;
  const std::stop_token& stop_;
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

JudgedRow judge_figure(const CaseFigure& figure, const Parallel& parallel) {
  const FigureModel model(figure, parallel.stop);
  JudgedRow judged;
  judged.row = figure.name;
  judged.role = figure.role;
  judged.n = 1;
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
        static_cast<std::size_t>(figure.region->draws), parallel,
        [&](std::size_t point) { return model.at_point(static_cast<std::uint32_t>(point)); },
        [&](std::size_t, double value) { points.push_back(value); });
    judged.note += "; " + region_in_words(figure, std::move(points));
  }
  if (!figure.note.empty()) judged.note += "; " + figure.note;
  return judged;
}

}  // namespace

std::vector<JudgedRow> judge_figures(const LoadedCase& loaded, const Parallel& parallel) {
  std::vector<JudgedRow> judged;
  for (const CaseFigure& figure : loaded.content.figures) {
    judged.push_back(judge_figure(figure, parallel));
    judged.back().case_name = loaded.name;
  }
  return judged;
}

}  // namespace vecusim
