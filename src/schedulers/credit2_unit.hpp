// What Credit2 keeps of each unit, and how its credit burns (specification of the Xen schedulers, sections 1.1 to 1.5).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "schedulers/types.hpp"

namespace vecusim::credit2 {

/// Credits are nanoseconds of running at the largest weight of the runqueue.
using Credit = std::int64_t;

/// What a unit starts with, and what a reset adds.
inline constexpr Credit kInitialCredit = 10'000'000;
inline constexpr Credit kLeastCredit = -10'000'000;
inline constexpr Credit kIdleCredit = kLeastCredit - 1;
/// What a reset leaves at most.
inline constexpr Credit kMostCredit = kInitialCredit + 500'000;
/// What a unit gets for being pulled to another pCPU of its runqueue.
inline constexpr Credit kMigrationCompensation = 50'000;

inline constexpr HvTime kMinSlice = 500us;
inline constexpr HvTime kMaxSlice{kInitialCredit};
/// The budget of a unit that no cap limits.
inline constexpr HvTime kUncapped = HvTime::max();

using RunqueueId = std::size_t;
inline constexpr RunqueueId kNoRunqueue = static_cast<RunqueueId>(-1);

struct Unit {
  DomainId domain{};
  /// The pCPU it is assigned to (Xen: master).
  PcpuId pcpu{};
  /// The runqueue it is assigned to, whether queued, running or blocked.
  RunqueueId runqueue = kNoRunqueue;
  /// The pCPU that was last tickled for it; kNoPcpu: none since it was last chosen.
  PcpuId tickled_pcpu = kNoPcpu;

  Credit credit = kInitialCredit;
  std::int64_t weight = 1;
  /// What is left of the last burning, in 1/weight of a credit.
  std::int64_t residual = 0;
  /// Up to when it has been burnt.
  HvTime start_time{};

  /// What it may still run under its domain's cap; may be overrun.
  HvTime budget = kUncapped;
  /// What it takes from its domain's budget at once.
  HvTime quota{};

  /// See LoadScale.
  std::int64_t load_average = 0;
  std::int64_t load_time = 0;

  /// In its runqueue's queue.
  bool queued = false;
  /// Chosen by a pass, and not switched out yet.
  bool scheduled = false;
  /// To be queued again once it has been switched out.
  bool delayed_add = false;
  /// Its next pass may give its pCPU away.
  bool yielded = false;
  /// Its domain has used up its cap.
  bool parked = false;
  /// Marked to move to `migrate_target` once it has been switched out.
  bool migrate_request = false;
  RunqueueId migrate_target = kNoRunqueue;

  bool capped() const { return budget != kUncapped; }

  /// Charges what it has run since it was last burnt. The maximum weight counts for the whole of that time.
  void burn(HvTime now, std::int64_t max_weight) {
    const HvTime ran = now - start_time;
    if (ran <= HvTime{0}) return;
    const std::int64_t due = ran.count() * max_weight + residual;
    residual = due % weight;
    credit = std::max(credit - due / weight, kLeastCredit);
    if (capped()) budget -= ran;
    start_time = now;
  }

  /// How long it can run on `amount`, which is not negative.
  HvTime time_for(Credit amount, std::int64_t max_weight) const { return HvTime{amount * weight / max_weight}; }
};

}  // namespace vecusim::credit2
