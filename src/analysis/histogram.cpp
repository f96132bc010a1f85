// The arithmetic of log-linear buckets.
#include "analysis/histogram.hpp"

#include <bit>
#include <cassert>

namespace vecusim {
namespace {

/// Buckets for each doubling, as a power of two.
constexpr unsigned kBits = 9;
constexpr std::uint64_t kPerOctave = std::uint64_t{1} << kBits;
/// Values below 2^63: the first kPerOctave buckets, then as many for each further octave.
constexpr std::size_t kBuckets = kPerOctave * (63 - kBits + 1);

struct Bucket {
  std::size_t index;
  std::uint64_t n;
};

// A bin of 2^k buckets never spans two octaves up to k = kBits, for an octave's buckets start at a multiple of
// kPerOctave.
std::vector<Bin> joined(const std::vector<Bucket>& ascending, std::size_t most) {
  std::vector<Bin> result;
  for (unsigned shift = 0; shift <= kBits; ++shift) {
    result.clear();
    for (const Bucket& bucket : ascending) {
      const Duration from = LogHistogram::lower_bound(bucket.index >> shift << shift);
      if (result.empty() || result.back().from != from) {
        const std::size_t next = ((bucket.index >> shift) + 1) << shift;
        result.push_back({from, next < kBuckets ? LogHistogram::lower_bound(next) : Duration::max(), 0});
      }
      result.back().n += bucket.n;
    }
    if (result.size() <= most) break;
  }
  return result;
}

}  // namespace

LogHistogram::LogHistogram() : counts_(kBuckets, 0) {}

// The bits below the leading kBits + 1 ones are cut off; each cut bit is one octave further.
std::size_t LogHistogram::index(Duration value) {
  assert(value >= Duration::zero());
  const auto bits = static_cast<std::uint64_t>(value.count());
  const unsigned width = static_cast<unsigned>(std::bit_width(bits));
  const unsigned cut = width > kBits + 1 ? width - (kBits + 1) : 0;
  return (bits >> cut) + cut * kPerOctave;
}

Duration LogHistogram::lower_bound(std::size_t index) {
  if (index < 2 * kPerOctave) return Duration{static_cast<std::int64_t>(index)};
  const std::size_t cut = index / kPerOctave - 1;
  const std::uint64_t leading = index - cut * kPerOctave;
  return Duration{static_cast<std::int64_t>(leading << cut)};
}

void LogHistogram::merge(const LogHistogram& other) {
  for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
}

Duration LogHistogram::at_rank(std::uint64_t rank) const {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += counts_[i];
    if (seen < rank) continue;
    const Duration from = lower_bound(i);
    const Duration below = i + 1 < kBuckets ? lower_bound(i + 1) : Duration::max();
    return from + (below - Duration{1} - from) / 2;
  }
  assert(false && "rank beyond the number of samples");
  return Duration::max();
}

std::vector<Bin> LogHistogram::bins(std::size_t most) const {
  std::vector<Bucket> buckets;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    if (counts_[i] > 0) buckets.push_back({i, counts_[i]});
  }
  return joined(buckets, most);
}

std::vector<Bin> bins_of(const std::vector<Duration>& ascending, std::size_t most) {
  std::vector<Bucket> buckets;
  for (const Duration value : ascending) {
    const std::size_t index = LogHistogram::index(value);
    if (buckets.empty() || buckets.back().index != index) buckets.push_back({index, 0});
    ++buckets.back().n;
  }
  return joined(buckets, most);
}

}  // namespace vecusim
