// XenPool: a cpupool: some of the machine's cores, the scheduler that has them, and the vCPUs it schedules there.
//
// Without cpupools in the scenario there is one that has all cores. A vCPU never leaves its pool.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hypervisors/sched_core.hpp"
#include "hypervisors/xen_config.hpp"
#include "hypervisors/xen_costs.hpp"
#include "hypervisors/xen_vcpu.hpp"

namespace vecusim {

class Xen;
class XenDomain;

class XenPool final : public SchedHost {
 public:
  /// `config` must outlive the pool.
  XenPool(Xen& xen, const CpupoolConfig& config, PcpuMask pcpus, CostTable& costs);
  ~XenPool() override;

  // Boot.
  void add_pcpus(const Moment& boot);
  /// As Xen's tools create a domain: vCPUs one after another, then affinities, then parameters. Domains are numbered
  /// over all pools.
  void add_domain(const Moment& boot, DomainId id, XenDomain& domain);
  /// The schedule that the configuration names, if any, once all vCPUs are there.
  void set_table(const Moment& boot);
  void come_up(const Moment& boot);

  const std::string& name() const { return config_.name; }
  PcpuMask pcpus() const { return pcpus_; }
  SchedCore& core() { return *core_; }
  /// Of Xen's code where this scheduler decides.
  const XenCosts& costs() const { return costs_; }
  XenVcpu* vcpu(UnitId unit) const { return unit == kIdle ? nullptr : units_[vecusim::index(unit)]; }
  const std::vector<XenVcpu*>& vcpus() const { return units_; }
  /// Where the scheduler has put it, whether it runs or not.
  PcpuId home_of(const XenVcpu& vcpu) const { return core_->policy().pcpu_of(vcpu.unit); }
  /// Books what those vCPUs wait for that could run and do not.
  void book_holds();

 private:
  class PolicyTimer;

  // SchedHost
  void request_pass(PcpuId pcpu) override;
  void arm(TimerId timer, HvTime at) override;
  void cancel(TimerId timer) override;
  void entered(UnitId unit, Runstate state) override;
  PolicyTimer& policy_timer(TimerId timer);

  const NamedSlotTable* table() const { return config_.scheduler.entry().table(config_.scheduler.config()); }
  PcpuMask mask_of(const std::vector<std::vector<std::int64_t>>& lists, std::size_t vcpu) const;
  void set_parameters(const Moment& boot, DomainId id, const XenDomain& domain);
  HvTime book_hold(XenVcpu& vcpu);
  Party holder_of(const XenVcpu& vcpu, HoldReason reason);

  Xen& xen_;
  const CpupoolConfig& config_;
  PcpuMask pcpus_;
  XenCosts costs_;
  std::unique_ptr<SchedCore> core_;
  std::vector<XenVcpu*> units_;
  std::vector<std::unique_ptr<PolicyTimer>> policy_timers_;
  std::vector<Party> slots_;  // of the table, by their place in it; the last is the rest of the frame
  Timer holds_;               // the next moment at which a reason to wait ends by itself
};

}  // namespace vecusim
