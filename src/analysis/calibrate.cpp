// From a problem of costs and rows to a fit on the unit box, and back.
#include "analysis/calibrate.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "analysis/calibrate_information.hpp"
#include "analysis/calibrate_refit.hpp"
#include "engine/random.hpp"

namespace vecusim {
namespace {

/// Bounds of a cost with a prior, in σ from its centre.
constexpr double kPriorReach = 3.0;

struct Scale {
  double lo;
  double hi;
};

double on_scale(const FreeCost& cost, double value) { return cost.lo > 0.0 ? std::log(value) : value; }

/// The bounds on the cost's scale.
Scale scale_of(const FreeCost& cost) {
  const double lo = on_scale(cost, cost.lo);
  const double hi = on_scale(cost, cost.hi);
  if (!cost.prior) return {lo, hi};
  const double sigma = (hi - lo) / (2.0 * kNormal95);
  const double centre = on_scale(cost, cost.start);
  const double least = cost.lo > 0.0 ? -700.0 : 0.0;
  return {std::max(least, centre - kPriorReach * sigma), centre + kPriorReach * sigma};
}

std::vector<std::optional<UnitPrior>> priors_of(const CalibrationProblem& problem) {
  std::vector<std::optional<UnitPrior>> priors;
  for (const FreeCost& cost : problem.costs) {
    priors.emplace_back();
    if (!cost.prior) continue;
    const double lo = cost.to_unit(cost.lo);
    const double hi = cost.to_unit(cost.hi);
    priors.back() = UnitPrior{cost.to_unit(cost.start), (hi - lo) / (2.0 * kNormal95)};
  }
  return priors;
}

std::vector<double> values_at(const CalibrationProblem& problem, const std::vector<double>& point) {
  std::vector<double> values;
  values.reserve(point.size());
  for (std::size_t i = 0; i < point.size(); ++i) values.push_back(problem.costs[i].from_unit(point[i]));
  return values;
}

RowSummary simulate_row(const FittedRow& row, const Repetition& repeat, const CalibrationOptions& options) {
  const FittedExperiment experiment = experiment_of(row);
  std::vector<std::vector<double>> repetitions;
  run_trials(
      options.repetitions, options.parallel,
      [&](std::size_t i) {
        return log_figures(row.figures, repeat(experiment.edges, static_cast<std::uint32_t>(i)), experiment.skipped);
      },
      [&](std::size_t, std::vector<double> logs) { repetitions.push_back(std::move(logs)); });
  return summarise(row.figures, repetitions, experiment.scale);
}

/// The same repetitions at every point; a point that was asked for before is not simulated again.
SummaryModel summaries_of(const CalibrationProblem& problem, std::vector<FittedRow> rows, std::vector<FreeModel> models,
                          const CalibrationOptions& options) {
  auto known = std::make_shared<std::map<std::vector<double>, Summaries>>();
  return [&problem, &options, known, rows = std::move(rows),
          models = std::move(models)](const std::vector<double>& point) {
    const auto found = known->find(point);
    if (found != known->end()) return found->second;
    const std::vector<double> values = values_at(problem, point);
    Summaries summaries;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      summaries.push_back(simulate_row(rows[r], models[r](values), options));
    }
    return known->emplace(point, std::move(summaries)).first->second;
  };
}

/// A further run is worth as many edges as the largest row has, up to what is simulated at once.
FittedRow pattern_of(const CalibrationProblem& problem) {
  FittedRow row;
  for (const FittedRow& other : problem.rows) row.n = std::max(row.n, std::min(other.n, kMostFittedEdges));
  for (const Statistic statistic : {Statistic::min, Statistic::mean, Statistic::max}) {
    FittedFigure figure;
    figure.statistic = statistic;
    figure.measured = 1.0;
    row.figures.push_back(figure);
  }
  return row;
}

std::vector<std::vector<double>> ask_proposals(const CalibrationProblem& problem, const std::vector<double>& point,
                                               const CalibrationOptions& options) {
  std::vector<std::vector<double>> answers;
  for (const Proposal& proposal : problem.proposals) {
    answers.push_back(information_at(summaries_of(problem, {pattern_of(problem)}, {proposal.model}, options), point));
  }
  return answers;
}

std::vector<double> correlation_of(const std::vector<double>& covariance) {
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(covariance.size()))));
  std::vector<double> correlation(covariance.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      correlation[i * n + j] = covariance[i * n + j] / std::sqrt(covariance[i * n + i] * covariance[j * n + j]);
    }
  }
  return correlation;
}

/// How often other experiments at the best fit, and priors drawn anew, are as far from a fit of their own as the
/// measured ones are from theirs. The measured ones are among those that could have come, hence the 1.
double share_as_far(const FitProblem& problem, const Fit& fit, const std::vector<PredictedRow>& predicted) {
  constexpr std::uint64_t kSeed = 0x7265666974746564;
  const Refit refit(fit, problem.priors);
  std::vector<std::vector<double>> measured;
  for (const FittedRow& row : problem.rows) {
    measured.emplace_back();
    for (const FittedFigure& figure : row.figures) measured.back().push_back(std::log(figure.measured));
  }
  std::vector<double> scores;
  for (std::size_t j = 0; j < problem.priors.size(); ++j) {
    const auto& prior = problem.priors[j];
    scores.push_back(prior ? (prior->centre - fit.parameters[j].value) / prior->sigma : 0.0);
  }
  const double distance = refit.chi_squared(measured, scores);

  RandomStream stream(kSeed, 0, "priors");
  std::size_t count = 0;
  std::size_t as_far = 0;
  const std::size_t experiments = predicted.front().experiments.size();
  for (std::size_t i = 0; i < experiments; ++i) {
    std::vector<std::vector<double>> other;
    other.reserve(predicted.size());
    for (const PredictedRow& row : predicted) other.push_back(row.experiments[i]);
    for (double& score : scores) score = normal_quantile(stream.uniform());
    const double of_other = refit.chi_squared(other, scores);
    if (std::isnan(of_other)) continue;  // it does not have all figures
    ++count;
    as_far += of_other >= distance * (1.0 - 1e-12) ? 1 : 0;
  }
  return (static_cast<double>(as_far) + 1.0) / (static_cast<double>(count) + 1.0);
}

CalibratedCost cost_of(const FreeCost& cost, const FittedParameter& fitted) {
  return {cost,
          cost.from_unit(fitted.value),
          {cost.from_unit(fitted.interval95.lo), cost.from_unit(fitted.interval95.hi)},
          fitted.open_below,
          fitted.open_above};
}

}  // namespace

double FreeCost::to_unit(double value) const {
  const Scale scale = scale_of(*this);
  return std::clamp(
      (on_scale(*this, std::clamp(value, lo > 0.0 ? 1e-300 : 0.0, 1e300)) - scale.lo) / (scale.hi - scale.lo), 0.0,
      1.0);
}

double FreeCost::from_unit(double unit) const {
  const Scale scale = scale_of(*this);
  const double at = scale.lo + unit * (scale.hi - scale.lo);
  return lo > 0.0 ? std::exp(at) : at;
}

std::optional<std::string> objection(const CalibrationProblem& problem) {
  std::size_t figures = 0;
  std::size_t rows = 0;
  for (const FittedRow& row : problem.rows) {
    if (row.held_out) continue;
    figures += row.figures.size();
    ++rows;
  }
  const auto free = static_cast<std::size_t>(
      std::count_if(problem.costs.begin(), problem.costs.end(), [](const FreeCost& cost) { return !cost.prior; }));
  if (figures == 0) return "no figure is left to fit to";
  if (problem.costs.size() > kMostParameters) {
    return "at most " + std::to_string(kMostParameters) + " costs at once, found " +
           std::to_string(problem.costs.size());
  }
  if (free > figures) {
    return std::to_string(figures) + (figures == 1 ? " figure" : " figures") + " in " + std::to_string(rows) +
           (rows == 1 ? " row" : " rows") + " cannot bear " + std::to_string(free) +
           " free costs: infinitely many values would fit as well as the best; hold fewer free, give some a prior, or "
           "measure more";
  }
  return std::nullopt;
}

std::optional<Calibration> calibrate(const CalibrationProblem& problem, const CalibrationOptions& options) {
  assert(!objection(problem));
  FitProblem fitting;
  fitting.priors = priors_of(problem);
  std::vector<FreeModel> models;
  for (std::size_t r = 0; r < problem.rows.size(); ++r) {
    if (problem.rows[r].held_out || problem.rows[r].figures.empty()) continue;
    fitting.rows.push_back(problem.rows[r]);
    models.push_back(problem.models[r]);
  }
  for (const FreeCost& cost : problem.costs) fitting.start.push_back(cost.to_unit(cost.start));
  fitting.model = summaries_of(problem, fitting.rows, std::move(models), options);
  const std::optional<Fit> fitted = fit(fitting);
  if (!fitted) return std::nullopt;

  Calibration result;
  std::vector<double> point;
  for (std::size_t i = 0; i < problem.costs.size(); ++i) {
    result.costs.push_back(cost_of(problem.costs[i], fitted->parameters[i]));
    point.push_back(fitted->parameters[i].value);
  }
  result.correlation = correlation_of(fitted->covariance);
  result.condition = fitted->condition;
  result.chi_squared = fitted->chi_squared;
  result.degrees_of_freedom = fitted->degrees_of_freedom;
  std::vector<PredictedRow> of_fitted;
  for (PredictedRow& predicted : predict_rows(problem, *fitted, options)) {
    result.rows.push_back(predicted.row);
    if (!predicted.row.held_out && !predicted.row.figures.empty()) of_fitted.push_back(std::move(predicted));
  }
  if (fitted->degrees_of_freedom > 0) result.p_value = share_as_far(fitting, *fitted, of_fitted);
  std::vector<std::vector<double>> proposals;
  if (leaves_open(problem, *fitted)) proposals = ask_proposals(problem, point, options);
  const Identifiability said = identifiability(problem, *fitted, result.p_value, proposals);
  result.verdict = said.verdict;
  result.sentences = said.sentences;
  return result;
}

}  // namespace vecusim
