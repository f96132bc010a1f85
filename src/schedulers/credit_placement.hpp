// Credit's choice of a pCPU for a unit (specification of the Xen schedulers, 5.9; golden trace format, point 66).
#pragma once

#include <vector>

#include "schedulers/credit_state.hpp"

namespace vecusim::credit {

class Placement {
 public:
  Placement(const State& state, const MachineDescription& machine);

  /// Where the unit should be; the search for the next one starts elsewhere.
  PcpuId choose(const HookContext& context, UnitId unit);
  /// What choose() would return.
  PcpuId try_out(const HookContext& context, UnitId unit) const;

 private:
  /// A pCPU, and the one whose bias remembers it, if any.
  struct Choice {
    PcpuId pcpu = kNoPcpu;
    PcpuId remembered_by = kNoPcpu;
  };
  Choice search(const HookContext& context, UnitId unit) const;
  void walk(Choice& choice, PcpuMask rest, PcpuMask idle) const;

  const State& state_;
  struct Place {
    int socket;
    PcpuMask in_core;
    PcpuMask in_socket;
    PcpuId bias;
  };
  std::vector<Place> places_;
};

}  // namespace vecusim::credit
