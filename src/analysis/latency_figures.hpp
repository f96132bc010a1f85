// The figures of a series of latencies, and what such readings are as bench data.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "analysis/bench_data.hpp"
#include "analysis/reading.hpp"

namespace vecusim {

/// p50, p90, p99, p99.9, p99.99.
inline constexpr std::array<double, 5> kFigureLevels = {0.5, 0.9, 0.99, 0.999, 0.9999};

struct LatencyFigures {
  std::uint64_t n = 0;
  std::optional<Duration> min = {};
  std::optional<Duration> mean = {};
  std::optional<Duration> max = {};
  /// Nearest ranks; empty where so many samples say nothing of them, or where they lie beyond the histogram.
  std::array<std::optional<Duration>, kFigureLevels.size()> quantiles = {};
};

/// Exact. Of samples beyond a histogram, what the file prints of them is taken.
LatencyFigures figures_of(const LatencySeries& series);

/// All series as one sample; where a file has several points of a path (rtla), those of its last one alone.
LatencySeries pooled(const LatencyReading& reading);

/// Bench data: the pooled sample; one row of figures where single values are not known, or are more than
/// kMostExpanded, which a memory of eight bytes each should not hold.
BenchData bench_data_of(const LatencyReading& reading, const std::string& name);
inline constexpr std::uint64_t kMostExpanded = 20'000'000;

}  // namespace vecusim
