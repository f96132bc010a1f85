// Xen on Arm: domains of vCPUs, scheduled by one of Xen's policies on the board's cores, with interrupts routed through
// EL2.
//
// xen.cpp assembles it; xen_pcpu.hpp is what happens on one core (xen_irq.cpp: interrupts and injection; xen_sched.cpp:
// softirqs, passes, switches); the policy only decides. Source: specification of the Xen interrupt path on Arm.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hypervisors/hypervisor.hpp"
#include "hypervisors/sched_core.hpp"
#include "hypervisors/xen_config.hpp"
#include "hypervisors/xen_costs.hpp"
#include "hypervisors/xen_domain.hpp"
#include "hypervisors/xen_pcpu.hpp"
#include "hypervisors/xen_vcpu.hpp"

namespace vecusim {

/// Xen's event-check SGI and its own timer, as the physical interrupt controller numbers them.
inline constexpr IrqId kEventCheckIrq{1};
inline constexpr IrqId kHypTimerIrq{26};

class Xen final : public Hypervisor, public SchedHost {
 public:
  Xen(Simulation& simulation, const XenConfig& config, Board& board, std::span<const DomainConfig> domains,
      CostTable& costs);
  ~Xen() override;

  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                     const TaskConfig& task) override;
  void start() override;
  std::vector<CpuName> cpus() const override;

 private:
  friend class XenDomain;
  friend class XenPcpu;
  // A timer of the policy, or the software timer of a vCPU on one core.
  class PolicyTimer;
  class GuestTimer;
  // A physical interrupt that belongs to a domain.
  struct GuestInterrupt {
    IrqId irq;
    XenDomain* domain;
  };
  // Stages by leg and XenStage.
  using Route = std::array<StageId, 2 * kXenStages>;

  // SchedHost
  void request_pass(PcpuId pcpu) override { pcpus_[vecusim::index(pcpu)]->request_pass(executing_); }
  void arm(TimerId timer, HvTime at) override;
  void cancel(TimerId timer) override;
  PolicyTimer& policy_timer(TimerId timer);

  /// The time as Xen reads it: with the counter's grain.
  HvTime read_clock() const;
  /// The first moment at which read_clock() has reached `at`.
  Time moment_of(HvTime at) const;
  Moment at(const XenPcpu& pcpu) const { return {read_clock(), pcpu.id()}; }
  XenVcpu* vcpu(UnitId unit) { return unit == kIdle ? nullptr : units_[vecusim::index(unit)]; }
  bool traps_wfi() const { return config_.vwfi == Vwfi::trap; }

  /// The domain that a physical interrupt belongs to; null if it is Xen's own.
  XenDomain* owner_of(IrqId irq) const;
  StageId stage_of(const Flight& flight, XenStage stage) const;
  void add_stages(MeasuredInterrupt& interrupt, PathBuilder& path, std::size_t leg);
  XenTimers::Id guest_timer_on(const XenVcpu& vcpu, const XenPcpu& pcpu) const;
  void stop_guest_timers(const XenVcpu& vcpu);
  /// The interrupts of its domain that are routed to this vCPU follow it.
  void retarget(const XenVcpu& vcpu, const XenPcpu& pcpu);

  // What vCPUs wait for that could run and do not.
  void book_holds();
  HvTime book_hold(XenVcpu& vcpu);

  void add_domain(XenDomain& domain);

  Simulation* simulation_;
  XenConfig config_;
  Board& board_;
  double counter_mhz_;
  XenCosts costs_;
  std::array<CodePath, kXenCodes> paths_;
  Party party_;
  std::vector<std::unique_ptr<XenPcpu>> pcpus_;
  std::unique_ptr<SchedCore> core_;
  std::vector<std::unique_ptr<XenDomain>> domains_;
  std::vector<XenVcpu*> units_;
  std::vector<std::vector<std::unique_ptr<GuestTimer>>> guest_timers_;  // by unit and pCPU
  std::vector<std::unique_ptr<PolicyTimer>> policy_timers_;
  std::vector<Route> routes_;  // by interrupt
  Timer holds_;                // the next moment at which a reason to wait ends by itself
  XenPcpu* executing_ = nullptr;
  std::vector<GuestInterrupt> guest_interrupts_;
};

}  // namespace vecusim
