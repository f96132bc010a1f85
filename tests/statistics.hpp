// Statistical checks with fixed error rates: a right program fails one of them once in a million re-seedings.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace vecusim::test {

/// The largest distance between the empirical distribution function of `samples` and the continuous `cdf`.
template <class Cdf>
double kolmogorov_distance(std::vector<double> samples, Cdf cdf) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double expected = cdf(samples[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, expected - rank / n, (rank + 1.0) / n - expected});
  }
  return distance;
}

/// What that distance exceeds once in a million (Dvoretzky, Kiefer, Wolfowitz and Massart: P <= 2 exp(-2 n d^2)).
inline double kolmogorov_limit(std::size_t n) { return std::sqrt(std::log(2e6) / (2.0 * static_cast<double>(n))); }

/// Pearson's statistic of `counts` that should be equal.
inline double chi_squared(const std::vector<std::size_t>& counts) {
  double total = 0.0;
  for (const std::size_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0.0;
  for (const std::size_t count : counts) {
    const double excess = static_cast<double>(count) - expected;
    sum += excess * excess / expected;
  }
  return sum;
}

/// What a chi-squared variable exceeds once in a million (Wilson and Hilferty's approximation; good from 30 degrees of
/// freedom).
inline double chi_squared_limit(std::size_t degrees_of_freedom) {
  constexpr double kNormalQuantile = 4.753;  // P(Z > 4.753) = 1e-6
  const double share = 2.0 / (9.0 * static_cast<double>(degrees_of_freedom));
  return static_cast<double>(degrees_of_freedom) * std::pow(1.0 - share + kNormalQuantile * std::sqrt(share), 3.0);
}

/// How many standard errors, estimated from the samples themselves, their mean lies from `expected`.
inline double standard_errors_from(const std::vector<double>& samples, double expected) {
  const auto n = static_cast<double>(samples.size());
  double mean = 0.0;
  for (const double sample : samples) mean += sample / n;
  double squares = 0.0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  return (mean - expected) / std::sqrt(squares / (n - 1.0) / n);
}

/// What the absolute value of that exceeds once in a million for 64 independent samples (Student's t, 63 degrees of
/// freedom).
inline constexpr double kStudentLimit64 = 5.42;

}  // namespace vecusim::test
