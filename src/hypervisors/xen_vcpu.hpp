// XenVcpu: a vCPU: the guest's processor, its virtual interrupts and its virtual timer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/cpu.hpp"
#include "hypervisors/virtual_gic.hpp"
#include "hypervisors/xen_timers.hpp"
#include "models/kernel.hpp"
#include "schedulers/types.hpp"

namespace vecusim {

class XenDomain;
class XenPcpu;
class XenPool;
struct XenVcpu;

/// A flight that Xen's code carries or lets wait. It may go on without: a guest finds what it is about by itself,
/// before the interrupt that was to tell it.
struct Passenger {
  KeptFlight kept;
  std::uint16_t leg = 0;
  IrqId irq = kSpurious;  ///< what it comes with, once that is queued

  Passenger() = default;
  explicit Passenger(Flight* flight, IrqId comes_with = kSpurious)
      : kept(flight), leg(flight == nullptr ? std::uint16_t{0} : flight->leg), irq(comes_with) {}
};

/// What stands for the guest's timer while its vCPU is not loaded: a software timer of the pCPU that it left last.
class XenVcpuTimer {
 public:
  XenVcpuTimer(XenVcpu& vcpu, XenPcpu& pcpu);
  void set(Time due);
  void stop();
  /// Whether it is this timer of that pCPU.
  bool is(const XenPcpu& pcpu, XenTimers::Id timer) const { return &pcpu == &pcpu_ && timer == timer_; }

 private:
  void expired();

  XenVcpu& vcpu_;
  XenPcpu& pcpu_;
  XenTimers::Id timer_;
};

struct XenVcpu {
  XenVcpu(Simulation& simulation, CpuId id, std::string full_name, std::size_t number, std::size_t list_registers)
      : name(std::move(full_name)),
        index(number),
        party(simulation.party(name)),
        limit(simulation.party("the limit of " + name + " itself")),
        cpu(simulation.queue, simulation.trace, id),
        vgic(list_registers) {}

  std::string name;   ///< "dom0/1"
  std::size_t index;  ///< within its domain
  const XenDomain* domain = nullptr;
  Party party;
  Party limit;              ///< whom it waits for when its budget or its cap is used up
  XenPool* pool = nullptr;  ///< set at boot, like the unit
  UnitId unit{};
  Cpu cpu;
  VirtualGic vgic;
  Kernel* guest = nullptr;
  XenPcpu* loaded = nullptr;       ///< the pCPU whose registers it has
  Time timer_due = kNever;         ///< the guest's timer
  bool wfi = false;                ///< the guest has nothing to do on it
  ConsoleLine line;                ///< being printed
  std::vector<Passenger> waiting;  ///< injected, and the guest has not seen them yet

  std::vector<std::unique_ptr<XenVcpuTimer>> timers;  ///< by pCPU; null outside its pool
  XenVcpuTimer* timer = nullptr;                      ///< the one that is set, if any
};

}  // namespace vecusim
