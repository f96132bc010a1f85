// What Credit knows of its units, domains and pCPUs, shared by the three parts of the policy.
#pragma once

#include <cstdint>
#include <vector>

#include "schedulers/policy.hpp"

namespace vecusim::credit {

/// The classes of the queues, with Xen's numbers: the higher goes first.
enum class Rank : std::int32_t {
  idle = -64,
  over = -2,   ///< has used up its credit
  under = -1,  ///< has credit
  boost = 0,   ///< has credit and woke up lately
};

/// Credits are 32-bit numbers that wrap, as in Xen.
constexpr std::int32_t add_credits(std::int32_t credit, std::uint32_t more) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(credit) + more);
}

/// The policy's slice, and the periods and amounts that Xen derives from it.
struct Slice {
  explicit Slice(HvTime tslice);

  HvTime length;
  /// Of the tick of each pCPU.
  HvTime tick;
  /// What a pCPU distributes per slice, and what a unit can save up or owe.
  std::uint32_t credits;
};

struct Unit {
  DomainId domain{};
  /// The pCPU that it is assigned to.
  PcpuId pcpu{};
  Rank rank = Rank::under;
  /// In tenths of a millisecond of CPU time.
  std::int32_t credit = 0;
  /// What was run and is worth less than a credit: in millionths.
  std::int64_t residual = 0;
  /// While it runs: since when its time has not been charged. Else: minus the time that has not been charged.
  HvTime start{};
  /// Takes part in the accounting.
  bool active = false;
  /// Paused because of its domain's cap.
  bool parked = false;
  bool yielding = false;
  /// Was placed since its last wake-up: the next one gives no boost.
  bool placed = false;

  /// Charges what it has run since the last time (specification, 5.2).
  void burn(HvTime now);
};

struct Domain {
  std::int32_t weight = kDefaultWeight;
  /// 0: none.
  std::int32_t cap_pct = 0;
  /// The units that take part in the accounting, the latest first.
  std::vector<UnitId> active;
};

struct Pcpu {
  /// The units that wait here, the best class first; the idle unit, always the last, is not in it.
  std::vector<UnitId> queue;
  /// An accounting has changed classes since the queue was sorted.
  bool unsorted = false;
};

struct State {
  Unit& operator[](UnitId unit) { return units[index(unit)]; }
  const Unit& operator[](UnitId unit) const { return units[index(unit)]; }
  Rank rank(UnitId unit) const { return unit == kIdle ? Rank::idle : units[index(unit)].rank; }
  std::vector<UnitId>& queue_of(UnitId unit) { return pcpus[index((*this)[unit].pcpu)].queue; }

  std::vector<Unit> units;
  std::vector<Domain> domains;
  std::vector<Pcpu> pcpus;
  PcpuMask pool;
  /// Went idle and have not been tickled since.
  PcpuMask idlers;
};

/// Whether a unit could run, as far as the caller and the cap are concerned.
inline bool runnable(const HookContext& context, const State& state, UnitId unit) {
  return context.machine[unit].runnable && !state[unit].parked;
}

}  // namespace vecusim::credit
