// Reads what rtla prints: histograms of timerlat and osnoise, and the table of osnoise top.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reading.hpp"

namespace vecusim {

/// Columns are the series: IRQ-000 (timer to handler), Thr-000 (timer to thread), Usr-000 (timer to user space), or
/// CPU-000 of osnoise. A value is the lower end of its bucket; rows of zeros may be missing.
LatencyReading read_rtla_histogram(std::string_view text, const std::string& name);

/// One CPU's line of `rtla osnoise top`.
struct OsNoise {
  std::uint64_t cpu;
  std::uint64_t periods;
  Duration runtime;
  Duration noise;
  double available_pct;
  Duration max_noise;
  Duration max_single;
  std::uint64_t hw;
  std::uint64_t nmi;
  std::uint64_t irq;
  std::uint64_t softirq;
  std::uint64_t thread;
};

struct OsNoiseReading {
  std::vector<OsNoise> cpus = {};
  std::vector<Fact> facts = {};
  Problems problems = {};
};

OsNoiseReading read_osnoise(std::string_view text, const std::string& name);

}  // namespace vecusim
