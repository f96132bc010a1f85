// One thing after another: what the worker is told, and what it tells.
//
//   woken → serve → served ─┬─ [QEMU: waits for the lock] → raise → raised → [woke_vcpu] ─┬─ done → rest or serve
//                           └─ (output) ──────────────────────────────────────────────────┘
#include "hypervisors/kvm_worker.hpp"

#include <utility>

#include "hypervisors/kvm_guest.hpp"

namespace vecusim {

KvmWorker::KvmWorker(KvmHost& kvm, KvmGuest& guest)
    : Thread(kvm.kernel, guest.name() + (guest.devices() == GuestDevices::qemu ? " QEMU main loop" : " vhost worker"),
             TaskPolicy::other, 0, {}),
      kvm_(kvm),
      guest_(guest) {}

bool KvmWorker::in_qemu() const { return guest_.devices() == GuestDevices::qemu; }

Thread* KvmWorker::take(Flight& flight, Job job) {
  if (job == Job::output) flight.leg = kvm_.route_of(flight).output_leg;
  if (busy_) {
    inbox_.push_back({&flight, job});
    flight.wait(Wait::thread, party());
    return nullptr;
  }
  busy_ = true;
  flight_ = &flight;
  job_ = job;
  return this;
}

void KvmWorker::woken() {
  if (waiting_ != nullptr) {
    flight_ = std::exchange(waiting_, nullptr);
    raise();
    return;
  }
  serve({flight_, job_});
}

void KvmWorker::serve(const Order& order) {
  flight_ = order.flight;
  job_ = order.job;
  const KvmRoute& route = kvm_.route_of(*flight_);
  flight_->enter(job_ == Job::input ? route.serve : route.write);
  const KvmCode& code = in_qemu() ? kvm_.costs.main_loop : kvm_.costs.vhost;
  run(code.cost, code.path, in_qemu() ? Context::user : Context::kernel,
      Delegate<void()>::to<&KvmWorker::served>(*this));
}

void KvmWorker::served() {
  if (job_ == Job::output) {
    kvm_.kernel.capture(*std::exchange(flight_, nullptr));
    rest();
    return;
  }
  if (!in_qemu()) {
    raised();
    return;
  }
  flight_->enter(kvm_.route_of(*flight_).lock);
  if (guest_.lock().take(*this)) {
    raise();
    return;
  }
  flight_->wait(Wait::lock, guest_.lock().owner().party());
  waiting_ = std::exchange(flight_, nullptr);
  block();
}

void KvmWorker::raise() {
  flight_->enter(kvm_.route_of(*flight_).raise);
  run(kvm_.costs.device.cost, kvm_.costs.device.path, Context::user, Delegate<void()>::to<&KvmWorker::raised>(*this));
}

void KvmWorker::raised() {
  to_wake_ = guest_.raise(*flight_, cpu->index());
  if (to_wake_ == nullptr) {
    flight_ = nullptr;
    done();
    return;
  }
  step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&KvmWorker::woke_vcpu>(*this));
}

void KvmWorker::woke_vcpu() {
  wake(*to_wake_, std::exchange(flight_, nullptr));
  done();
}

void KvmWorker::done() {
  to_wake_ = in_qemu() ? guest_.lock().release() : nullptr;
  if (to_wake_ == nullptr) {
    rest();
    return;
  }
  step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&KvmWorker::woke_heir>(*this));
}

void KvmWorker::woke_heir() {
  wake(*to_wake_, nullptr);
  rest();
}

void KvmWorker::rest() {
  if (inbox_.empty()) {
    busy_ = false;
    block();
    return;
  }
  const Order next = inbox_.front();
  inbox_.pop_front();
  serve(next);
}

}  // namespace vecusim
