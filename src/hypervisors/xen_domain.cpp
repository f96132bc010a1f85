// What a guest's requests to its machine mean under Xen.
#include "hypervisors/xen_domain.hpp"

#include <algorithm>

#include "hypervisors/xen.hpp"

namespace vecusim {

XenDomain::XenDomain(Xen& xen, const DomainConfig& its_config, std::size_t first_cpu, CostTable& costs)
    : config(its_config), xen_(xen) {
  std::vector<Cpu*> cpus;
  for (std::size_t i = 0; i < static_cast<std::size_t>(config.vcpus.value_or(1)); ++i) {
    const CpuId id{static_cast<std::uint16_t>(first_cpu + i)};
    vcpus.push_back(std::make_unique<XenVcpu>(*xen.simulation_, id, config.name + "/" + std::to_string(i), i,
                                              static_cast<std::size_t>(xen.board_.spec().list_registers)));
    cpus.push_back(&vcpus.back()->cpu);
  }
  guest = make_kernel(*xen.simulation_, config.name, config.os, config.tasks, *this, cpus, xen.board_, costs);
  const bool calls = std::any_of(config.tasks.begin(), config.tasks.end(),
                                 [](const TaskConfig& task) { return task.hypercall.has_value(); });
  if (calls) allocation_ = AllocationCosts(costs);
  for (auto& vcpu : vcpus) {
    vcpu->domain = this;
    vcpu->guest = guest.get();
    vcpu->cpu.halt(Wait::runqueue, Party::nobody);
  }
}

Core& XenDomain::core(std::size_t cpu) {
  const XenPcpu* loaded = vcpus[cpu]->loaded;
  return xen_.board_.core(loaded == nullptr ? PcpuIndex{0} : loaded->index());
}

void XenDomain::end_of_interrupt(std::size_t cpu, IrqId irq) {
  XenVcpu& vcpu = *vcpus[cpu];
  const bool runs_low = vcpu.vgic.end(irq);
  // The list register's hardware bit: the guest's end deactivates the physical interrupt, without a trap.
  if (xen_.owner_of(irq) == this) xen_.board_.gic().end(xen_.board_.gic().target(irq), irq);
  if (runs_low) vcpu.loaded->maintenance();
}

InterruptDevice* XenDomain::device(IrqId irq) { return irq == kEventIrq ? &channels : xen_.board_.device(irq); }

StageId XenDomain::add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string&) {
  xen_.add_stages(interrupt, config, path, Xen::Arrival::ipi);
  return path.end();
}

void XenDomain::send_ipi(std::size_t from, std::size_t to, Flight* flight) {
  XenPcpu* loaded = vcpus[from]->loaded;
  if (loaded == nullptr || loaded->in_xen()) {
    // Before the guest's first instruction: whoever is to run finds the request there.
    vcpus[to]->vgic.inject(kRescheduleIrq, false);
    return;
  }
  loaded->trap_sgi(*vcpus[to], flight);
}

void XenDomain::set_timer(std::size_t cpu, Time due) {
  XenVcpu& vcpu = *vcpus[cpu];
  vcpu.timer_due = due;
  if (vcpu.loaded != nullptr) vcpu.loaded->program_guest_timer();
}

// The timer of a vCPU that is not loaded is one of Xen's.
void XenDomain::timer_due(std::size_t cpu, Flight& flight) {
  if (vcpus[cpu]->loaded == nullptr) flight.wait(Wait::hypervisor, xen_.party_);
}

void XenDomain::idle(std::size_t cpu) {
  XenVcpu& vcpu = *vcpus[cpu];
  vcpu.wfi = true;
  if (vcpu.loaded != nullptr) vcpu.loaded->guest_waits();
}

std::size_t XenDomain::channel_to(std::string_view interrupt) { return xen_.channel_to(interrupt); }

void XenDomain::send(std::size_t cpu, std::size_t channel) { vcpus[cpu]->loaded->trap_event(xen_.channels_[channel]); }

std::size_t XenDomain::bind(NetJob& handler) { return xen_.add_channel({this, channels.bind(handler)}); }

bool XenDomain::halts() { return !xen_.traps_wfi(); }

bool XenDomain::prints_on_xen() const { return xen_.console_.has_value() && config.name == "dom0"; }

void XenDomain::add_console(MeasuredInterrupt& interrupt, PathBuilder& path, std::int64_t chars) {
  if (prints_on_xen()) xen_.add_console(interrupt, config, path, chars);
}

void XenDomain::print(std::size_t cpu, const ConsoleLine& line) {
  if (!prints_on_xen()) {
    line.done();
    return;
  }
  vcpus[cpu]->line = line;
  vcpus[cpu]->loaded->print();
}

}  // namespace vecusim
