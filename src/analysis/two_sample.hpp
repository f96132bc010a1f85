// Whether two full distributions are the same, and how far apart they are: Kolmogorov-Smirnov and Wasserstein, with a
// permutation test and a bootstrap interval, or a refusal where the samples are too small.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "analysis/distance.hpp"
#include "analysis/statistics.hpp"
#include "engine/time.hpp"

namespace vecusim {

struct WassersteinDistance {
  double us = 0.0;
  /// 95 %, by resampling each sample one value at a time.
  Interval interval95{0.0, 0.0};
};

/// From `resamplings` of the two; neither may be empty, nor needs to be sorted.
WassersteinDistance wasserstein_distance(std::span<const Duration> a, std::span<const Duration> b,
                                         std::size_t resamplings);

struct TwoSampleTest {
  KolmogorovSmirnov ks{0.0, 1.0};
  double wasserstein_us = 0.0;
  /// 95 %, by resampling each sample.
  Interval wasserstein_interval95{0.0, 0.0};
  /// How often shares of the joint sample drawn by lot lie at least as far apart; the observed one counts as a lot, so
  /// it is never less than 1 / lots.
  double wasserstein_p_value = 1.0;
  std::size_t lots = 1;
};

/// Fewer samples than this on either side say nothing that a test at 5 % could be trusted with.
inline constexpr std::size_t kLeastToCompare = 20;

/// Why samples of these sizes are not compared; empty if they can be.
std::string comparison_refusal(std::size_t a, std::size_t b);

struct TwoSampleOutcome {
  /// Empty if refused.
  std::optional<TwoSampleTest> test;
  std::string refusal;
};

/// `resamplings` for the interval and as many for the test, both of which take values as independent; a function of the
/// samples alone. Samples need not be sorted.
TwoSampleOutcome compare_distributions(std::span<const Duration> a, std::span<const Duration> b,
                                       std::size_t resamplings = 500);

}  // namespace vecusim
