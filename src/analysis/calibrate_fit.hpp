// The fit of a calibration: the parameters under which the measured figures are likeliest, how far each could be
// otherwise, and in which directions the data say nothing.
//
// Parameters are taken between 0 and 1, their bounds. A global stage looks at points spread evenly over the box; from
// the best, steps of Fisher scoring with Levenberg's and Marquardt's damping go down; around the end a quadratic
// response surface of the figures is fitted, on which the profile likelihood gives the intervals; the model is asked
// again at their ends.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "analysis/calibrate_rows.hpp"
#include "analysis/calibrate_summary.hpp"
#include "analysis/statistics.hpp"

namespace vecusim {

/// What is known of a parameter before the data, on the scale of its bounds.
struct UnitPrior {
  double centre = 0.5;
  double sigma = 1.0;
};

/// What a model says at one point of the unit box. Common random numbers: a function of the point alone, and smooth.
using SummaryModel = std::function<Summaries(const std::vector<double>& point)>;

struct FitProblem {
  /// One for each parameter.
  std::vector<std::optional<UnitPrior>> priors;
  /// Where the tables put it: one of the points of the global stage.
  std::vector<double> start;
  /// Those that are fitted.
  std::vector<FittedRow> rows;
  SummaryModel model;
};

struct FittedParameter {
  double value = 0.0;
  /// Where the profile likelihood has fallen by half the 95 % quantile of chi-squared; at a bound if it has not.
  Interval interval95{0.0, 1.0};
  bool open_below = false;
  bool open_above = false;
};

/// A direction of the unit box, and how well the data know the position along it.
struct Direction {
  std::vector<double> along;
  double sigma = 0.0;
};

struct Fit {
  std::vector<FittedParameter> parameters;
  /// Of the data, without priors; row by row.
  std::vector<double> information;
  /// With priors, and no wider than the box; row by row.
  std::vector<double> covariance;
  /// Points as likely as the data and priors leave them, by Metropolis' walk on the response surface.
  std::vector<std::vector<double>> draws;
  /// With priors, the best known first.
  std::vector<Direction> directions;
  /// The largest over the smallest σ of these.
  double condition = 1.0;
  /// The squared distance of the data at the best point, in all and by row.
  double chi_squared = 0.0;
  std::vector<double> chi_squared_by_row;
  /// Figures and priors less parameters.
  std::size_t degrees_of_freedom = 0;
  Summaries best;
  /// How the medians of `best` change with each parameter, parameter by parameter.
  std::vector<double> derivatives;
};

/// At most this many parameters at once.
inline constexpr std::size_t kMostParameters = 8;

/// Empty if the model answers nothing anywhere.
std::optional<Fit> fit(const FitProblem& problem);

}  // namespace vecusim
