// How far apart two samples are: Kolmogorov-Smirnov and Wasserstein.
#pragma once

#include <cstdint>
#include <span>

#include "engine/time.hpp"

namespace vecusim {

struct KolmogorovSmirnov {
  /// The greatest difference of the two empirical distribution functions.
  double distance;
  /// How probable a distance at least this great is if both come from one continuous law (asymptotic, so a guide only
  /// below some 25 samples each).
  double p_value;
};

/// Both sorted and not empty.
KolmogorovSmirnov kolmogorov_smirnov(std::span<const Duration> a, std::span<const Duration> b);

/// The mean distance that probability has to be moved to turn one sample into the other (order 1), in µs. Both sorted
/// and not empty.
double wasserstein_us(std::span<const Duration> a, std::span<const Duration> b);

}  // namespace vecusim
