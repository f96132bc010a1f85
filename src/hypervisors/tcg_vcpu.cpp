// What the thread of a vCPU does: guest code, device models for the guest under the lock, or nothing.
//
//   halted → risen → guest ─┬─ halted
//                           ├─ [the lock] → device ───────────────────────┬─ release → [wakes an heir] → emulate
//                           └─ [the lock] → write → wrote → [wakes relay] ┘
#include "hypervisors/tcg_guest.hpp"
#include "hypervisors/tcg_threads.hpp"

namespace vecusim {

VcpuThread::VcpuThread(Qemu& qemu, std::vector<std::int64_t> its_cpus)
    : QemuThread(qemu.host, "vCPU thread", TaskPolicy::other, 0, std::move(its_cpus)), qemu_(qemu) {}

void VcpuThread::expect(Flight* flight) {
  doing_ = Doing::entering;
  flight_ = flight;
}

void VcpuThread::risen() {
  if (flight_ != nullptr) flight_->enter(qemu_.stages_of(*flight_).enter);
  const HostCode& code = qemu_.costs.enter;
  run(code.cost, code.path, Context::user, Delegate<void()>::to<&VcpuThread::entered>(*this));
}

void VcpuThread::entered() {
  if (flight_ != nullptr) flight_->enter(qemu_.stages_of(*flight_).block_exit);
  flight_ = nullptr;
  doing_ = Doing::guest;
  qemu_.guest->deliver();
  if (doing_ != Doing::halted) carry(qemu_.guest->cpu());
}

void VcpuThread::halt() {
  if (doing_ != Doing::guest) return;  // it has not come to the guest's code yet, and will see
  interrupt_work();
  doing_ = Doing::halted;
  block();
}

// The guest's code has come upon a device, whose model runs under the lock.
void VcpuThread::leave_guest(Delegate<void()> device) {
  interrupt_work();
  qemu_.guest->cpu().halt(Wait::hypervisor, party());
  doing_ = Doing::device;
  lock(qemu_.lock, device);
}

void VcpuThread::access(double count) {
  access_ = qemu_.costs.mmio.cost;
  access_.cycles *= count;
  leave_guest(Delegate<void()>::to<&VcpuThread::device>(*this));
}

void VcpuThread::output(Flight& flight) {
  flight.enter(qemu_.stages_of(flight).output);
  flight_ = &flight;
  leave_guest(Delegate<void()>::to<&VcpuThread::write>(*this));
}

void VcpuThread::device() {
  qemu_.guest->cpu().halt(Wait::hypervisor, party());
  run(access_, qemu_.costs.mmio.path, Context::user, Delegate<void()>::to<&VcpuThread::release>(*this));
}

void VcpuThread::write() {
  qemu_.guest->cpu().halt(Wait::hypervisor, party());
  const HostCode& code = qemu_.costs.output;
  run(code.cost, code.path, Context::user, Delegate<void()>::to<&VcpuThread::wrote>(*this));
}

void VcpuThread::wrote() {
  flight_->leg = static_cast<std::uint8_t>(TcgLeg::reply);
  wake(qemu_.reply->take(*flight_), Delegate<void()>::to<&VcpuThread::release>(*this));
}

void VcpuThread::release() { unlock(qemu_.lock, Delegate<void()>::to<&VcpuThread::emulate>(*this)); }

void VcpuThread::emulate() {
  doing_ = Doing::guest;
  carry(qemu_.guest->cpu());
  qemu_.guest->resumed();
}

}  // namespace vecusim
