// What each vCPU of a recorded trace did: from waking up to blocking, how long it waited and how long it ran.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/read_xentrace.hpp"
#include "schedulers/types.hpp"

namespace vecusim {

/// From a wake to the block that follows. Times are in ns since the trace's first record.
struct Episode {
  std::int64_t woke_ns = 0;
  /// From the wake to the first time it ran. Empty if it did not run while it was recorded.
  std::optional<std::int64_t> waited_ns = {};
  /// In all.
  std::int64_t ran_ns = 0;
  /// Empty if the trace ends before.
  std::optional<std::int64_t> blocked_ns = {};
  /// False for what was under way when the trace began: it was awake, nobody knows since when.
  bool seen_to_wake = true;
};

struct TracedActivity {
  TracedVcpu vcpu;
  std::vector<Episode> episodes;
  /// Where it ran, ascending.
  std::vector<std::uint16_t> pcpus;

  std::int64_t ran_ns() const;
};

struct TracedSystem {
  /// By domain and vCPU; without those of idle.
  std::vector<TracedActivity> vcpus;
  std::vector<std::uint16_t> pcpus;
  std::int64_t span_ns = 0;
};

/// From the changes of runstate alone: what a trace says beside them of waiting is not what it seems (the "was runnable
/// for" of a switch counts from the last deschedule). `counter_hz`: of the records' ticks.
TracedSystem episodes_of(const Xentrace& trace, double counter_hz);

}  // namespace vecusim
