// Everything that Credit2 remembers, and a call of one of its hooks: what all parts of the algorithm work on.
#pragma once

#include <vector>

#include "schedulers/credit2_runqueue.hpp"

namespace vecusim::credit2 {

struct Parameters {
  /// 0: none.
  HvTime ratelimit{};
  /// The credit that a unit must be ahead to go to another pCPU.
  Credit migrate_resist = 0;
  LoadScale load;
  /// Runqueues are balanced if they differ by 2^this many units of load: below full load, and above.
  int balance_under = 0;
  int balance_over = 0;
  HvTime cap_period{};
};

struct Domain {
  std::int64_t weight = kDefaultWeight;
  /// In percent of one pCPU; 0: none.
  std::int32_t cap_pct = 0;
  /// What it may run in each cap period, and what of it is left to hand out.
  HvTime total_budget{};
  HvTime budget{};
  HvTime next_replenishment{};
  TimerId replenishment{};
  /// In the order of their insertion.
  std::vector<UnitId> units;
  /// The last parked is at the back.
  std::vector<UnitId> parked;
};

struct State {
  State(const Parameters& p, const MachineDescription& m) : parameters(p), machine(m), runqueue_of(m.pcpus.size()) {}

  Parameters parameters;
  const MachineDescription machine;
  PcpuMask pool;
  std::vector<Runqueue> runqueues;
  /// By pCPU.
  std::vector<RunqueueId> runqueue_of;
  std::vector<Unit> units;
  std::vector<Domain> domains;

  Unit& unit(UnitId id) { return units[index(id)]; }
  const Unit& unit(UnitId id) const { return units[index(id)]; }
  Domain& domain(DomainId id) { return domains[index(id)]; }
  const Domain& domain(DomainId id) const { return domains[index(id)]; }
  Runqueue& runqueue(PcpuId pcpu) { return runqueues[runqueue_of[index(pcpu)]]; }
  const Runqueue& runqueue(PcpuId pcpu) const { return runqueues[runqueue_of[index(pcpu)]]; }
  PcpuMask siblings(PcpuId pcpu) const { return machine.pcpus[index(pcpu)].siblings; }

  void assign(UnitId id, RunqueueId to);
  void deassign(UnitId id);

  /// For this unit or kIdle.
  Credit credit_of(UnitId id) const { return id == kIdle ? kIdleCredit : unit(id).credit; }
  /// What the caller knows of, and the policy's own reasons: parked, or marked to migrate.
  bool runnable(const HookContext& context, UnitId id) const {
    return context.machine[id].runnable && !unit(id).parked && !unit(id).migrate_request;
  }
  bool is_current(const HookContext& context, UnitId id) const {
    return context.machine.current_of(unit(id).pcpu) == id;
  }
};

/// One call of a hook: what it works on, its circumstances, and what it asks for; with the steps that several parts of
/// the algorithm have in common.
class Call {
 public:
  Call(State& s, const HookContext& c, Verdict& v) : state(s), context(c), verdict(v) {}

  State& state;
  const HookContext& context;
  Verdict& verdict;

  HvTime now() const { return context.now; }
  Unit& unit(UnitId id) const { return state.unit(id); }
  Runqueue& runqueue(UnitId id) const { return state.runqueues[unit(id).runqueue]; }
  const UnitState& shown(UnitId id) const { return context.machine[id]; }
  bool runnable(UnitId id) const { return state.runnable(context, id); }
  bool is_current(UnitId id) const { return state.is_current(context, id); }

  /// Charges a current unit up to now.
  void burn(UnitId id) const { unit(id).burn(now(), runqueue(id).max_weight); }

  /// Makes the pCPU pass, and leaves it out of searches until it has.
  void tickle(PcpuId pcpu) const;

  /// Brings the load averages of a unit up to now. It starts or stops counting as load by `change`.
  void update_load(UnitId id, int change) const;
  /// Those of its runqueue, too.
  void update_loads(UnitId id, int change) const;

  /// Takes it out of the queue and the load.
  void dequeue(UnitId id) const;
  /// Counts it as load, queues it and looks for a pCPU.
  void admit(UnitId id) const;
};

}  // namespace vecusim::credit2
