// The rows of a calibration: which figures of a measured experiment the model is fitted to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/case_statistic.hpp"
#include "analysis/feasibility.hpp"
#include "analysis/validate_measurement.hpp"

namespace vecusim {

/// One number that a bench tells of an experiment.
struct FittedFigure {
  /// As a result document calls it: `mean_us`, `p99_us`; of samples also `p15_us`, …
  std::string name;
  /// The statistic, unless `level` says which quantile it is.
  Statistic statistic = Statistic::mean;
  double level = 0.0;
  /// µs; the true value is within half a step of the measured one.
  double measured = 0.0;
  double step = 0.0;
};

/// One experiment, as far as a model can be fitted to it.
struct FittedRow {
  std::string name;
  /// Edges, answered or not.
  std::int64_t n = 0;
  std::vector<FittedFigure> figures;
  /// The row is predicted from the others instead of being fitted.
  bool held_out = false;
  /// The printed figures contradict each other.
  bool infeasible = false;
  /// What is to be said of the row: contradictions, figures that are left out.
  std::string note;
};

/// The figures of a measurement: of a table those it prints; of samples least, greatest and a ladder of quantiles that
/// n can bear. A figure that contradicts the others is left out, with a note.
FittedRow fitted_row(std::string name, const Measurement& measurement);

/// The most edges of one simulated experiment. Larger ones are simulated in this size, and what scatters with 1/√n is
/// scaled; extremes and far quantiles, which do not, are left out.
inline constexpr std::int64_t kMostFittedEdges = 500;

/// How an experiment is simulated for a fit.
struct FittedExperiment {
  std::int64_t edges = 0;
  /// Leave out the first answers, which a long experiment hardly shows.
  std::int64_t skipped = 0;
  /// The measured experiment's edges over the simulated one's.
  double scale = 1.0;
};
FittedExperiment experiment_of(const FittedRow& row);

/// The natural logarithms of the figures of one simulated experiment; NaN where it has none.
std::vector<double> log_figures(const std::vector<FittedFigure>& figures, const Answers& answers, std::int64_t skipped);

}  // namespace vecusim
