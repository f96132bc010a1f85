// What all policies and their callers share beside the interface.
#include "schedulers/policy.hpp"

namespace vecusim {

MachineDescription arm_machine(std::size_t pcpus, const XenBehaviour& behaviour) {
  MachineDescription machine{{}, behaviour};
  for (std::size_t p = 0; p < pcpus; ++p) machine.pcpus.push_back({0, 0, 0, {static_cast<PcpuId>(p)}});
  return machine;
}

Hold queued_hold(const HookContext& context, UnitId unit, PcpuMask pool) {
  for (const PcpuId pcpu : pool - context.machine[unit].hard) {
    if (context.machine.current_of(pcpu) == kIdle) return {HoldReason::affinity, HvTime::max()};
  }
  return {};
}

}  // namespace vecusim
