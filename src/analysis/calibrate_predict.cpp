// What a fit predicts of each row, fitted or held out: with the costs as fitted, and with their uncertainty.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/calibrate.hpp"

namespace vecusim {
namespace {

/// Repetitions that no fit has seen.
constexpr std::uint32_t kFresh = 0x4000'0000;

std::vector<double> point_of(const Fit& fit) {
  std::vector<double> point;
  for (const FittedParameter& parameter : fit.parameters) point.push_back(parameter.value);
  return point;
}

std::vector<double> values_at(const CalibrationProblem& problem, const std::vector<double>& point) {
  std::vector<double> values;
  for (std::size_t i = 0; i < point.size(); ++i) values.push_back(problem.costs[i].from_unit(point[i]));
  return values;
}

using Table = std::vector<std::vector<double>>;

double median_of_column(const Table& table, std::size_t k) {
  std::vector<double> values;
  for (const std::vector<double>& row : table) {
    if (!std::isnan(row[k])) values.push_back(row[k]);
  }
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Experiments of the measured size, in logarithms: scatter that falls with 1/√n is scaled, what the costs change is
/// not.
Table of_measured_size(const Table& as_fitted, const Table* drawn, double scale) {
  Table result = as_fitted;
  for (std::size_t k = 0; k < as_fitted.front().size(); ++k) {
    const double median = median_of_column(as_fitted, k);
    for (std::size_t i = 0; i < as_fitted.size(); ++i) {
      const double effect = drawn != nullptr ? (*drawn)[i][k] - as_fitted[i][k] : 0.0;
      result[i][k] = median + (as_fitted[i][k] - median) / std::sqrt(scale) + effect;
    }
  }
  return result;
}

Table exponentials(Table logs) {
  for (std::vector<double>& row : logs) {
    for (double& value : row) value = std::exp(value);
  }
  return logs;
}

/// The logarithms of the figures as the bench would print them.
Table as_printed(Table logs, const std::vector<FittedFigure>& figures) {
  for (std::vector<double>& row : logs) {
    for (std::size_t k = 0; k < figures.size(); ++k) {
      const double step = figures[k].step;
      const double printed = step > 0.0 ? std::round(std::exp(row[k]) / step) * step : 0.0;
      if (printed > 0.0) row[k] = std::log(printed);
    }
  }
  return logs;
}

Interval widened(const Predicted& predicted, double step) {
  return {std::max(0.0, predicted.lo - 0.5 * step), predicted.hi + 0.5 * step};
}

void predict(PredictedRow& result, const FittedRow& row, const FreeModel& model, const CalibrationProblem& problem,
             const Fit& fit, const CalibrationOptions& options) {
  const FittedExperiment experiment = experiment_of(row);
  const Repetition fitted = model(values_at(problem, point_of(fit)));
  Table as_fitted;
  Table drawn;
  using Both = std::pair<std::vector<double>, std::vector<double>>;
  run_trials(
      2 * options.repetitions, options.parallel,
      [&](std::size_t i) {
        const auto index = static_cast<std::uint32_t>(i);
        const auto figures = [&](const Repetition& repeat) {
          return log_figures(row.figures, repeat(experiment.edges, kFresh + index), experiment.skipped);
        };
        return Both{figures(fitted), figures(model(values_at(problem, fit.draws[i % fit.draws.size()])))};
      },
      [&](std::size_t, Both both) {
        as_fitted.push_back(std::move(both.first));
        drawn.push_back(std::move(both.second));
      });
  const Table logs = of_measured_size(as_fitted, nullptr, experiment.scale);
  result.experiments = as_printed(logs, row.figures);
  const std::vector<Predicted> certain = simultaneous_intervals(exponentials(logs));
  const std::vector<Predicted> uncertain =
      simultaneous_intervals(exponentials(of_measured_size(as_fitted, &drawn, experiment.scale)));
  for (std::size_t k = 0; k < row.figures.size(); ++k) {
    const FittedFigure& figure = row.figures[k];
    CalibratedFigure shown{figure.name,
                           figure.measured,
                           certain[k].value,
                           widened(certain[k], figure.step),
                           widened(uncertain[k], figure.step),
                           false};
    const Interval& judged = row.held_out ? shown.interval95_with_parameters : shown.interval95;
    shown.inside = judged.lo <= figure.measured && figure.measured <= judged.hi;
    result.row.figures.push_back(shown);
  }
}

}  // namespace

std::vector<PredictedRow> predict_rows(const CalibrationProblem& problem, const Fit& fit,
                                       const CalibrationOptions& options) {
  std::vector<PredictedRow> rows;
  std::size_t fitted = 0;
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    const FittedRow& row = problem.rows[r];
    PredictedRow result;
    result.row.name = row.name;
    result.row.held_out = row.held_out;
    result.row.n = row.n;
    result.row.note = row.note;
    if (!row.figures.empty()) {
      if (!row.held_out) result.row.chi_squared = fit.chi_squared_by_row[fitted++];
      predict(result, row, problem.models[r], problem, fit, options);
    }
    rows.push_back(std::move(result));
  }
  return rows;
}

}  // namespace vecusim
