// What a vCPU's thread does outside of guest mode for its guest: IPIs, devices, and waiting for an interrupt.
//
//   trap ──► exited ──► next_trap ─┬─ halt ──► [polling] ──► sleep ──► asleep …
//                                  ├─ ipi_sent ──────────────────────────────┐
//                                  ├─ signalled ─────────────────────────────┼─► [woke_other] ──► go_on
//                                  └─ lock ──► [waits] ──► locked ──► wrote ─┘
#include <algorithm>
#include <utility>

#include "hypervisors/kvm_guest.hpp"
#include "hypervisors/kvm_vcpu.hpp"

namespace vecusim {

namespace {
constexpr Duration kPollStart = 10us;  // halt_poll_ns_grow_start; grown by halt_poll_ns_grow, 2
}

void KvmVcpu::send_ipi(KvmVcpu& to, Flight* flight) {
  if (flight != nullptr) flight->enter(kvm_.route_of(*flight).send);
  trap({Trap::Kind::ipi, flight, &to, nullptr});
}

void KvmVcpu::use_device(Flight& flight) {
  flight.enter(kvm_.route_of(flight).output);
  trap({Trap::Kind::device, &flight, nullptr, nullptr});
}

void KvmVcpu::emulate(const PathCost& cost) {
  if (cost.cycles > 0.0) trap({Trap::Kind::emulate, nullptr, nullptr, &cost});
}

void KvmVcpu::maintain() { trap({Trap::Kind::emulate, nullptr, nullptr, &kvm_.costs.inject}); }

void KvmVcpu::wait_for_interrupt() {
  if (doing_ == Doing::guest) trap({Trap::Kind::halt, nullptr, nullptr, nullptr});
}

// Who traps again on the way out has it done before it goes back.
void KvmVcpu::trap(const Trap& trap) {
  traps_.push_back(trap);
  if (doing_ != Doing::guest) {
    if (trap.flight != nullptr) trap.flight->wait(Wait::hypervisor, kvm_.party);
    return;
  }
  leave(Wait::hypervisor, kvm_.party);
  flight_ = trap.flight;
  run_masked(kvm_.costs.exit.cost, kvm_.costs.exit.path, Delegate<void()>::to<&KvmVcpu::exited>(*this));
}

void KvmVcpu::exited() {
  unmask();
  next_trap();
}

void KvmVcpu::next_trap() {
  const Trap trap = traps_.front();
  traps_.erase(traps_.begin());
  const bool gone = trap.kind == Trap::Kind::ipi && trap.flight != nullptr &&
                    trap.flight->stage() != kvm_.route_of(*trap.flight).send;
  flight_ = gone ? nullptr : trap.flight;
  target_ = trap.to;
  const CodePath path = kvm_.costs.exit.path;
  const auto handle = [&](const PathCost& cost, Delegate<void()> done) { run(cost, path, Context::hypervisor, done); };
  switch (trap.kind) {
    case Trap::Kind::halt:
      handle(kvm_.costs.halt, Delegate<void()>::to<&KvmVcpu::halt>(*this));
      break;
    case Trap::Kind::emulate:
      handle(*trap.cost, Delegate<void()>::to<&KvmVcpu::go_on>(*this));
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
          Delegate<void()>::to<&KvmVcpu::lock>(*this));
  }
}

// ---- IPIs ----

void KvmVcpu::ipi_sent() {
  // The other vCPU may have come to what the IPI is to tell it by itself.
  if (flight_ != nullptr && flight_->stage() != kvm_.route_of(*flight_).send) flight_ = nullptr;
  to_wake_ = target_->inject(kRescheduleIrq, flight_, KvmArrival::ipi, cpu->index());
  if (to_wake_ == nullptr) {
    flight_ = nullptr;
    go_on();
    return;
  }
  step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&KvmVcpu::woke_other>(*this));
}

void KvmVcpu::woke_other() {
  wake(*to_wake_, std::exchange(flight_, nullptr));
  go_on();
}

// ---- Devices ----

// vhost: an ioeventfd tells the worker.
void KvmVcpu::signalled() {
  to_wake_ = guest_.worker().take(*flight_, KvmWorker::Job::output);
  if (to_wake_ == nullptr) {
    flight_ = nullptr;
    go_on();
    return;
  }
  step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&KvmVcpu::woke_other>(*this));
}

// QEMU: the device's model runs in this thread, under the lock.
void KvmVcpu::lock() {
  answer_ = std::exchange(flight_, nullptr);
  answer_->enter(kvm_.route_of(*answer_).output_lock);
  if (guest_.lock().take(*this)) {
    locked();
    return;
  }
  const Party owner = guest_.lock().owner().party();
  guest_cpu_.halt(Wait::lock, owner);
  answer_->wait(Wait::lock, owner);
  locking_ = true;
  block();
}

void KvmVcpu::locked() {
  flight_ = std::exchange(answer_, nullptr);
  flight_->enter(kvm_.route_of(*flight_).write);
  run(kvm_.costs.device.cost, kvm_.costs.device.path, Context::user, Delegate<void()>::to<&KvmVcpu::wrote>(*this));
}

void KvmVcpu::wrote() {
  kvm_.kernel.capture(*std::exchange(flight_, nullptr));
  to_wake_ = guest_.lock().release();
  if (to_wake_ == nullptr) {
    go_on();
    return;
  }
  step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&KvmVcpu::woke_other>(*this));
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
