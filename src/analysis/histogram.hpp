// LogHistogram: counts of durations in buckets whose width grows with the value, so that any quantile is known to
// 0.1 %.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/time.hpp"

namespace vecusim {

/// How many samples lie in [from, below).
struct Bin {
  Duration from;
  Duration below;
  std::uint64_t n;
};

/// Ascending values as LogHistogram::bins() would give them.
std::vector<Bin> bins_of(const std::vector<Duration>& ascending, std::size_t most);

/// 512 buckets for each doubling of the value; below 512 ps a bucket for each picosecond. A bucket's middle is within
/// 0.1 % of every value in it. All memory is taken at construction.
class LogHistogram {
 public:
  LogHistogram();

  /// `value` must not be negative.
  void add(Duration value, std::uint64_t n = 1) { counts_[index(value)] += n; }
  void merge(const LogHistogram& other);

  /// The middle of the bucket that holds the sample of this rank (1 is the least).
  Duration at_rank(std::uint64_t rank) const;
  /// Everything, in at most `most` bins (of 56 or more), ascending, none of them empty: buckets, or as many
  /// neighbouring buckets each as it takes.
  std::vector<Bin> bins(std::size_t most) const;

  /// For bytes.hpp. Where reading gives another number of buckets than this program's, the histogram is another one's.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(counts_);
  }

  static std::size_t index(Duration value);
  static Duration lower_bound(std::size_t index);

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace vecusim
