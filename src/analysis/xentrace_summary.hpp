// What a trace of Xen's scheduler shows: how long each vCPU ran, waited and slept, and how soon it ran after a wake.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "analysis/read_xentrace.hpp"
#include "analysis/reading.hpp"

namespace vecusim {

/// Of one vCPU, from its runstate changes; what began before the trace or did not end in it is in none of them.
struct TracedVcpuTimes {
  TracedVcpu vcpu;
  /// By runstate, in ticks.
  std::array<std::uint64_t, 4> total{};
  /// Ticks of each stint, and of each wait for a pCPU after a wake or a preemption.
  std::vector<std::uint64_t> runs = {};
  std::vector<std::uint64_t> wake_waits = {};
  std::vector<std::uint64_t> preempted_waits = {};
};

struct XentraceSummary {
  /// By vCPU; idle is left out.
  std::vector<TracedVcpuTimes> vcpus = {};
  std::uint64_t first_ticks = 0;
  std::uint64_t last_ticks = 0;
  std::map<std::uint16_t, std::uint64_t> switches = {};  ///< of each pCPU, to another vCPU or idle
  std::uint64_t wakes = 0;
  std::uint64_t ratelimits = 0;
};

XentraceSummary summarize(const Xentrace& trace);

/// The waits after wakes of each vCPU as latencies; `hz` is the counter's frequency.
LatencyReading wake_latencies(const XentraceSummary& summary, double hz);

}  // namespace vecusim
