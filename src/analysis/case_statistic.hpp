// The statistics that a bench prints and a validation judges: their names, and their values for one experiment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/time.hpp"

namespace vecusim {

/// In the order in which they are shown. `lost` is a count, all others are latencies.
enum class Statistic : std::uint8_t { min, mean, std, p50, p90, p99, p99_9, p99_99, max, lost };
inline constexpr std::size_t kStatistics = 10;

/// As in a result document: `mean_us`, `p99_9_us`, `lost`.
std::string_view name_of(Statistic statistic);
/// By the name without unit: `mean`, `p99_9`, `lost`.
std::optional<Statistic> statistic_named(std::string_view stem);
/// The quantile that the statistic is, in (0, 1); empty for those that are none.
std::optional<double> quantile_of(Statistic statistic);

/// What one experiment gave: the latencies that were answered in time, and how many edges got no answer of their own.
struct Answers {
  std::vector<Duration> latencies;
  std::int64_t lost = 0;
};

/// The statistic of `answers`, whose latencies must be sorted: in microseconds, or a count. NaN if there are too few
/// latencies for it: none at all, or one for the standard deviation.
double value_of(Statistic statistic, const Answers& answers);

}  // namespace vecusim
