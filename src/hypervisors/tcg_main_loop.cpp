// One turn of QEMU's main loop: what is ready is handled under the lock, one thing after another.
//
//   woken → poll → polled → [blocked on the lock] → handle → raised → [woke_vcpu] → next ─┬─ handle
//                                                                                        └─ [woke_heir] → rest
#include "hypervisors/tcg_guest.hpp"
#include "hypervisors/tcg_threads.hpp"

namespace vecusim {

MainLoop::MainLoop(Qemu& qemu, std::vector<std::int64_t> its_cpus)
    : Thread(qemu.host, "QEMU main loop", TaskPolicy::other, 0, std::move(its_cpus)), qemu_(qemu) {
  slack = {};  // QEMU asks for none
}

Thread* MainLoop::take(Flight& flight) {
  if (busy_ || state != State::blocked) {  // its own timer may have woken it, and it has not run yet
    inbox_.push_back(&flight);
    flight.wait(Wait::thread, party());
    return nullptr;
  }
  busy_ = true;
  wake_at = kNever;  // this turn will see to the timer too
  flight_ = &flight;
  return this;
}

void MainLoop::timer_changed() {
  if (busy_ || state != State::blocked) return;
  wake_at = qemu_.guest->timer_set_for();
  cpu->program_timer();
}

bool MainLoop::timer_due() const { return qemu_.guest->timer_set_for() <= qemu_.simulation.now(); }

void MainLoop::woken() {
  if (locking_) {
    locking_ = false;
    flight_ = std::exchange(waiting_, nullptr);
    handle();
    return;
  }
  busy_ = true;
  if (flight_ == nullptr) next_in_inbox();
  poll();
}

void MainLoop::next_in_inbox() {
  if (inbox_.empty()) return;
  flight_ = inbox_.front();
  inbox_.pop_front();
}

void MainLoop::poll() {
  if (flight_ != nullptr) flight_->enter(qemu_.stages_of(*flight_).main_loop);
  const HostCode& code = qemu_.costs.main_loop;
  run(code.cost, code.path, Context::user, Delegate<void()>::to<&MainLoop::polled>(*this));
}

void MainLoop::polled() {
  if (flight_ != nullptr) flight_->enter(qemu_.stages_of(*flight_).lock);
  if (qemu_.lock.take(*this)) {
    handle();
    return;
  }
  if (flight_ != nullptr) flight_->wait(Wait::lock, qemu_.lock.owner().party());
  waiting_ = std::exchange(flight_, nullptr);
  locking_ = true;
  block();
}

void MainLoop::handle() {
  if (flight_ == nullptr && !timer_due()) {
    next();
    return;
  }
  if (flight_ != nullptr) flight_->enter(qemu_.stages_of(*flight_).raise);
  const HostCode& code = qemu_.costs.raise;
  run(code.cost, code.path, Context::user, Delegate<void()>::to<&MainLoop::raised>(*this));
}

void MainLoop::raised() {
  if (flight_ == nullptr) {
    qemu_.guest->timer_expired();
  } else if (!qemu_.guest->gpio().edge(*flight_)) {
    flight_->drop(Fate::merged);
    flight_ = nullptr;
  }
  if (qemu_.vcpu->halted()) {
    if (flight_ != nullptr) flight_->leg = static_cast<std::uint8_t>(TcgLeg::vcpu);
    qemu_.vcpu->expect(flight_);
    step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&MainLoop::woke_vcpu>(*this));
    return;
  }
  if (flight_ != nullptr) {
    flight_->enter(qemu_.stages_of(*flight_).block_exit);
    if (qemu_.guest->handling()) flight_->wait(Wait::queue, qemu_.vcpu->party());
    flight_ = nullptr;
  }
  next();
}

void MainLoop::woke_vcpu() {
  wake(*qemu_.vcpu, flight_);
  flight_ = nullptr;
  next();
}

void MainLoop::next() {
  if (timer_due()) {
    handle();
    return;
  }
  heir_ = qemu_.lock.release();
  if (heir_ == nullptr) {
    rest();
    return;
  }
  step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&MainLoop::woke_heir>(*this));
}

void MainLoop::woke_heir() {
  wake(*heir_, nullptr);
  rest();
}

void MainLoop::rest() {
  next_in_inbox();
  if (flight_ != nullptr) {
    poll();
    return;
  }
  busy_ = false;
  block(qemu_.guest->timer_set_for());
}

}  // namespace vecusim
