// The ideal machine of the golden traces: a policy, its pCPUs and units under a clock where passes, switches and IPIs
// take no time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "engine/event_queue.hpp"
#include "schedulers/policy.hpp"

namespace vecusim::golden {

/// Xen's four states of a vCPU.
enum class Runstate : std::uint8_t { running, runnable, blocked, offline };
inline constexpr std::size_t kRunstates = 4;

/// Who watches the passes.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  /// The policy has decided; nothing has been done about it yet.
  virtual void decided(PcpuId pcpu, UnitId previous, const Decision& decision) = 0;
  /// Another unit than `previous` now runs on `pcpu`; the policy does not know yet that `previous` has been switched
  /// out.
  virtual void switched(PcpuId pcpu, UnitId previous, UnitId next) = 0;
};

/// How long a unit was in each runstate, and how often it was switched in.
struct Totals {
  std::array<HvTime, kRunstates> in_state{};
  std::size_t switched_in = 0;

  HvTime in(Runstate state) const { return in_state[static_cast<std::size_t>(state)]; }
};

/// The generic layer of Xen's scheduling around one policy (golden trace format, section 3; specification, section 0).
///
/// Whatever is not a pass happens inside an event: the caller says on which pCPU by executes_on(), calls the verbs, and
/// calls settle() at the event's end. The machine's own events, the timers of slices and of the policy, do so
/// themselves except for settling: after every EventQueue::step() the caller settles.
class IdealMachine {
 public:
  /// The policy must have been made for the same number of pCPUs.
  IdealMachine(std::unique_ptr<Policy> policy, std::size_t pcpus, PassObserver& observer);

  // Set-up, executed on pCPU 0. A new unit is down and may run everywhere, except as said.

  void add_pcpus();
  DomainId add_domain();
  UnitId add_unit(const UnitSpec& spec, PcpuMask hard);

  // What happens to units.

  /// No longer down; nor blocked.
  void come_up(UnitId unit);
  /// The unit must be running; its pCPU then is asked for a pass.
  void block(UnitId unit);
  /// Makes a blocked unit runnable; others are left alone.
  void unblock(UnitId unit);
  void yield(UnitId unit);
  void pause(UnitId unit);
  void unpause(UnitId unit);
  /// Always ends in a migration, as in Xen; an absent mask stays.
  void set_affinity(UnitId unit, std::optional<PcpuMask> hard, std::optional<PcpuMask> soft);

  // Parameters; false if the policy refuses.

  bool adjust_domain(DomainId domain, const DomainParameters& parameters);
  bool adjust_unit(UnitId unit, const ServerParameters& parameters);
  bool adjust_ratelimit(HvTime ratelimit);
  bool set_table(const SlotTable& table);

  // Passes.

  void executes_on(PcpuId pcpu) { executing_ = pcpu; }
  /// A pass on this pCPU is to be made.
  void request(PcpuId pcpu) { pending_.insert(pcpu); }
  void drop_requests() { pending_ = {}; }
  /// Makes the requested passes: the lowest pCPU first, again as long as it asks itself again, then from pCPU 0.
  void settle();

  // Questions.

  EventQueue& queue() { return queue_; }
  HvTime now() const;
  const Policy& policy() const { return *policy_; }
  std::size_t pcpus() const { return state_.current.size(); }
  std::size_t units() const { return units_.size(); }
  const MachineState& state() const { return state_; }
  HookContext context() const { return {now(), executing_, state_}; }
  bool blocked(UnitId unit) const { return units_[index(unit)].blocked; }
  bool down(UnitId unit) const { return units_[index(unit)].down; }
  bool runnable(UnitId unit) const;
  /// Up to `end`, which is not before now.
  Totals totals(UnitId unit, HvTime end) const;
  HvTime idle_time(PcpuId pcpu, HvTime end) const;

 private:
  struct Flags {
    bool down = true;
    bool blocked = false;
    bool migrating = false;
    /// By the policy, with or without a change of runstate.
    bool parked = false;
    bool paused_by_policy = false;
    int pauses = 0;
    Runstate runstate = Runstate::offline;
    HvTime since{};
    Totals totals;
  };

  struct PcpuState {
    PcpuState(IdealMachine& owner, PcpuId pcpu);
    void slice_ends();

    IdealMachine& machine;
    PcpuId id;
    Timer slice;
    HvTime idle_since{};
    HvTime idle_total{};
  };

  struct PolicyTimer {
    PolicyTimer(IdealMachine& owner, TimerId timer);
    void fire();

    IdealMachine& machine;
    TimerId id;
    Timer timer;
  };

  Flags& flags(UnitId unit) { return units_[index(unit)]; }
  void pass(PcpuId pcpu);
  void switch_in(PcpuId pcpu, UnitId unit);
  void switch_out(UnitId unit);
  void wake(UnitId unit);
  void sleep(UnitId unit);
  void finish_migration(UnitId unit);
  void refresh(UnitId unit);
  void enter(UnitId unit, Runstate state);
  void carry_out();
  void carry_out(const Request& request);
  Timer& timer_of(TimerId id);

  EventQueue queue_;
  std::unique_ptr<Policy> policy_;
  PassObserver& observer_;
  MachineState state_;
  std::vector<Flags> units_;
  std::deque<PcpuState> pcpu_states_;
  std::deque<PolicyTimer> timers_;
  std::size_t domains_ = 0;
  PcpuMask pending_;
  PcpuId executing_{};
  Verdict verdict_;
};

/// The moment of an EventQueue's clock; kNever if it is beyond what that can tell (106 days).
Time to_time(HvTime at);

}  // namespace vecusim::golden
