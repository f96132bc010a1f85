// Intervals from a pooled sample: the laws of order statistics, and what stands in for the sample beyond its ends.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "analysis/predictive.hpp"

namespace vecusim {
namespace {

/// How many outermost samples tell of the tail.
constexpr std::uint64_t kTail = 100;

/// How far the histogram of a large pool may place a sample from where it was.
constexpr double kHistogramError = 1e-3;

/// A probability with its complement, so that neither is lost near 1.
struct Share {
  double below;
  double above;
};

/// The share u below which the k-th least of n samples lies with probability `q`: P(Bin(n, u) >= k) = q.
Share level_of(std::uint64_t k, std::uint64_t n, double q) {
  // From the nearer end: for the upper half of the ranks the mirror image has k near 0 and small shares.
  if (2 * k > n + 1) {  // the middle of an odd number is its own mirror image
    const Share mirror = level_of(n + 1 - k, n, 1.0 - q);
    return {mirror.above, mirror.below};
  }
  double lo = std::log(1e-300);
  double hi = 0.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (lo + hi);
    (1.0 - binomial_cdf(k - 1, n, std::exp(middle)) < q ? lo : hi) = middle;
  }
  const double u = std::exp(0.5 * (lo + hi));
  return {u, 1.0 - u};
}

struct Point {
  double us;
  bool extrapolated = false;
};

/// The pool's law of latencies.
class PoolLaw {
 public:
  explicit PoolLaw(const Samples& samples) : samples_(samples), ordered_(samples) {}

  Point at(Share share) const {
    const auto n = static_cast<double>(samples_.n());
    if (share.above * n < 1.0) return {beyond(share.above, true), true};
    if (share.below * n < 1.0) return {beyond(share.below, false), true};
    const auto rank = static_cast<std::uint64_t>(std::ceil(share.below * n));
    return {to_us(ordered_.at_rank(std::clamp<std::uint64_t>(rank, 1, samples_.n())))};
  }

  /// The fourth central moment in µs⁴.
  double fourth_moment() const {
    constexpr std::size_t kBins = 2000;
    const double mean = samples_.mean_us();
    double sum = 0.0;
    for (const Bin& bin : ordered_.bins(kBins)) {
      const double distance = 0.5 * (to_us(bin.from) + to_us(bin.below)) - mean;
      sum += static_cast<double>(bin.n) * std::pow(distance, 4.0);
    }
    return sum / static_cast<double>(samples_.n());
  }

 private:
  /// Exceedances of a threshold as an exponential law: threshold ± (their mean) ln(their share / share).
  double beyond(double share, bool upper) const {
    const std::uint64_t n = samples_.n();
    const std::uint64_t tail = std::min(kTail, n - 1);
    const double end = to_us(upper ? samples_.max() : samples_.min());
    if (tail == 0) return end;
    const auto outermost = [&](std::uint64_t i) { return to_us(ordered_.at_rank(upper ? n + 1 - i : i)); };
    const double threshold = outermost(tail + 1);
    double excess = 0.0;
    for (std::uint64_t i = 1; i <= tail; ++i) excess += std::abs(outermost(i) - threshold);
    const auto exceedances = static_cast<double>(tail);
    const double reach = excess / exceedances * std::log(exceedances / (share * static_cast<double>(n)));
    return upper ? std::max(end, threshold + reach) : std::max(0.0, std::min(end, threshold - reach));
  }

  const Samples& samples_;
  OrderStatistics ordered_;
};

Predicted order_statistic(const PoolLaw& law, std::uint64_t rank, std::uint64_t n, double alpha) {
  const Point value = law.at(level_of(rank, n, 0.5));
  const Point lo = law.at(level_of(rank, n, 0.5 * alpha));
  const Point hi = law.at(level_of(rank, n, 1.0 - 0.5 * alpha));
  return {value.us, lo.us * (1.0 - kHistogramError), hi.us * (1.0 + kHistogramError),
          lo.extrapolated || hi.extrapolated};
}

Predicted around(double value, double variance, double alpha) {
  const double half = normal_quantile(1.0 - 0.5 * alpha) * std::sqrt(variance);
  return {value, value - half, value + half};
}

/// The least count that a share `q` of experiments with n edges and losses of probability `p` does not exceed.
double count_quantile(std::uint64_t n, double p, double q) {
  std::uint64_t lo = 0;
  std::uint64_t hi = n;
  while (lo < hi) {
    const std::uint64_t middle = lo + (hi - lo) / 2;
    if (binomial_cdf(middle, n, p) >= q) {
      hi = middle;
    } else {
      lo = middle + 1;
    }
  }
  return static_cast<double>(lo);
}

Predicted lost_of(const Pool& pool, std::uint64_t n, double alpha) {
  const std::uint64_t edges = pool.latencies.n() + pool.lost;
  const Interval p = clopper_pearson(pool.lost, edges, 1.0 - 0.5 * alpha);
  const double rate = static_cast<double>(pool.lost) / static_cast<double>(edges);
  return {count_quantile(n, rate, 0.5), count_quantile(n, p.lo, 0.25 * alpha),
          count_quantile(n, p.hi, 1.0 - 0.25 * alpha)};
}

}  // namespace

double effective_variance(const Pool& pool) {
  const double std = pool.latencies.std_us().value_or(0.0);
  return std::max(grouped_variance(pool.groups), std * std);
}

std::vector<Predicted> from_pool(const Pool& pool, std::int64_t n, const std::vector<Statistic>& statistics) {
  assert(n > 0);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (pool.latencies.n() == 0) return std::vector<Predicted>(statistics.size(), {kNone, kNone, kNone});
  const double alpha = (1.0 - kCoverage) / static_cast<double>(statistics.size());
  const auto edges = static_cast<std::uint64_t>(n);
  const double samples = static_cast<double>(pool.latencies.n());
  const double effective = 1.0 / (1.0 / static_cast<double>(n) + 1.0 / samples);
  const PoolLaw law{pool.latencies};

  std::vector<Predicted> result;
  for (const Statistic statistic : statistics) {
    switch (statistic) {
      case Statistic::min:
        result.push_back(order_statistic(law, 1, edges, alpha));
        break;
      case Statistic::max:
        result.push_back(order_statistic(law, edges, edges, alpha));
        break;
      case Statistic::mean:
        result.push_back(around(pool.latencies.mean_us(), effective_variance(pool) / effective, alpha));
        break;
      case Statistic::std: {
        const double std = pool.latencies.std_us().value_or(0.0);
        const double variance = std * std;
        const double spread = std > 0.0 ? (law.fourth_moment() - variance * variance) / (4.0 * variance) : 0.0;
        result.push_back(around(std, std::max(0.0, spread) / effective, alpha));
        break;
      }
      case Statistic::ks_distance:
        result.push_back({kNone, kNone, kNone});
        break;
      case Statistic::lost:
        result.push_back(lost_of(pool, edges, alpha));
        break;
      case Statistic::p50:
      case Statistic::p90:
      case Statistic::p99:
      case Statistic::p99_9:
      case Statistic::p99_99: {
        const auto size = static_cast<std::uint64_t>(std::max(1.0, effective));
        result.push_back(order_statistic(law, nearest_rank(size, *quantile_of(statistic)), size, alpha));
        break;
      }
    }
  }
  return result;
}

std::vector<Predicted> widened(std::vector<Predicted> pooled, const std::vector<Statistic>& statistics,
                               const std::vector<std::vector<double>>& experiments) {
  const auto count = static_cast<double>(experiments.size());
  const double alpha = (1.0 - kCoverage) / static_cast<double>(statistics.size());
  const double reach = student_t_quantile(1.0 - 0.5 * alpha, count - 1.0) * std::sqrt(1.0 + 1.0 / count);
  for (std::size_t k = 0; k < statistics.size(); ++k) {
    if (statistics[k] == Statistic::min || statistics[k] == Statistic::max) continue;
    double sum = 0.0;
    double squares = 0.0;
    for (const std::vector<double>& values : experiments) sum += values[k];
    for (const std::vector<double>& values : experiments) squares += std::pow(values[k] - sum / count, 2.0);
    const double half = reach * std::sqrt(squares / (count - 1.0));
    if (std::isnan(half)) continue;  // an experiment does not have it
    pooled[k].lo = std::max(0.0, std::min(pooled[k].lo, sum / count - half));
    pooled[k].hi = std::max(pooled[k].hi, sum / count + half);
  }
  return pooled;
}

}  // namespace vecusim
