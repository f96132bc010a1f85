// Predictive intervals: where the statistics of one more experiment would lie, if the model were true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "analysis/case_statistic.hpp"
#include "analysis/samples.hpp"
#include "analysis/statistics.hpp"
#include "analysis/trials.hpp"

namespace vecusim {

/// What the model says of one statistic, in the statistic's unit. All NaN if the model does not have it.
struct Predicted {
  /// The median over repeated experiments.
  double value = 0.0;
  double lo = 0.0;
  double hi = 0.0;
  /// An end lies beyond everything that was simulated.
  bool extrapolated = false;
  /// Of a measured distance from a reference: the share of experiments at least as far from it, the measured one among
  /// them.
  std::optional<double> p_value = {};
};

inline constexpr double kCoverage = 0.95;
inline constexpr std::size_t kRepetitions = 2000;
/// Experiments of more samples are not repeated as a whole.
inline constexpr std::int64_t kMostRepeated = 10'000;

/// Intervals for the columns of a table with one row per repetition, such that at least the share `coverage` of the
/// rows has all its values inside. Every column gives up the same number of values at each end, the largest number for
/// which that is true. A value equal to an end is inside: ties let the intervals cover more, never less. A row with a
/// NaN is outside. Columns of which `only_upper` is true (as far as it goes) have no lower end. At least one row.
std::vector<Predicted> simultaneous_intervals(const std::vector<std::vector<double>>& rows,
                                              const std::vector<bool>& only_upper = {}, double coverage = kCoverage);

/// One more experiment of `n` edges, by its number; called from several threads with different numbers.
using Repetition = std::function<Answers(std::int64_t n, std::uint32_t index)>;

/// What is asked of the model.
struct Question {
  /// Edges of one experiment.
  std::int64_t n = 0;
  /// The intervals are simultaneous over these.
  std::vector<Statistic> statistics;
  /// For `ks_distance`.
  const Reference* reference = nullptr;
  std::size_t repetitions = kRepetitions;
  /// Edges of the pool; 0: as many as predict() thinks fit.
  std::int64_t pool = 0;
  /// The measured `ks_distance`.
  std::optional<double> distance = {};
};

/// Intervals by direct repetition.
std::vector<Predicted> by_repetition(const Repetition& repeat, const Question& question, const Parallel& parallel);

/// What many edges gave.
struct Pool {
  Samples latencies;
  std::uint64_t lost = 0;
  /// Consecutive samples whose means are as good as independent: the mean of samples that resemble their neighbours
  /// scatters more than theirs would.
  std::vector<Group> groups;
};

/// The variance of one sample as it counts in a mean, in µs²: from the groups, or from the samples if that is more.
double effective_variance(const Pool& pool);

/// Intervals for one experiment of `n` edges from the order statistics of a pool, simultaneous over `statistics` by
/// Bonferroni's inequality. An extreme beyond the pool is extrapolated by the exponential tail of the pool's 100
/// outermost samples. The pool's own finite size widens the intervals of means, quantiles and losses; its histogram
/// those of quantiles and extremes, by 0.1 %.
std::vector<Predicted> from_pool(const Pool& pool, std::int64_t n, const std::vector<Statistic>& statistics);

/// Widens the intervals of means, spreads, quantiles and losses to Student's of single experiments, a row each: edges
/// of one experiment may resemble each other, and no pool shows how much.
std::vector<Predicted> widened(std::vector<Predicted> pooled, const std::vector<Statistic>& statistics,
                               const std::vector<std::vector<double>>& experiments);

/// By repetition up to kMostRepeated edges, else from a pool of 20 experiments, of `question.pool` edges or at
/// most 10^7 together, and their scatter.
std::vector<Predicted> predict(const Repetition& repeat, const Question& question, const Parallel& parallel);

/// Latencies of `repetitions` experiments of `n` edges, none of which predict() uses; for a Reference.
std::vector<Duration> reference_latencies(const Repetition& repeat, std::int64_t n, std::size_t repetitions,
                                          const Parallel& parallel);

}  // namespace vecusim
