// Xen on Arm: domains of vCPUs, scheduled by one of Xen's policies on the board's cores, with interrupts routed through
// EL2.
//
// xen.cpp assembles it; xen_pool.hpp is a scheduler with its cores; xen_pcpu.hpp is what happens on one core
// (xen_irq.cpp: interrupts and injection; xen_sched.cpp: softirqs, passes, switches; xen_print.cpp: the console); the
// policy only decides. Source: specification of the Xen interrupt path on Arm.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hypervisors/hypervisor.hpp"
#include "hypervisors/xen_config.hpp"
#include "hypervisors/xen_console.hpp"
#include "hypervisors/xen_costs.hpp"
#include "hypervisors/xen_domain.hpp"
#include "hypervisors/xen_pcpu.hpp"
#include "hypervisors/xen_pool.hpp"
#include "hypervisors/xen_vcpu.hpp"

namespace vecusim {

/// Xen's event-check SGI and its own timer, as the physical interrupt controller numbers them.
inline constexpr IrqId kEventCheckIrq{1};
inline constexpr IrqId kHypTimerIrq{26};
/// The virtual interface's: too few list registers are left to do while others wait.
inline constexpr IrqId kMaintenanceIrq{25};

class Xen final : public Hypervisor {
 public:
  Xen(Simulation& simulation, const XenConfig& config, Board& board, std::span<const DomainConfig> domains,
      CostTable& costs);
  ~Xen() override;

  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                     const TaskConfig& task) override;
  Kernel* kernel(std::string_view domain) override;
  void route(IrqId irq, std::string_view domain, std::size_t cpu) override;
  void start() override;
  std::vector<CpuName> cpus() const override;

 private:
  friend class XenDomain;
  friend class XenPcpu;
  friend class XenPool;
  // A physical interrupt that belongs to a domain.
  struct GuestInterrupt {
    IrqId irq;
    XenDomain* domain;
    XenVcpu* vcpu;  ///< that it is routed to
  };
  // What brings a flight to EL2.
  enum class Arrival : std::uint8_t { device, timer, event, ipi };
  // Stages by leg and XenStage.
  using Route = std::array<StageId, 2 * kXenStages>;
  static Route no_route() {
    Route route;
    route.fill(StageId{0xffff});
    return route;
  }

  /// The time as Xen reads it: with the counter's grain.
  HvTime read_clock() const;
  /// The first moment at which read_clock() has reached `at`.
  Time moment_of(HvTime at) const;
  Moment at(const XenPcpu& pcpu) const { return {read_clock(), pcpu.id()}; }
  XenPcpu& pcpu(PcpuId id) { return *pcpus_[vecusim::index(id)]; }
  XenPool& pool_of(const DomainConfig& domain);
  XenDomain& domain_of(std::string_view name) const;
  bool traps_wfi() const { return config_.vwfi == Vwfi::trap; }

  /// The domain that a physical interrupt belongs to; null if it is Xen's own.
  XenDomain* owner_of(IrqId irq) const;
  XenVcpu& target_of(IrqId irq) const;
  /// The passenger's flight, if it is still under way at EL2.
  Flight* live(const Passenger& passenger) const;
  /// Those flights that a vCPU's guest has not taken yet.
  std::vector<Passenger>& waiting(XenVcpu& vcpu) const;
  /// The channel to the interrupt of that name.
  std::size_t channel_to(std::string_view interrupt);
  std::size_t add_channel(XenChannel channel);
  /// Whether the flight has left that stage behind.
  bool beyond(const Flight& flight, XenStage stage) const;
  StageId stage_of(const Flight& flight, XenStage stage) const;
  void add_stages(MeasuredInterrupt& interrupt, const DomainConfig& domain, PathBuilder& path, Arrival arrival);
  void add_console(MeasuredInterrupt& interrupt, const DomainConfig& domain, PathBuilder& path, std::int64_t chars);
  /// What that takes, of what looking at all lines of the machine takes and writing one of them.
  PathCost retarget_cost(const XenVcpu& vcpu, const PathCost& all) const;
  /// The interrupts of its domain that are routed to this vCPU follow it.
  void retarget(const XenVcpu& vcpu, const XenPcpu& pcpu);

  Simulation* simulation_;
  XenConfig config_;
  Board& board_;
  double counter_mhz_;
  CpupoolConfig whole_;  // of all cores, where the scenario has no cpupools
  std::array<CodePath, kXenCodes> paths_;
  Party party_;
  std::vector<std::unique_ptr<XenPcpu>> pcpus_;
  std::optional<XenConsole> console_;
  std::vector<std::unique_ptr<XenPool>> pools_;
  std::vector<std::unique_ptr<XenDomain>> domains_;
  std::vector<Route> routes_;  // by interrupt
  XenPcpu* executing_ = nullptr;
  std::vector<GuestInterrupt> guest_interrupts_;
  std::vector<XenChannel> channels_;  // that somebody notifies
};

}  // namespace vecusim
