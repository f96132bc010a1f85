// What a sample says of the law it was drawn from: confidence intervals, and the laws behind them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace vecusim {

/// The 97.5 % quantile of the standard normal law: how far its central 95 % reach.
inline constexpr double kNormal95 = 1.959963984540054;

struct Interval {
  double lo;
  double hi;
};

/// Ranks of order statistics, 1 … n.
struct Ranks {
  std::uint64_t lo;
  std::uint64_t hi;
};

/// The least rank with rank >= p · n: 1 … n for 0 < p <= 1 and n > 0.
std::uint64_t nearest_rank(std::uint64_t n, double p);

/// Whether n samples say anything of the quantile p: n >= ln 0.05 / ln p, so that with 95 % probability at least one of
/// them lies above it. 0 < p < 1.
bool resolves(std::uint64_t n, double p);

/// The least value in [lo, hi] of which `holds` is true; it must be true of all above, and of hi.
template <class Predicate>
std::uint64_t first_of(std::uint64_t lo, std::uint64_t hi, Predicate holds) {
  while (lo < hi) {
    const std::uint64_t middle = lo + (hi - lo) / 2;
    if (holds(middle)) {
      hi = middle;
    } else {
      lo = middle + 1;
    }
  }
  return lo;
}

/// The order statistics between which the quantile p lies with at least 95 % probability, whatever the law of the
/// (independent) samples. Both tails get 2.5 %; where the upper rank would exceed n it is n, and the lower tail gets
/// what is left. Empty if n is too small for that.
std::optional<Ranks> quantile_ranks(std::uint64_t n, double p);

/// Consecutive samples taken together, whose means are as good as independent: a batch or a replication.
struct Group {
  std::uint64_t n = 0;
  double sum = 0.0;

  /// For bytes.hpp.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(n);
    bytes(sum);
  }
};

/// The variance of independent samples whose mean would scatter as that of the groups does; 0 for fewer than two
/// groups.
double grouped_variance(std::span<const Group> groups);

/// How many times more than of independent samples of this `variance` the mean of the groups scatters, with what few
/// groups leave open (Student's t); at least 1, and 1 for fewer than two groups.
double design_effect(std::span<const Group> groups, double variance);
/// The same for a share of hits (`sum`: hits of n).
double design_effect(std::span<const Group> hits);

/// The same ranks for samples that resemble others of their group: those of n / `effect` independent ones, stretched.
std::optional<Ranks> quantile_ranks(std::uint64_t n, double p, double effect);

/// The 95 % interval of the mean of all samples from the scatter of the groups (ratio estimator, Student's t). Empty
/// for fewer than two groups.
std::optional<Interval> mean_interval(std::span<const Group> groups);

/// The exact (Clopper-Pearson) one-sided upper limit of a probability after `hits` of `n`; 1 if n is 0.
double clopper_pearson_upper(std::uint64_t hits, std::uint64_t n, double confidence = 0.95);
/// Two-sided.
Interval clopper_pearson(std::uint64_t hits, std::uint64_t n, double confidence = 0.95);

/// P(at most `hits` of `n`) at probability p.
double binomial_cdf(std::uint64_t hits, std::uint64_t n, double p);
/// The p-quantile of Student's t.
double student_t_quantile(double p, double degrees_of_freedom);
double normal_cdf(double z);
double normal_quantile(double p);

}  // namespace vecusim
