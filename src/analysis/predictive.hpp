// Predictive intervals: where the statistics of one more experiment would lie, if the model were true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/case_statistic.hpp"
#include "analysis/samples.hpp"
#include "analysis/trials.hpp"

namespace vecusim {

/// What the model says of one statistic, in the statistic's unit.
struct Predicted {
  /// The median over repeated experiments.
  double value = 0.0;
  double lo = 0.0;
  double hi = 0.0;
  /// An end lies beyond everything that was simulated.
  bool extrapolated = false;
};

inline constexpr double kCoverage = 0.95;
inline constexpr std::size_t kRepetitions = 2000;
/// Experiments of more samples are not repeated as a whole.
inline constexpr std::int64_t kMostRepeated = 10'000;

/// Intervals for the columns of a table with one row per repetition, such that at least the share `coverage` of the
/// rows has all its values inside. Every column gives up the same number of values at each end, the largest number for
/// which that is true. A value equal to an end is inside: ties let the intervals cover more, never less. A row with a
/// NaN is outside; a column of nothing else gives NaN. At least one row.
std::vector<Predicted> simultaneous_intervals(const std::vector<std::vector<double>>& rows,
                                              double coverage = kCoverage);

/// One more experiment of `n` edges, by its number; called from several threads with different numbers.
using Repetition = std::function<Answers(std::int64_t n, std::uint32_t index)>;

/// Intervals by direct repetition of an experiment of `n` edges, simultaneous over `statistics`.
std::vector<Predicted> by_repetition(const Repetition& repeat, std::int64_t n, const std::vector<Statistic>& statistics,
                                     std::size_t repetitions, const Parallel& parallel);

/// What many edges gave, in batches whose means are as good as independent.
struct Pool {
  Samples samples;
  std::uint64_t lost = 0;
  /// The variance of the mean of one edge's latency, in µs²: of the batch means, times the edges of a batch.
  double mean_variance = 0.0;
};

/// Intervals for an experiment of `n` edges from the order statistics of a larger pool, simultaneous by Bonferroni's
/// inequality over `statistics`.
std::vector<Predicted> from_pool(const Pool& pool, std::int64_t n, const std::vector<Statistic>& statistics);

}  // namespace vecusim
