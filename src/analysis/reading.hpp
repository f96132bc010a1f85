// What is read from a file of latencies, whatever its form: for each thread, core or stage its values and their counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/time.hpp"
#include "system/problem.hpp"

namespace vecusim {

/// A latency, and how often it was seen.
struct LatencyCount {
  Duration value;
  std::uint64_t n;

  friend bool operator==(const LatencyCount&, const LatencyCount&) = default;
};

/// What one thread, core or stage has measured.
struct LatencySeries {
  /// As the file calls it: "thread 0", "IRQ-000".
  std::string name;
  /// Samples in the order of the file, or the buckets of a histogram that are not empty, by value.
  std::vector<LatencyCount> counts = {};
  /// Samples beyond the histogram, of which no value is known.
  std::uint64_t overflows = 0;
  /// Edges without an answer.
  std::uint64_t missed = 0;
  /// As the file prints them; they know of what `counts` lacks.
  std::optional<std::uint64_t> printed_n = {};
  std::optional<Duration> printed_min = {};
  std::optional<Duration> printed_mean = {};
  std::optional<Duration> printed_max = {};

  /// In `counts`.
  std::uint64_t counted() const {
    std::uint64_t n = 0;
    for (const LatencyCount& count : counts) n += count.n;
    return n;
  }
  /// All samples: counted, beyond the histogram, or, without counts, as printed.
  std::uint64_t n() const { return counts.empty() && overflows == 0 ? printed_n.value_or(0) : counted() + overflows; }
};

/// Something that a file says of its run: what, and how much.
using Fact = std::pair<std::string, std::string>;

struct LatencyReading {
  std::vector<LatencySeries> series = {};
  /// The true latency lies in [value, value + step) if `truncated`, else within half a step.
  Duration step{};
  bool truncated = false;
  std::vector<Fact> facts = {};
  /// Errors: records that could not be read; they are not in `series`. Warnings: what is missing, or strange.
  Problems problems = {};
};

/// No bench counts further, and sums of counts still fit.
inline constexpr std::uint64_t kMostCounted = 1'000'000'000'000'000;

}  // namespace vecusim
