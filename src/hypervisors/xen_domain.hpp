// XenDomain: the vCPUs of a domain, and the machine that its operating system finds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hypervisors/domain_config.hpp"
#include "hypervisors/xen_costs.hpp"
#include "hypervisors/xen_events.hpp"
#include "hypervisors/xen_vcpu.hpp"
#include "models/kernel.hpp"

namespace vecusim {

class Xen;

class XenDomain final : public KernelPlatform, private EventPort {
 public:
  /// `first_cpu` is the CpuId of its vCPU 0.
  XenDomain(Xen& xen, const DomainConfig& config, std::size_t first_cpu, CostTable& costs);

  // KernelPlatform
  Core& core(std::size_t cpu) override;
  IrqId pending(std::size_t cpu) override { return vcpus[cpu]->vgic.pending(); }
  IrqId acknowledge(std::size_t cpu) override { return vcpus[cpu]->vgic.acknowledge(); }
  void end_of_interrupt(std::size_t cpu, IrqId irq) override;
  InterruptDevice* device(IrqId irq) override;
  StageId add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string& prefix) override;
  void send_ipi(std::size_t from, std::size_t to, Flight* flight) override;
  void set_timer(std::size_t cpu, Time due) override;
  void timer_due(std::size_t cpu, Flight& flight) override;
  void idle(std::size_t cpu) override;
  bool halts() override;
  Colors colors() const override { return config.colors(); }
  void add_console(MeasuredInterrupt& interrupt, PathBuilder& path, std::int64_t chars) override;
  void print(std::size_t cpu, const ConsoleLine& line) override;
  void hypercall(std::size_t cpu, const HypercallConfig& hypercall) override;
  void hypercall(std::size_t cpu, Duration time) override;
  EventPort* events() override { return this; }

  // EventPort
  std::size_t channel_to(std::string_view interrupt) override;
  void send(std::size_t cpu, std::size_t channel) override;
  std::size_t bind(NetJob& handler) override;

  DomainConfig config;
  std::vector<std::unique_ptr<XenVcpu>> vcpus;
  std::unique_ptr<Kernel> guest;
  XenEvents channels;  ///< that end here

 private:
  /// Whether its console is Xen's: it is dom0, and there is one. Another domain's console is a ring in memory.
  bool prints_on_xen() const;

  Xen& xen_;
  AllocationCosts allocation_;
};

}  // namespace vecusim
