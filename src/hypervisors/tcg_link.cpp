// What passes between the relay's programs and QEMU.
#include "hypervisors/tcg_threads.hpp"

namespace vecusim {

RelayLink::RelayLink(Qemu& qemu, const RelayConfig& config)
    : qemu_(qemu),
      party_(qemu.simulation.party("relay's connection to QEMU")),
      loss_(config.loss_ppm * 1e-6),
      loss_stream_(qemu.simulation.stream("relay#loss")) {}

Thread* RelayLink::take(Flight& flight, std::size_t) {
  flight.leg = static_cast<std::uint8_t>(TcgLeg::main_loop);
  if (loss_stream_.uniform() < loss_) {
    flight.drop(Fate::lost);
    return nullptr;
  }
  if (qemu_.costs.stall == Duration::zero()) return qemu_.main_loop->take(flight);
  // Timers of TCP are kept in ticks, and none expires early.
  const Time now = qemu_.simulation.now();
  const Duration stall = qemu_.host.tick_from(now + qemu_.costs.stall) - now;
  flight.delay(qemu_.stages_of(flight).stall, stall, Delegate<void(Flight&)>::to<&RelayLink::arrived>(*this));
  flight.wait(Wait::relay, party_);
  return nullptr;
}

// The acknowledgement lets the second write go; the host's network stack wakes QEMU from an interrupt.
void RelayLink::arrived(Flight& flight) {
  if (Thread* sleeper = qemu_.main_loop->take(flight)) qemu_.host.wake_by_interrupt(*sleeper, &flight);
}

ReplyRelay::ReplyRelay(Qemu& qemu) : ServingThread(qemu.host, "reply relay", TaskPolicy::other, 0, {}), qemu_(qemu) {}

void ReplyRelay::risen() {
  step(LinuxCode::poll_return, Context::kernel, Delegate<void()>::to<&ReplyRelay::returned>(*this));
}

void ReplyRelay::returned() {
  flight_->enter(qemu_.stages_of(*flight_).reply);
  const HostCode& code = qemu_.costs.reply;
  run(code.cost, code.path, Context::user, Delegate<void()>::to<&ReplyRelay::read>(*this));
}

void ReplyRelay::read() {
  step(LinuxCode::answer_sysfs, Context::kernel, Delegate<void()>::to<&ReplyRelay::answered>(*this));
}

void ReplyRelay::answered() {
  qemu_.host.capture(*flight_);
  flight_ = nullptr;
  step(LinuxCode::sleep, Context::kernel, Delegate<void()>::to<&ReplyRelay::asleep>(*this));
}

void ReplyRelay::asleep() {
  if (next() != nullptr) {
    risen();
  } else {
    rest();
  }
}

}  // namespace vecusim
