// What a model says of the figures of one experiment: where each lies, how it scatters to either side, and with which
// others it moves. This is the synthetic likelihood of a row.
//
// Figures are taken as logarithms, so that a scatter is a share of the figure. A figure's law over repeated experiments
// is taken as two halves of normal laws that meet at its median (extremes lean to one side), and figures hang together
// by the correlations of their scores. Wood, "Statistical inference for noisy nonlinear ecological dynamic systems",
// Nature 466 (2010), is the method without the two halves.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/calibrate_rows.hpp"

namespace vecusim {

/// All by figure; logarithms.
struct RowSummary {
  std::vector<double> median;
  /// Standard deviations below and above the median; print rounding and the simulation's own scatter included.
  std::vector<double> below;
  std::vector<double> above;
  /// Figure by figure, row by row.
  std::vector<double> correlation;
  /// What the squared distance is multiplied by, because the correlations are estimates (the inverse of a Wishart
  /// matrix is biased).
  double weight = 1.0;
  /// The model gives no such figures: nothing was answered.
  bool empty = true;
};

/// All rows'.
using Summaries = std::vector<RowSummary>;

/// `repetitions`: the figures' logarithms for each simulated experiment. Those with a NaN are left out.
RowSummary summarise(const std::vector<FittedFigure>& figures, const std::vector<std::vector<double>>& repetitions,
                     double scale);

/// Where the measured figure lies: 0 at the median, ±1.96 at the ends of the 95 % interval.
double score_of(const RowSummary& summary, std::size_t figure, double log_measured);

}  // namespace vecusim
