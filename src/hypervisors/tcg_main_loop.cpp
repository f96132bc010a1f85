// One turn of QEMU's main loop: what is ready is handled under the lock, one thing after another.
//
//   risen → poll → polled → [the lock] → handle → raised → [wakes the vCPU] → told ─┬─ handle
//                                                                                   └─ [wakes an heir] → done
#include "hypervisors/tcg_guest.hpp"
#include "hypervisors/tcg_threads.hpp"

namespace vecusim {

MainLoop::MainLoop(Qemu& qemu, std::vector<std::int64_t> its_cpus)
    : ServingThread(qemu.host, "QEMU main loop", TaskPolicy::other, 0, std::move(its_cpus)), qemu_(qemu) {
  slack = {};  // QEMU asks for none
}

void MainLoop::timer_changed() {
  if (busy() || state != State::blocked) return;
  wake_at = qemu_.guest->timer_set_for();
  cpu->program_timer();
}

bool MainLoop::timer_due() const { return qemu_.guest->timer_set_for() <= qemu_.simulation.now(); }

void MainLoop::risen() {
  if (flight_ == nullptr) next();
  poll();
}

void MainLoop::poll() {
  if (flight_ != nullptr) flight_->enter(qemu_.stages_of(*flight_).main_loop);
  const HostCode& code = qemu_.costs.main_loop;
  run(code.cost, code.path, Context::user, Delegate<void()>::to<&MainLoop::polled>(*this));
}

void MainLoop::polled() {
  if (flight_ != nullptr) flight_->enter(qemu_.stages_of(*flight_).lock);
  lock(qemu_.lock, Delegate<void()>::to<&MainLoop::handle>(*this));
}

void MainLoop::handle() {
  if (flight_ == nullptr && !timer_due()) {
    told();
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
  Thread* sleeper = nullptr;
  if (qemu_.vcpu->halted()) {
    if (flight_ != nullptr) flight_->leg = static_cast<std::uint8_t>(TcgLeg::vcpu);
    qemu_.vcpu->expect(flight_);
    sleeper = qemu_.vcpu;
  } else if (flight_ != nullptr) {
    flight_->enter(qemu_.stages_of(*flight_).block_exit);
    if (qemu_.guest->handling()) flight_->wait(Wait::queue, qemu_.vcpu->party());
  }
  wake(sleeper, Delegate<void()>::to<&MainLoop::told>(*this));
}

void MainLoop::told() {
  if (timer_due()) {
    handle();
  } else {
    unlock(qemu_.lock, Delegate<void()>::to<&MainLoop::done>(*this));
  }
}

void MainLoop::done() {
  if (next() != nullptr) {
    poll();
  } else {
    rest(qemu_.guest->timer_set_for());
  }
}

}  // namespace vecusim
