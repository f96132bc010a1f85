// Both distances by one walk through two sorted samples.
#include "analysis/distance.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vecusim {
namespace {

/// Calls visit(value, next, difference) for each step of the two distribution functions: from `value` up to `next`, the
/// one of `a` is greater by `difference`.
template <class Visit>
void walk(std::span<const Duration> a, std::span<const Duration> b, Visit visit) {
  assert(!a.empty() && !b.empty());
  const auto n_a = static_cast<double>(a.size());
  const auto n_b = static_cast<double>(b.size());
  std::size_t i = 0;
  std::size_t j = 0;
  const auto upcoming = [&] {
    if (i == a.size()) return b[j];
    if (j == b.size()) return a[i];
    return std::min(a[i], b[j]);
  };
  while (i < a.size() || j < b.size()) {
    const Duration value = upcoming();
    while (i < a.size() && a[i] == value) ++i;
    while (j < b.size() && b[j] == value) ++j;
    const bool last = i == a.size() && j == b.size();
    visit(value, last ? value : upcoming(), static_cast<double>(i) / n_a - static_cast<double>(j) / n_b);
  }
}

/// P(K > x) of Kolmogorov's law. The first series converges quickly for large x, its theta transform for small.
double kolmogorov_tail(double x) {
  if (x <= 0.0) return 1.0;
  constexpr int kTerms = 20;
  constexpr double kPi = 3.14159265358979323846;
  if (x < 1.0) {
    double sum = 0.0;
    for (int k = 1; k <= kTerms; ++k) {
      const double odd = 2.0 * k - 1.0;
      sum += std::exp(-odd * odd * kPi * kPi / (8.0 * x * x));
    }
    return 1.0 - std::sqrt(2.0 * kPi) / x * sum;
  }
  double sum = 0.0;
  for (int k = 1; k <= kTerms; ++k) sum += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * x * x);
  return sum;
}

}  // namespace

KolmogorovSmirnov kolmogorov_smirnov(std::span<const Duration> a, std::span<const Duration> b) {
  double distance = 0.0;
  walk(a, b, [&](Duration, Duration, double difference) { distance = std::max(distance, std::abs(difference)); });
  const auto n_a = static_cast<double>(a.size());
  const auto n_b = static_cast<double>(b.size());
  return {distance, kolmogorov_tail(distance * std::sqrt(n_a * n_b / (n_a + n_b)))};
}

double wasserstein_us(std::span<const Duration> a, std::span<const Duration> b) {
  double area = 0.0;
  walk(a, b, [&](Duration from, Duration to, double difference) { area += to_us(to - from) * std::abs(difference); });
  return area;
}

}  // namespace vecusim
