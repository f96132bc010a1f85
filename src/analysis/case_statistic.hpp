// The statistics that a bench prints and a validation judges: their names, and their values for one experiment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/distance.hpp"
#include "analysis/samples.hpp"

namespace vecusim {

/// In the order in which they are shown. `lost` is a count and `ks_distance` a number from 0 to 1, the distance from a
/// reference; all others are latencies.
enum class Statistic : std::uint8_t { min, mean, std, p50, p90, p99, p99_9, p99_99, max, lost, ks_distance };
inline constexpr std::size_t kStatistics = 11;

/// As in a result document: `mean_us`, `p99_9_us`, `lost`.
std::string_view name_of(Statistic statistic);
/// By the name without unit: `mean`, `p99_9`, `lost`.
std::optional<Statistic> statistic_named(std::string_view stem);
/// Whether it is in µs.
bool is_latency(Statistic statistic);
/// The quantile that the statistic is, in (0, 1); empty for those that are none.
std::optional<double> quantile_of(Statistic statistic);

/// What one experiment gave: the latencies of the edges that were answered, and how many got no answer of their own.
struct Answers {
  Samples latencies;
  std::int64_t lost = 0;
};

/// A sample that others are compared with, as a bench that prints in steps would show it.
class Reference {
 public:
  /// `latencies` need not be sorted; a `step` of at most 1 ps leaves them as they are.
  Reference(std::vector<Duration> latencies, Duration step);
  /// Of the two samples, both as shown. Neither may be empty.
  double distance(const std::vector<Duration>& latencies) const;
  bool empty() const { return sorted_.empty(); }
  /// Its own latencies, rounded to the nearest step and sorted.
  const std::vector<Duration>& latencies() const { return sorted_; }
  /// Others, likewise.
  std::vector<Duration> shown(std::vector<Duration> latencies) const;

 private:
  Duration step_;
  std::vector<Duration> sorted_;
};

/// Each statistic of `answers`, in its unit. NaN where there are too few latencies for it: none at all, or one for the
/// standard deviation; `ks_distance` also without a reference, or if `answers` no longer has the single latencies.
std::vector<double> values_of(const std::vector<Statistic>& statistics, const Answers& answers,
                              const Reference* reference = nullptr);

}  // namespace vecusim
