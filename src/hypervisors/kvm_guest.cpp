// What a guest's requests to its machine mean under KVM.
#include "hypervisors/kvm_guest.hpp"

#include <algorithm>

#include "hypervisors/kvm_machine.hpp"

namespace vecusim {

namespace {

KvmVcpuSched sched_of(const DomainConfig& domain, std::size_t index) {
  const auto& affinity = domain.affinity;
  return {.policy = domain.vcpu_policy.value_or(TaskPolicy::other),
          .priority = domain.vcpu_priority.value_or(1),
          .cpus = affinity.empty() ? std::vector<std::int64_t>{} : affinity[affinity.size() == 1 ? 0 : index]};
}

}  // namespace

bool KvmDevice::raise(Flight& flight) {
  const bool known = std::any_of(latched_.begin(), latched_.end(),
                                 [&](Flight* other) { return &other->interrupt() == &flight.interrupt(); });
  if (!known) latched_.push_back(&flight);
  return !known;
}

const std::vector<Flight*>& KvmDevice::take_latched() {
  std::swap(taken_, latched_);
  latched_.clear();
  return taken_;
}

KvmGuest::KvmGuest(KvmHost& kvm, const DomainConfig& domain, std::size_t first_cpu, CostTable& costs)
    : kvm_(kvm), config_(domain), arrivals_(*this) {
  std::vector<Cpu*> cpus;
  for (std::size_t i = 0; i < static_cast<std::size_t>(config_.vcpus.value_or(1)); ++i) {
    const CpuId id{static_cast<std::uint16_t>(first_cpu + i)};
    vcpus_.push_back(&kvm.kernel.add_thread(std::make_unique<KvmVcpu>(kvm, *this, i, id, sched_of(config_, i))));
    cpus.push_back(&vcpus_.back()->guest_cpu());
  }
  if (!passed_through()) worker_ = &kvm.kernel.add_thread(std::make_unique<KvmWorker>(kvm, *this));
  kernel_ = make_kernel(kvm.simulation, config_.name, config_.os, config_.tasks, *this, cpus, kvm.board, costs);
}

Core& KvmGuest::core(std::size_t cpu) {
  const LinuxCpu* host = vcpus_[cpu]->cpu;
  return kvm_.board.core(PcpuIndex{static_cast<std::uint16_t>(host == nullptr ? 0 : host->index())});
}

// ---- Devices ----

const KvmGuest::Source& KvmGuest::source_of(const Flight& flight) const {
  return *std::find_if(sources_.begin(), sources_.end(),
                       [&](const Source& source) { return source.interrupt == &flight.interrupt(); });
}

KvmDevice* KvmGuest::emulated(IrqId irq) const {
  const auto found =
      std::find_if(emulated_.begin(), emulated_.end(), [&](const auto& device) { return device->irq() == irq; });
  return found == emulated_.end() ? nullptr : found->get();
}

InterruptDevice* KvmGuest::device(IrqId irq) {
  if (KvmDevice* device = emulated(irq)) return device;
  return passed_through() ? kvm_.board.device(irq) : nullptr;
}

Thread* KvmGuest::Arrivals::take(Flight& flight, std::size_t pcpu) {
  if (!guest.passed_through()) return guest.worker_->take(flight);
  const Source& source = guest.source_of(flight);
  return source.vcpu->inject(source.irq, &flight, KvmArrival::device, pcpu);
}

Thread* KvmGuest::raise(Flight& flight, std::size_t pcpu) {
  const Source& source = source_of(flight);
  if (!emulated(source.irq)->raise(flight)) {
    flight.drop(Fate::merged);
    return nullptr;
  }
  return source.vcpu->inject(source.irq, &flight, KvmArrival::device, pcpu);
}

Thread* KvmGuest::take(Flight& flight, std::size_t cpu) {
  vcpus_[cpu]->use_device(flight);
  return nullptr;  // nobody in the guest has to be woken
}

// ---- The controller and the timer ----

// The host's interrupt behind a device that is passed through ends when the guest's does.
void KvmGuest::end_of_interrupt(std::size_t cpu, IrqId irq) {
  if (irq == kSpurious) return;
  if (vcpus_[cpu]->vgic().end(irq)) vcpus_[cpu]->maintain();
  if (kvm_.machine.passes_through(irq)) kvm_.board.gic().end(kvm_.board.gic().target(irq), irq);
  vcpus_[cpu]->emulate(kvm_.costs.eoi);
}

void KvmGuest::send_ipi(std::size_t from, std::size_t to, Flight* flight) {
  vcpus_[from]->send_ipi(*vcpus_[to], flight);
}

void KvmGuest::set_timer(std::size_t cpu, Time due) {
  vcpus_[cpu]->set_timer(due);
  vcpus_[cpu]->emulate(kvm_.costs.timer);
}

}  // namespace vecusim
