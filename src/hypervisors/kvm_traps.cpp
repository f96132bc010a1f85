// What a vCPU's thread does outside of guest mode for its guest: IPIs, devices, and waiting for an interrupt.
//
//   trap ──► exited ──► next_trap ─┬─ halt ──► [polling] ──► sleep ──► asleep …
//                                  ├─ ipi_sent ─────────────────────────────────────┐
//                                  ├─ signalled ────────────────────────────────────┼─► [wakes a thread] ──► go_on
//                                  └─ in_qemu ──► [the lock] ──► locked ──► wrote ──┘
#include <algorithm>
#include <utility>

#include "hypervisors/kvm_guest.hpp"
#include "hypervisors/kvm_vcpu.hpp"

namespace vecusim {

namespace {
constexpr Duration kPollStart = 10us;  // halt_poll_ns_grow_start; grown by halt_poll_ns_grow, 2
}

void KvmVcpu::send_ipi(KvmVcpu& to, Flight* flight) {
  const StageId stage = flight == nullptr ? StageId{} : kvm_.route_of(*flight).send;
  if (flight != nullptr) flight->enter(stage);
  trap({.kind = Trap::Kind::ipi, .kept = KeptFlight(flight), .stage = stage, .to = &to});
}

void KvmVcpu::use_device(Flight& flight) {
  const StageId stage = kvm_.route_of(flight).output;
  flight.enter(stage);
  trap({.kind = Trap::Kind::device, .kept = KeptFlight(&flight), .stage = stage});
}

void KvmVcpu::emulate(const PathCost& cost) {
  if (cost.cycles > 0.0) trap({.kind = Trap::Kind::emulate, .cost = &cost});
}

void KvmVcpu::maintain() { trap({.kind = Trap::Kind::emulate, .cost = &kvm_.costs.inject}); }

void KvmVcpu::wait_for_interrupt() {
  if (doing_ == Doing::guest) trap({.kind = Trap::Kind::halt});
}

// Who traps again on the way out has it done before it goes back.
void KvmVcpu::trap(const Trap& trap) {
  traps_.push_back(trap);
  if (doing_ != Doing::guest) {
    if (Flight* flight = trap.live()) flight->wait(Wait::hypervisor, kvm_.party);
    return;
  }
  leave(Wait::hypervisor, kvm_.party);
  flight_ = trap.live();
  run_masked(kvm_.costs.exit.cost, kvm_.costs.exit.path, Delegate<void()>::to<&KvmVcpu::exited>(*this));
}

void KvmVcpu::exited() {
  unmask();
  next_trap();
}

void KvmVcpu::next_trap() {
  trap_ = traps_.front();
  traps_.erase(traps_.begin());
  flight_ = trap_.live();
  const CodePath path = kvm_.costs.exit.path;
  const auto handle = [&](const PathCost& cost, Delegate<void()> done) { run(cost, path, Context::hypervisor, done); };
  switch (trap_.kind) {
    case Trap::Kind::halt:
      handle(kvm_.costs.halt, Delegate<void()>::to<&KvmVcpu::halt>(*this));
      break;
    case Trap::Kind::emulate:
      handle(*trap_.cost, Delegate<void()>::to<&KvmVcpu::go_on>(*this));
      break;
    case Trap::Kind::ipi:
      handle(kvm_.costs.ipi, Delegate<void()>::to<&KvmVcpu::ipi_sent>(*this));
      break;
    case Trap::Kind::device:
      if (guest_.devices() == GuestDevices::vhost) {
        handle(kvm_.costs.ioeventfd, Delegate<void()>::to<&KvmVcpu::signalled>(*this));
        break;
      }
      loaded_ = false;
      run(kvm_.costs.user_exit.cost, kvm_.costs.user_exit.path, Context::hypervisor,
          Delegate<void()>::to<&KvmVcpu::in_qemu>(*this));
  }
}

void KvmVcpu::ipi_sent() {
  flight_ = trap_.live();
  wake(trap_.to->inject(kRescheduleIrq, flight_, KvmArrival::ipi, cpu->index()),
       Delegate<void()>::to<&KvmVcpu::go_on>(*this));
}

// ---- Devices ----

// vhost: an ioeventfd tells the worker.
void KvmVcpu::signalled() {
  flight_->leg = kvm_.route_of(*flight_).output_leg;
  wake(guest_.worker().take(*flight_), Delegate<void()>::to<&KvmVcpu::go_on>(*this));
}

// QEMU: the device's model runs in this thread, under the lock.
void KvmVcpu::in_qemu() {
  flight_->enter(kvm_.route_of(*flight_).output_lock);
  lock(guest_.lock(), Delegate<void()>::to<&KvmVcpu::locked>(*this));
}

// Who has come for the guest meanwhile waits on, but no longer for the lock.
void KvmVcpu::locked() {
  for (const Passenger& passenger : passengers_) {
    if (Flight* flight = live(passenger)) flight->wait(Wait::hypervisor, kvm_.party);
  }
  flight_->enter(kvm_.route_of(*flight_).write);
  run(kvm_.costs.device.cost, kvm_.costs.device.path, Context::user, Delegate<void()>::to<&KvmVcpu::wrote>(*this));
}

void KvmVcpu::wrote() {
  kvm_.kernel.capture(*std::exchange(flight_, nullptr));
  unlock(guest_.lock(), Delegate<void()>::to<&KvmVcpu::go_on>(*this));
}

// ---- Waiting for an interrupt ----

void KvmVcpu::halt() {
  if (!traps_.empty() || vgic_.needs_delivery() || timer_due_ <= kvm_.simulation.now()) {
    go_on();
    return;
  }
  halted_ = kvm_.simulation.now();
  if (poll_ > Duration::zero() && cpu->alone()) {
    doing_ = Doing::polling;
    compute(poll_, Delegate<void()>::to<&KvmVcpu::poll_over>(*this), Context::hypervisor);
  } else {
    sleep();
  }
}

void KvmVcpu::poll_over() {
  doing_ = Doing::outside;
  sleep();
}

void KvmVcpu::sleep() {
  loaded_ = false;
  run(kvm_.costs.put.cost, kvm_.costs.put.path, Context::hypervisor, Delegate<void()>::to<&KvmVcpu::asleep>(*this));
}

void KvmVcpu::asleep() {
  if (vgic_.needs_delivery() || timer_due_ <= kvm_.simulation.now()) {
    adapt_polling();
    go_on();
    return;
  }
  doing_ = Doing::blocked;
  block(timer_due_);
}

// A halt that polling longer would have covered lets it poll longer; one that no polling covers ends it.
void KvmVcpu::adapt_polling() {
  if (halted_ == kNever) return;
  const Duration halted = kvm_.simulation.now() - std::exchange(halted_, kNever);
  const Duration most = kvm_.halt_poll;
  if (halted <= poll_) return;
  if (halted > most) {
    poll_ = Duration::zero();
  } else if (poll_ < most) {
    poll_ = std::min(poll_ == Duration::zero() ? kPollStart : 2 * poll_, most);
  }
}

}  // namespace vecusim
