// SchedCore: the generic layer of Xen's scheduling around one policy: flags and runstates of vCPUs, and the verbs that
// change them.
//
// It takes no time and knows no hardware: the ideal machine of the golden traces and the Xen of the simulator drive the
// same object. Source: specification of the Xen schedulers, sections 0.2 and 0.4 to 0.9.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/trace.hpp"
#include "schedulers/policy.hpp"

namespace vecusim {

/// What a policy's requests are carried out by.
class SchedHost {
 public:
  virtual ~SchedHost() = default;
  /// A pass on this pCPU is to be made; asking twice is asking once.
  virtual void request_pass(PcpuId pcpu) = 0;
  virtual void arm(TimerId timer, HvTime at) = 0;
  virtual void cancel(TimerId timer) = 0;
  /// The unit has entered this runstate: for observers only.
  virtual void entered(UnitId /*unit*/, Runstate /*state*/) {}
};

/// When a verb is executed, and on which pCPU.
struct Moment {
  HvTime now;
  PcpuId pcpu;
};

/// How long a unit was in each runstate, and how often it was switched in.
struct RunTotals {
  std::array<HvTime, kRunstates> in_state{};
  std::size_t switched_in = 0;

  HvTime in(Runstate state) const { return in_state[static_cast<std::size_t>(state)]; }
};

class SchedCore {
 public:
  /// The policy must have been made for the same number of pCPUs. `host` must outlive the core.
  SchedCore(std::unique_ptr<Policy> policy, std::size_t pcpus, SchedHost& host);

  // Set-up. A new unit is down and may run everywhere, except as said.

  void add_pcpu(const Moment& at, PcpuId pcpu);
  DomainId add_domain(const Moment& at);
  /// With a number of the caller's, who has other cores with other domains.
  void add_domain(const Moment& at, DomainId domain);
  UnitId add_unit(const Moment& at, const UnitSpec& spec, PcpuMask hard);

  // What happens to units.

  /// No longer down; nor blocked.
  void come_up(const Moment& at, UnitId unit);
  /// The unit must be running; its pCPU is asked for a pass.
  void block(const Moment& at, UnitId unit);
  /// Makes a blocked unit runnable and true; others are left alone.
  bool unblock(const Moment& at, UnitId unit);
  void yield(const Moment& at, UnitId unit);
  void pause(const Moment& at, UnitId unit);
  void unpause(const Moment& at, UnitId unit);
  /// Always ends in a migration, as in Xen; an absent mask stays.
  void set_affinity(const Moment& at, UnitId unit, std::optional<PcpuMask> hard, std::optional<PcpuMask> soft);

  // Parameters; false if the policy refuses.

  bool adjust_domain(const Moment& at, DomainId domain, const DomainParameters& parameters);
  bool adjust_unit(const Moment& at, UnitId unit, const ServerParameters& parameters);
  bool adjust_ratelimit(const Moment& at, HvTime ratelimit);
  bool set_table(const Moment& at, const SlotTable& table);

  // A pass, in its two halves: the decision, after which the chosen unit counts as running, and the end of the switch,
  // after which the previous one no longer does.

  Decision decide(const Moment& at, PcpuId pcpu);
  /// Makes the decision take effect; false if the unit stays and nothing is to be switched.
  bool take_effect(const Moment& at, PcpuId pcpu, UnitId previous, const Decision& decision);
  /// `previous`, not idle, has been switched out.
  void switched_out(const Moment& at, UnitId previous);
  void timer(const Moment& at, TimerId timer);

  // Questions.

  const Policy& policy() const { return *policy_; }
  std::size_t pcpus() const { return state_.current.size(); }
  std::size_t units() const { return units_.size(); }
  const MachineState& state() const { return state_; }
  HookContext context(const Moment& at) const { return {at.now, at.pcpu, state_}; }
  bool blocked(UnitId unit) const { return units_[index(unit)].blocked; }
  bool down(UnitId unit) const { return units_[index(unit)].down; }
  bool runnable(UnitId unit) const;
  Runstate runstate(UnitId unit) const { return units_[index(unit)].runstate; }
  /// Up to `end`, which is not before now.
  RunTotals totals(UnitId unit, HvTime end) const;

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
    RunTotals totals;
  };

  Flags& flags(UnitId unit) { return units_[index(unit)]; }
  void wake(const Moment& at, UnitId unit);
  void sleep(const Moment& at, UnitId unit);
  void finish_migration(const Moment& at, UnitId unit);
  void refresh(UnitId unit);
  void enter(HvTime now, UnitId unit, Runstate state);
  void carry_out(HvTime now);
  void carry_out(HvTime now, const Request& request);

  std::unique_ptr<Policy> policy_;
  SchedHost& host_;
  MachineState state_;
  std::vector<Flags> units_;
  std::size_t domains_ = 0;
  Verdict verdict_;
};

}  // namespace vecusim
