// PartitionCell: a domain under a static partitioning hypervisor (Jailhouse, Bao): cores of its own, its interrupts
// routed to them, and a hypervisor that only passes interrupts on.
//
// On a GIC-400 every interrupt traps to EL2, is written into a list register and taken by the guest, which ends it in
// hardware; asking for another core traps because the distributor is shared. With direct injection interrupts reach the
// guest without a trap. Nothing is ever scheduled, and a guest that waits for an interrupt stops its own core.
// Specification of the mechanisms, section 6.1.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hypervisors/domain_config.hpp"
#include "hypervisors/hypervisor.hpp"
#include "hypervisors/virtual_gic.hpp"
#include "models/kernel.hpp"

namespace vecusim {

/// What the hypervisor's code takes, the same for all cells.
struct PartitionCosts {
  PathCost irq;  ///< an interrupt: entry, acknowledgement, list register, return
  PathCost sgi;  ///< a guest's request for another core: trap, physical SGI, return
  CodePath irq_path;
  CodePath sgi_path;
};

class PartitionCell final : public KernelPlatform {
 public:
  PartitionCell(Simulation& simulation, Board& board, const DomainConfig& domain, bool direct,
                const PartitionCosts& partition, std::size_t first_id, CostTable& costs);

  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task);
  void start();
  /// Appends its vCPUs; the pCPUs are named by the board's numbers.
  void name_vcpus(std::vector<Hypervisor::CpuName>& names) const;

  // KernelPlatform
  Core& core(std::size_t cpu) override { return board_.core(vcpus_[cpu]->pcpu); }
  Colors colors() const override { return colors_; }
  InterruptDevice* device(IrqId irq) override { return board_.device(irq); }
  IrqId pending(std::size_t cpu) override;
  IrqId acknowledge(std::size_t cpu) override;
  void end_of_interrupt(std::size_t cpu, IrqId irq) override;
  StageId add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string& prefix) override;
  void send_ipi(std::size_t from, std::size_t to, Flight* flight) override;
  void set_timer(std::size_t cpu, Time due) override;
  void idle(std::size_t) override {}
  bool halts() override { return true; }

 private:
  /// A flight that goes with what the hypervisor does, unless it has left by itself: a woken thread may be found in the
  /// guest's memory before the IPI that was to tell of it.
  struct Passenger {
    KeptFlight kept;
    StageId stage{};
    Flight* live() const { return kept.in(stage); }
  };
  /// A guest's wish to interrupt another of its vCPUs.
  struct Request {
    std::size_t to;
    Passenger passenger;
  };
  /// Stages of one leg of an interrupt's path.
  struct Leg {
    StageId sgi{};
    StageId forward{};
    StageId ipi{};
  };
  struct Route {
    StageId irq{};
    std::vector<Leg> legs;
  };

  /// A core as EL2 and the guest see it.
  struct Vcpu {
    Vcpu(Simulation& simulation, PartitionCell& owner, std::size_t number, PcpuIndex core, std::size_t first_id);
    void expired();
    void interrupted();
    /// At EL2: the next interrupt, or back to the guest.
    void take();
    Duration cost();
    void done();
    void taken();
    void sent();
    void leave();
    Flight* pending_flight(IrqId irq) const;
    Flight* enter(IrqId irq);

    PartitionCell& cell;
    std::size_t index;
    PcpuIndex pcpu;
    Cpu el2;
    Cpu guest;
    Timer timer;
    VirtualGic vgic;
    Work work;
    bool busy = false;
    bool maintenance = false;       // its guest has ended what made the list registers too few
    std::vector<Request> requests;  // not yet sent
    IrqId active = kSpurious;       // that is being passed on
    bool sending = false;
    Passenger ipi;  // who comes with the next IPI to this core
  };

  Route& route_of(const MeasuredInterrupt& interrupt);
  const Leg& leg_of(const Flight& flight);

  Simulation& simulation_;
  Board& board_;
  const PartitionCosts& costs_;
  std::string name_;
  bool direct_;
  Colors colors_;
  Party party_;
  std::vector<std::unique_ptr<Vcpu>> vcpus_;
  std::vector<Route> routes_;  // by interrupt
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace vecusim
