// Confidence intervals by exact laws (Boost.Math).
#include "analysis/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace vecusim {
namespace {

/// Doubles throughout: x87 arithmetic would neither be quicker nor needed.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

constexpr double kTail = 0.05;

double beta_quantile(double p, double a, double b) {
  return boost::math::quantile(boost::math::beta_distribution<double, Policy>(a, b), p);
}

/// What groups are together. The variance of Σ sum - mean · Σ n is that of the ratio estimator mean = Σ sum / Σ n.
struct Totals {
  double groups = 0.0;
  double n = 0.0;
  double sum = 0.0;
  double residual_variance = 0.0;
};

Totals totals_of(std::span<const Group> groups) {
  Totals all;
  all.groups = static_cast<double>(groups.size());
  for (const Group& group : groups) {
    all.n += static_cast<double>(group.n);
    all.sum += group.sum;
  }
  double squares = 0.0;
  for (const Group& group : groups) {
    const double residual = group.sum - all.sum / all.n * static_cast<double>(group.n);
    squares += residual * residual;
  }
  all.residual_variance = squares * all.groups / (all.groups - 1.0);
  return all;
}

/// P(B >= hits) for B binomial.
double at_least(std::uint64_t hits, std::uint64_t n, double p) {
  if (hits == 0) return 1.0;
  if (hits > n) return 0.0;
  const boost::math::binomial_distribution<double, Policy> law(static_cast<double>(n), p);
  return boost::math::cdf(boost::math::complement(law, static_cast<double>(hits - 1)));
}

}  // namespace

// p · n that is an integer but for rounding (0.07 · 100) counts as that integer.
std::uint64_t nearest_rank(std::uint64_t n, double p) {
  assert(n > 0 && p > 0.0 && p <= 1.0);
  const double exact = p * static_cast<double>(n);
  const auto rank = static_cast<std::uint64_t>(std::ceil(exact * (1.0 - 1e-12)));
  return std::clamp<std::uint64_t>(rank, 1, n);
}

bool resolves(std::uint64_t n, double p) {
  assert(p > 0.0 && p < 1.0);
  return static_cast<double>(n) * std::log(p) <= std::log(kTail);
}

// The number B of samples up to the quantile is binomial(n, p); the quantile lies between the ranks lo and hi if
// lo <= B < hi.
std::optional<Ranks> quantile_ranks(std::uint64_t n, double p) {
  if (n == 0) return std::nullopt;
  const std::uint64_t hi = first_of(1, n, [&](std::uint64_t rank) { return at_least(rank, n, p) <= kTail / 2; });
  const double upper_tail = at_least(hi, n, p);
  const double lower_tail = hi < n ? kTail / 2 : kTail - upper_tail;
  // The first rank with too much probability below it, less one.
  const std::uint64_t above =
      first_of(1, hi, [&](std::uint64_t rank) { return binomial_cdf(rank - 1, n, p) > lower_tail; });
  if (above == 1) return std::nullopt;
  return Ranks{above - 1, hi};
}

double grouped_variance(std::span<const Group> groups) {
  if (groups.size() < 2) return 0.0;
  const Totals all = totals_of(groups);
  return all.residual_variance / all.n;
}

double design_effect(std::span<const Group> groups, double variance) {
  if (groups.size() < 2 || variance <= 0.0) return 1.0;
  const double degrees = static_cast<double>(groups.size()) - 1.0;
  const double few = student_t_quantile(1.0 - kTail / 2, degrees) / kNormal95;
  return std::max(1.0, grouped_variance(groups) / variance * few * few);
}

double design_effect(std::span<const Group> hits) {
  const Totals all = totals_of(hits);
  const double share = all.n > 0.0 ? all.sum / all.n : 0.0;
  return design_effect(hits, share * (1.0 - share));
}

std::optional<Ranks> quantile_ranks(std::uint64_t n, double p, double effect) {
  assert(effect >= 1.0);
  const auto independent = static_cast<std::uint64_t>(static_cast<double>(n) / effect);
  if (effect == 1.0 || independent == 0) return quantile_ranks(effect == 1.0 ? n : 0, p);
  const auto ranks = quantile_ranks(independent, p);
  if (!ranks) return std::nullopt;
  const double stretch = static_cast<double>(n) / static_cast<double>(independent);
  const auto lo = static_cast<std::uint64_t>(std::floor(static_cast<double>(ranks->lo - 1) * stretch)) + 1;
  const auto hi = static_cast<std::uint64_t>(std::ceil(static_cast<double>(ranks->hi) * stretch));
  return Ranks{std::clamp<std::uint64_t>(lo, 1, n), std::clamp<std::uint64_t>(hi, 1, n)};
}

std::optional<Interval> mean_interval(std::span<const Group> groups) {
  if (groups.size() < 2) return std::nullopt;
  const Totals all = totals_of(groups);
  const double mean = all.sum / all.n;
  const double reach = student_t_quantile(1.0 - kTail / 2, all.groups - 1.0) * std::sqrt(all.residual_variance) / all.n;
  return Interval{mean - reach, mean + reach};
}

double clopper_pearson_upper(std::uint64_t hits, std::uint64_t n, double confidence) {
  if (hits >= n) return 1.0;
  return beta_quantile(confidence, static_cast<double>(hits + 1), static_cast<double>(n - hits));
}

Interval clopper_pearson(std::uint64_t hits, std::uint64_t n, double confidence) {
  const double tail = (1.0 - confidence) / 2;
  const double lo = hits == 0 ? 0.0 : beta_quantile(tail, static_cast<double>(hits), static_cast<double>(n - hits + 1));
  return {lo, clopper_pearson_upper(hits, n, 1.0 - tail)};
}

double binomial_cdf(std::uint64_t hits, std::uint64_t n, double p) {
  if (hits >= n) return 1.0;
  const boost::math::binomial_distribution<double, Policy> law(static_cast<double>(n), p);
  return boost::math::cdf(law, static_cast<double>(hits));
}

double student_t_quantile(double p, double degrees_of_freedom) {
  return boost::math::quantile(boost::math::students_t_distribution<double, Policy>(degrees_of_freedom), p);
}

double normal_cdf(double z) { return boost::math::cdf(boost::math::normal_distribution<double, Policy>(), z); }

double normal_quantile(double p) {
  return boost::math::quantile(boost::math::normal_distribution<double, Policy>(), p);
}

}  // namespace vecusim
