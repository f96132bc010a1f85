// One thing after another: what the worker is told, and what it tells.
//
//   risen → serve → served ─┬─ [QEMU: the lock] → raise → raised → [wakes the vCPU] → told ─┬─ done → rest or serve
//                           └─ (an answer) ─────────────────────────────────────────────────┘
#include "hypervisors/kvm_worker.hpp"

#include <utility>

#include "hypervisors/kvm_guest.hpp"

namespace vecusim {

KvmWorker::KvmWorker(KvmHost& kvm, KvmGuest& guest)
    : ServingThread(kvm.kernel,
                    guest.name() + (guest.devices() == GuestDevices::qemu ? " QEMU main loop" : " vhost worker"),
                    TaskPolicy::other, 0, {}),
      kvm_(kvm),
      guest_(guest) {}

bool KvmWorker::in_qemu() const { return guest_.devices() == GuestDevices::qemu; }

// The flight has been served before, on its way to the guest.
bool KvmWorker::answers() const { return flight_->stage() > kvm_.route_of(*flight_).serve; }

void KvmWorker::serve() {
  const KvmRoute& route = kvm_.route_of(*flight_);
  flight_->enter(answers() ? route.write : route.serve);
  const HostCode& code = in_qemu() ? kvm_.costs.main_loop : kvm_.costs.vhost;
  run(code.cost, code.path, in_qemu() ? Context::user : Context::kernel,
      Delegate<void()>::to<&KvmWorker::served>(*this));
}

void KvmWorker::served() {
  if (answers()) {
    kvm_.kernel.capture(*std::exchange(flight_, nullptr));
    done();
  } else if (!in_qemu()) {
    raised();
  } else {
    flight_->enter(kvm_.route_of(*flight_).lock);
    lock(guest_.lock(), Delegate<void()>::to<&KvmWorker::raise>(*this));
  }
}

void KvmWorker::raise() {
  flight_->enter(kvm_.route_of(*flight_).raise);
  run(kvm_.costs.device.cost, kvm_.costs.device.path, Context::user, Delegate<void()>::to<&KvmWorker::raised>(*this));
}

void KvmWorker::raised() { wake(guest_.raise(*flight_, cpu->index()), Delegate<void()>::to<&KvmWorker::told>(*this)); }

void KvmWorker::told() {
  const auto then = Delegate<void()>::to<&KvmWorker::done>(*this);
  if (in_qemu()) {
    unlock(guest_.lock(), then);
  } else {
    then();
  }
}

void KvmWorker::done() {
  if (next() != nullptr) {
    serve();
  } else {
    rest();
  }
}

}  // namespace vecusim
