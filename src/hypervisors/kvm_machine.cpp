// Which pCPU executes a guest, and whose devices are not the host's.
#include "hypervisors/kvm_machine.hpp"

#include <algorithm>

#include "hypervisors/kvm_vcpu.hpp"

namespace vecusim {

void KvmMachine::pass_through(IrqId irq) {
  if (passed(irq) == nullptr) passed_.push_back(std::make_unique<PassedDevice>(*board_.device(irq)));
}

KvmMachine::PassedDevice* KvmMachine::passed(IrqId irq) const {
  const auto found = std::find_if(passed_.begin(), passed_.end(), [&](const auto& p) { return p->irq() == irq; });
  return found == passed_.end() ? nullptr : found->get();
}

InterruptDevice* KvmMachine::device(IrqId irq) {
  PassedDevice* const device = passed(irq);
  return device == nullptr ? BareMachine::device(irq) : device;
}

// Until the guest's driver has seen to its device the interrupt stays active, so that it does not come again.
void KvmMachine::end_of_interrupt(std::size_t cpu, IrqId irq) {
  const PassedDevice* const device = passed(irq);
  if (device == nullptr || device->first_latched() == nullptr) BareMachine::end_of_interrupt(cpu, irq);
}

void KvmMachine::leave_guest(std::size_t cpu) { guests_[cpu]->interrupted(); }

const std::vector<Flight*>& KvmMachine::PassedDevice::take_latched() {
  taken_.clear();
  if (Flight* first = device_.first_latched()) taken_.push_back(first);
  return taken_;
}

}  // namespace vecusim
