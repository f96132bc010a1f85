// Samples: the durations observed; themselves as long as they are few, a histogram of them when they are many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/histogram.hpp"
#include "analysis/wide.hpp"
#include "engine/time.hpp"

namespace vecusim {

/// Count, sum, sum of squares, least and greatest are exact at any size; order statistics are exact up to kExact
/// samples and within 0.1 % above. What Samples hold depends on the values only, not on the order of add() and merge().
class Samples {
 public:
  static constexpr std::size_t kExact = 16384;

  Samples() { values_.reserve(kExact); }

  /// `value` must not be negative. Throws std::overflow_error if the sum exceeds 106 days.
  void add(Duration value);
  void merge(const Samples& other);

  std::uint64_t n() const { return n_; }
  Duration sum() const { return sum_; }
  /// Only if there are samples.
  Duration min() const { return min_; }
  Duration max() const { return max_; }
  /// Only if there are samples; µs.
  double mean_us() const;
  /// The standard deviation (with n - 1) in µs; empty for fewer than two samples.
  std::optional<double> std_us() const;

  /// For bytes.hpp.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(n_);
    bytes(sum_);
    bytes(squares_);
    bytes(min_);
    bytes(max_);
    bytes(values_);
    bytes(histogram_);
  }

  bool exact() const { return n_ <= kExact; }
  /// The values in the order of arrival, while exact().
  const std::vector<Duration>& values() const { return values_; }

 private:
  friend class OrderStatistics;

  void spill();

  std::uint64_t n_ = 0;
  Duration sum_{};
  Wide squares_ = 0;  // ps²
  Duration min_ = Duration::max();
  Duration max_ = Duration::zero();
  std::vector<Duration> values_;
  std::optional<LogHistogram> histogram_;
};

/// The samples in order. Keeps a reference to a large sample: use it while that lives.
class OrderStatistics {
 public:
  explicit OrderStatistics(const Samples& samples);

  /// 1 is the least; `rank` must be in 1 … n.
  Duration at_rank(std::uint64_t rank) const;
  /// Nearest rank: the least value that at least a share `p` of the samples does not exceed; 0 < p <= 1, n > 0.
  Duration quantile(double p) const;
  /// Everything, in at most `most` bins (LogHistogram::bins).
  std::vector<Bin> bins(std::size_t most) const;

 private:
  const Samples& samples_;
  std::vector<Duration> sorted_;
};

}  // namespace vecusim
