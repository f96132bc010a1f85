// Policy: a pure decision module. It is asked who runs, for how long and whom to poke, and is told everything it may
// know.
//
// The contract, for both sides
//
// Time       is passed in with every hook, in integer nanoseconds since boot, and never goes back. A policy reads no
// clock, draws no
//            number, calls nobody, and keeps no state outside its object. Slices are relative to the `now` of their
//            pass.
// Units      run on at most one pCPU. A unit is *assigned* to one pCPU from insert() on, running or not (Xen: master);
// the policy
//            decides it and answers pcpu_of().
// State      that the caller keeps is a MachineState, passed by const reference. During schedule() the current unit of
// the pCPU is
//            still the previous one; between schedule() and context_saved() it is the next one, while the previous one
//            is on no queue and still `running`.
// Runnable   in MachineState speaks of the caller's own reasons only. A unit that the policy has parked or paused, or
// marked for
//            migration in the same hook, is not runnable either: that the policy remembers itself.
// Requests   (see Verdict) are carried out in their order, completely, before the next hook; they call no hook in turn.
// Passes     are made by the pCPU that was asked, later, never inside a hook. One pass is: the caller cancels the
// pCPU's slice timer,
//            calls schedule(), carries out the requests, arms the slice timer, switches; then, only if the unit changed
//            and the previous one was not idle, calls context_saved(), and finishes a marked migration (see Migrate).
// Blocking   is not told: the policy finds the unit not runnable in the pass. Pausing is told by sleep().
// Wake       is told whenever something made a runnable unit of it, even if it was running or queued already: policies
// filter. Affinity   masks hold existing pCPUs only and are never empty in effect: hard & pool has a member. They are
// set in MachineState
//            before insert(), and before adjust_affinity() for later changes, after which the caller always does the
//            whole migration: sleep(), and once the unit is not running pick(), migrate(), wake(), even if it could
//            stay.
// Storage    after insert() no hook allocates.
//
// Not modelled: tasklets, core scheduling (Arm has none), changes of the set of pCPUs of a pool after boot.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schedulers/types.hpp"
#include "schedulers/verdict.hpp"
#include "schedulers/version.hpp"

namespace vecusim {

// ---- What a policy is built for ----

/// Where a pCPU sits. Xen on Arm sees one socket, one node, every core id 0 and no siblings.
struct PcpuPlace {
  int socket = 0;
  int core = 0;
  int node = 0;
  /// The hardware threads of its core, itself included.
  PcpuMask siblings;
};

struct MachineDescription {
  /// Indexed by PcpuId; all pCPUs that exist, online from boot.
  std::vector<PcpuPlace> pcpus;
  XenBehaviour behaviour;
};

/// The machine as Xen on Arm describes it to its schedulers.
MachineDescription arm_machine(std::size_t pcpus, const XenBehaviour& behaviour);

// ---- What a policy is told with every hook ----

struct UnitState {
  /// The vCPU has come up (it is not down).
  bool online = false;
  /// Online, not blocked, not paused by somebody else, not being migrated. See "Runnable" above.
  bool runnable = false;
  /// From the decision for it until it has been switched out.
  bool running = false;
  /// When it was last switched in or out; a pass that keeps it running does not change this.
  HvTime entry_time{};
  PcpuMask hard;
  PcpuMask soft;
};

struct MachineState {
  /// The current unit of each pCPU, or kIdle.
  std::vector<UnitId> current;
  std::vector<UnitState> units;

  UnitId current_of(PcpuId pcpu) const { return current[index(pcpu)]; }
  const UnitState& operator[](UnitId unit) const { return units[index(unit)]; }
};

/// The circumstances of a hook: when, on which pCPU the hypervisor executes it, and the machine's state.
struct HookContext {
  HvTime now;
  PcpuId pcpu;
  const MachineState& machine;
};

// ---- Parameters ----

/// How a unit joins.
struct UnitSpec {
  DomainId domain{};
  /// Where the caller would put it: pCPU 0 for vCPU 0, else the next of the pool after the one its predecessor is
  /// assigned to.
  PcpuId pcpu{};
  /// Credit2: the caller holds the lock of the runqueue of `pcpu`, so that its load cannot be read
  /// (specification, 1.15).
  bool home_queue_locked = true;
};

/// RTDS: `budget` of CPU time in every `period`; a whole number of microseconds each.
struct ServerParameters {
  /// budget … 2^62-1 ns
  HvTime period = 10ms;
  /// 10 us … period
  HvTime budget = 4ms;
  /// May run on, at a lower priority level, once the budget is used up. Not set: keeps the present value.
  std::optional<bool> extratime;
};

/// What is set for a whole domain; what is absent stays.
struct DomainParameters {
  /// Credit2 and Credit: the share under contention, 1 … 65535; new domains have 256.
  std::optional<std::int32_t> weight;
  /// Credit2 and Credit: percent of one pCPU, 1 … 100 · vCPUs; 0, as with new domains, is no cap.
  std::optional<std::int32_t> cap_pct;
  /// RTDS: for all its units. Xen below 4.22 checks only that neither value is 0.
  std::optional<ServerParameters> server;
};

inline constexpr std::int32_t kDefaultWeight = 256;
inline constexpr std::int32_t kMaxWeight = 65535;

/// Credit2 and Credit: the shortest and longest rate limit; 0 is none.
inline constexpr HvTime kMinRatelimit = 100us;
inline constexpr HvTime kMaxRatelimit = 500ms;

/// ARINC653: one entry of the schedule. An entry whose unit does not exist (yet) leaves its slot idle.
struct Slot {
  UnitId unit = kIdle;
  /// > 0
  HvTime runtime{};
};

/// ARINC653: the schedule that is repeated every major frame; 1 … 64 slots, which take the major frame at most.
struct SlotTable {
  HvTime major_frame{};
  std::vector<Slot> slots;
};

// ---- What can be asked of a policy ----

struct TimerInfo {
  std::string_view name;
  /// The pCPU whose hypervisor handles it.
  PcpuId pcpu{};
};

/// Why a runnable unit does not run.
enum class HoldReason : std::uint8_t {
  runqueue,   ///< others run
  ratelimit,  ///< others run, and the rate limit protects the one in the way
  budget,     ///< its own budget is used up
  cap,        ///< its domain's cap has parked it
  slot,       ///< the slot is another's
  affinity,   ///< a pCPU is free, but not for this unit
};

struct Hold {
  HoldReason reason = HoldReason::runqueue;
  /// When this reason ends if nothing happens before; HvTime::max() if it has no end of its own. From then on:
  /// runqueue.
  HvTime until = HvTime::max();
};

/// A named number of a policy's state, for traces and messages; times are in ns.
struct Figure {
  std::string_view name;
  std::int64_t value;
};

class Figures {
 public:
  void add(std::string_view name, std::int64_t value) {
    assert(size_ < figures_.size());
    figures_[size_++] = {name, value};
  }
  void add(std::string_view name, HvTime value) { add(name, value.count()); }
  std::optional<std::int64_t> find(std::string_view name) const {
    for (const Figure& figure : *this) {
      if (figure.name == name) return figure.value;
    }
    return std::nullopt;
  }
  const Figure* begin() const { return figures_.data(); }
  const Figure* end() const { return figures_.data() + size_; }

 private:
  std::array<Figure, 12> figures_{};
  std::size_t size_ = 0;
};

/// The hooks carry the names of the specification of the Xen schedulers, section 0.1. `verdict` comes empty. Those that
/// are not pure do nothing, or refuse, in a policy that does not know of them.
class Policy {
 public:
  virtual ~Policy() = default;

  // Set-up. The caller makes each added pCPU pass through the scheduler.

  /// Called upwards for the pCPUs of the pool; `context.machine` already has it, idle.
  virtual void add_pcpu(const HookContext& context, PcpuId pcpu, Verdict& verdict) = 0;
  virtual void new_domain(const HookContext&, DomainId, Verdict&) {}
  /// The unit is in `context.machine`, with its masks, and not online, unless it comes from another pool. Decides its
  /// pCPU.
  virtual void insert(const HookContext& context, UnitId unit, const UnitSpec& spec, Verdict& verdict) = 0;
  /// The unit is neither running nor runnable.
  virtual void remove(const HookContext& context, UnitId unit, Verdict& verdict) = 0;

  // What happens to units.

  virtual void wake(const HookContext& context, UnitId unit, Verdict& verdict) = 0;
  /// Paused, taken down, or its migration begins: the unit is no longer runnable. It may be running, queued or neither.
  virtual void sleep(const HookContext& context, UnitId unit, Verdict& verdict) = 0;
  /// Called for a running unit; the caller makes its pCPU pass through the scheduler.
  virtual void yield(const HookContext&, UnitId, Verdict&) {}

  // The pass.

  /// For context.pcpu, on which `previous` (or kIdle) is loaded.
  virtual Decision schedule(const HookContext& context, UnitId previous, Verdict& verdict) = 0;
  /// `unit`, never idle, has been switched out: it is no longer running; the current unit of its pCPU is another.
  virtual void context_saved(const HookContext&, UnitId, Verdict&) {}

  // Placement.

  /// A pCPU for the unit, in its hard affinity; decides nothing by itself, but may move the bias of the next search.
  virtual PcpuId pick(const HookContext& context, UnitId unit) = 0;
  /// The unit, not running, is to be assigned to `to`; the policy may choose another pCPU near it.
  virtual void migrate(const HookContext& context, UnitId unit, PcpuId to, Verdict& verdict) = 0;

  // Timers.

  virtual void timer(const HookContext&, TimerId, Verdict&) {}

  // Parameters. False: refused, nothing was changed.

  virtual bool adjust_domain(const HookContext&, DomainId, const DomainParameters&, Verdict&) { return false; }
  virtual bool adjust_unit(const HookContext&, UnitId, const ServerParameters&, Verdict&) { return false; }
  /// The unit's masks in `context.machine` have changed. The migration follows.
  virtual void adjust_affinity(const HookContext&, UnitId) {}
  virtual bool adjust_ratelimit(const HookContext&, HvTime) { return false; }
  /// Credit: whole milliseconds, 1 … 1000, not less than the rate limit.
  virtual bool adjust_tslice(const HookContext&, HvTime) { return false; }
  virtual bool set_table(const HookContext&, const SlotTable&) { return false; }

  // Questions; they change nothing.

  virtual PcpuId pcpu_of(UnitId unit) const = 0;
  /// Indexed by TimerId; grows only in add_pcpu() and new_domain().
  virtual std::span<const TimerInfo> timers() const { return {}; }
  /// Asked of a unit that is runnable but for the policy's own Park or Pause, and not running.
  virtual Hold held(const HookContext& context, UnitId unit) const = 0;
  /// What the policy knows of the unit, e.g. "credit", "budget", "deadline".
  virtual Figures figures(UnitId unit) const = 0;
  virtual std::size_t runqueues() const { return 0; }
  virtual Figures runqueue_figures(std::size_t) const { return {}; }
};

// ---- Affinity, as all policies read it (specification, section 0.10) ----

/// Whether the unit's soft affinity makes a difference in this pool.
constexpr bool has_soft_affinity(const UnitState& unit, PcpuMask pool) {
  return !unit.hard.subset_of(unit.soft) && unit.soft.intersects(unit.hard) && !pool.subset_of(unit.soft);
}

/// The masks to search in turn: soft & hard where the soft affinity makes a difference, then hard.
class BalanceSteps {
 public:
  constexpr BalanceSteps(const UnitState& unit, PcpuMask pool)
      : masks_{unit.soft & unit.hard, unit.hard}, first_(has_soft_affinity(unit, pool) ? 0 : 1) {}
  constexpr const PcpuMask* begin() const { return masks_.data() + first_; }
  constexpr const PcpuMask* end() const { return masks_.data() + masks_.size(); }

 private:
  std::array<PcpuMask, 2> masks_;
  std::size_t first_;
};

/// The hold of a unit that no special reason keeps: affinity if some pCPU of the pool idles that it may not use, else
/// runqueue.
Hold queued_hold(const HookContext& context, UnitId unit, PcpuMask pool);

}  // namespace vecusim
