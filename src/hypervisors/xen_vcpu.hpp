// XenVcpu: a vCPU: the guest's processor, its virtual interrupts and its virtual timer.
#pragma once

#include <string>
#include <vector>

#include "engine/cpu.hpp"
#include "models/gic.hpp"
#include "models/kernel.hpp"
#include "schedulers/types.hpp"

namespace vecusim {

/// The virtual interrupts of one vCPU: specification of the Xen interrupt path on Arm, sections 2.4 and 2.8.
class VirtualGic {
 public:
  explicit VirtualGic(std::size_t list_registers) : list_registers_(list_registers) { inflight_.reserve(32); }

  /// Queues an interrupt; false if it was pending already (nothing is counted twice).
  bool inject(IrqId irq);
  /// The first one that is pending in a list register.
  IrqId pending() const;
  IrqId acknowledge();
  /// True if others wait for the list register that becomes free: a maintenance interrupt.
  bool end(IrqId irq);
  bool empty() const { return inflight_.empty(); }
  bool anything_pending() const { return pending() != kSpurious; }

 private:
  struct Virq {
    IrqId irq;
    bool pending;
    bool active;
  };
  std::size_t list_registers_;
  std::vector<Virq> inflight_;  // those in list registers first, in order of arrival
};

class XenPcpu;

struct XenVcpu {
  XenVcpu(Simulation& simulation, CpuId id, std::string full_name, std::size_t number, std::size_t list_registers)
      : name(std::move(full_name)),
        index(number),
        party(simulation.party(name)),
        cpu(simulation.queue, simulation.trace, id),
        vgic(list_registers) {}

  std::string name;   ///< "dom0/1"
  std::size_t index;  ///< within its domain
  Party party;
  UnitId unit{};
  Cpu cpu;
  VirtualGic vgic;
  Kernel* guest = nullptr;
  XenPcpu* loaded = nullptr;     ///< the pCPU whose registers it has
  Time timer_due = kNever;       ///< the guest's timer
  bool wfi = false;              ///< the guest has nothing to do on it
  std::vector<Flight*> waiting;  ///< injected, and the guest has not seen them yet
};

}  // namespace vecusim
