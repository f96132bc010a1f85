// Credit's runqueues: who waits where, which pCPU is told of it, and what an idle or exhausted pCPU takes from others
// (specification of the Xen schedulers, 5.3 to 5.5 and 5.8).
#pragma once

#include <vector>

#include "schedulers/credit_state.hpp"

namespace vecusim::credit {

class Queues {
 public:
  Queues(State& state, const MachineDescription& machine);

  /// Behind the units of its class; a unit that yields lets one of a lower class go first.
  void enqueue(UnitId unit);
  bool dequeue(UnitId unit);

  /// The unit has become runnable.
  void wake(const HookContext& context, UnitId unit, Verdict& verdict);
  /// The unit is not runnable any more.
  void sleep(const HookContext& context, UnitId unit, Verdict& verdict);

  struct Taken {
    UnitId unit = kIdle;
    bool stolen = false;
  };
  /// Takes the unit that the pCPU of this pass is to run from a queue: its own, or another's if the own offers none
  /// with credit.
  Taken take(const HookContext& context);

  /// Puts the units without credit behind the others, if an accounting has changed classes.
  void sort(PcpuId pcpu);

 private:
  void tickle_for(const HookContext& context, UnitId unit, Verdict& verdict);
  void tickle(PcpuId pcpu, Verdict& verdict);
  UnitId steal(const HookContext& context, Rank own);
  UnitId stealable(const HookContext& context, PcpuId peer, Rank own, bool soft) const;

  State& state_;
  const XenBehaviour behaviour_;
  /// Per node: its pCPUs, and the one that was last stolen from.
  struct Node {
    PcpuMask pcpus;
    PcpuId bias{};
  };
  std::vector<Node> nodes_;
  struct Memory {
    std::size_t node = 0;
    /// The idle pCPU that a wake-up executed here has last tickled.
    PcpuId tickled{};
    /// From when on it may balance again.
    HvTime may_balance{};
  };
  std::vector<Memory> memories_;
};

}  // namespace vecusim::credit
