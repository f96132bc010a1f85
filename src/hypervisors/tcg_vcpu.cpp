// What the thread of a vCPU does: guest code, device models for the guest under the lock, or nothing.
//
//   halted → entering → guest ─┬─ halted
//                              └─ [locking] → device → [wrote → woke_reply] → release → [woke_heir] → guest
#include "hypervisors/tcg_guest.hpp"
#include "hypervisors/tcg_threads.hpp"

namespace vecusim {

VcpuThread::VcpuThread(Qemu& qemu, std::vector<std::int64_t> its_cpus)
    : Thread(qemu.host, "vCPU thread", TaskPolicy::other, 0, std::move(its_cpus)), qemu_(qemu) {}

// The guest has booted: its idle loop runs once, at least.
void VcpuThread::start() { wake(*this, nullptr); }

void VcpuThread::expect(Flight* flight) {
  doing_ = Doing::entering;
  flight_ = flight;
}

void VcpuThread::woken() {
  if (doing_ == Doing::locking) {
    qemu_.guest->cpu().halt(Wait::hypervisor, party());
    if (output_ != nullptr) output_->serve();
    device();
    return;
  }
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

void VcpuThread::leave_guest() {
  interrupt_work();
  qemu_.guest->cpu().halt(Wait::hypervisor, party());
}

void VcpuThread::access(double count) {
  access_ = qemu_.costs.mmio.cost;
  access_.cycles *= count;
  leave_guest();
  use_device();
}

void VcpuThread::output(Flight& flight) {
  output_ = &flight;
  flight.enter(qemu_.stages_of(flight).output);
  leave_guest();
  use_device();
}

void VcpuThread::use_device() {
  if (qemu_.lock.take(*this)) {
    device();
    return;
  }
  doing_ = Doing::locking;
  qemu_.guest->cpu().halt(Wait::lock, qemu_.lock.owner().party());
  if (output_ != nullptr) output_->wait(Wait::lock, qemu_.lock.owner().party());
  block();
}

void VcpuThread::device() {
  doing_ = Doing::device;
  if (output_ == nullptr) {
    run(access_, qemu_.costs.mmio.path, Context::user, Delegate<void()>::to<&VcpuThread::release>(*this));
    return;
  }
  flight_ = std::exchange(output_, nullptr);
  const HostCode& code = qemu_.costs.output;
  run(code.cost, code.path, Context::user, Delegate<void()>::to<&VcpuThread::wrote>(*this));
}

void VcpuThread::wrote() {
  if (qemu_.reply->take(*flight_) != nullptr) {
    step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&VcpuThread::woke_reply>(*this));
    return;
  }
  flight_ = nullptr;
  release();
}

void VcpuThread::woke_reply() {
  wake(*qemu_.reply, flight_);
  flight_ = nullptr;
  release();
}

void VcpuThread::release() {
  heir_ = qemu_.lock.release();
  if (heir_ == nullptr) {
    emulate();
    return;
  }
  step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&VcpuThread::woke_heir>(*this));
}

void VcpuThread::woke_heir() {
  wake(*heir_, nullptr);
  emulate();
}

void VcpuThread::emulate() {
  doing_ = Doing::guest;
  carry(qemu_.guest->cpu());
  qemu_.guest->resumed();
}

}  // namespace vecusim
