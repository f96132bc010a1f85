// Whether two full distributions are the same: Kolmogorov-Smirnov and Wasserstein, with a permutation test and a
// bootstrap interval, or a refusal where the samples are too small.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "analysis/distance.hpp"
#include "analysis/statistics.hpp"
#include "engine/time.hpp"

namespace vecusim {

struct TwoSampleTest {
  KolmogorovSmirnov ks{0.0, 1.0};
  double wasserstein_us = 0.0;
  /// 95 %, by resampling each sample.
  Interval wasserstein_interval95{0.0, 0.0};
  /// How often shares of the joint sample drawn by lot lie at least as far apart.
  double wasserstein_p_value = 1.0;
};

/// Fewer samples than this on either side say nothing that a test at 5 % could be trusted with.
inline constexpr std::size_t kLeastToCompare = 20;

struct TwoSampleOutcome {
  /// Empty if refused.
  std::optional<TwoSampleTest> test;
  std::string refusal;
};

/// `resamplings` for the interval and as many for the test; a function of the samples alone. Samples need not be
/// sorted.
TwoSampleOutcome compare_distributions(std::span<const Duration> a, std::span<const Duration> b,
                                       std::size_t resamplings = 500);

}  // namespace vecusim
