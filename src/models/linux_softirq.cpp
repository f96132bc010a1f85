// Softirqs: after interrupts and before threads, unless they take too long; under rt in a thread from the beginning.
// Those of the kernel's timers are lengths; those of network drivers are polls, one after another, until they find
// nothing.
#include "models/linux_softirq.hpp"

#include <algorithm>
#include <utility>

#include "models/linux.hpp"

namespace vecusim {

namespace {

// What a kernel spends on softirqs at the end of an interrupt before it leaves the rest to ksoftirqd: 10 rounds, 2 ms.
// Specification of the mechanisms, section 5.5.
constexpr std::size_t kRounds = 10;
constexpr Duration kLongest = 2ms;

}  // namespace

// ---- Ksoftirqd ----

Ksoftirqd::Ksoftirqd(Linux& kernel, LinuxCpu& its_cpu)
    : Thread(kernel, "ksoftirqd/" + std::to_string(its_cpu.index()), TaskPolicy::other, 0,
             {static_cast<std::int64_t>(its_cpu.index())}),
      cpu_(its_cpu) {
  cpu = &its_cpu;
}

void Ksoftirqd::kick() {
  if (!std::exchange(busy_, true)) rise();
}

void Ksoftirqd::next() {
  if (left_ > Duration::zero()) {
    compute(std::exchange(left_, {}), Delegate<void()>::to<&Ksoftirqd::next>(*this), Context::softirq);
  } else if (!cpu_.polls_.empty()) {
    work.begin = Delegate<Duration()>::to<&Ksoftirqd::poll_cost>(*this);
    work.done = Delegate<void()>::to<&Ksoftirqd::polled>(*this);
    work.context = Context::softirq;
    cpu_.submit(*this);
  } else {
    busy_ = false;
    block();
  }
}

Duration Ksoftirqd::poll_cost() { return cpu_.poll_cost(); }

void Ksoftirqd::polled() {
  cpu_.rotate_polls();
  next();
}

// ---- Timers ----

// What the kernel's own timers have put off. At once it comes before any thread.
void LinuxCpu::raise_softirq(const Distribution& length) {
  if (softirq_busy_) return;
  const Duration time = length.quantile(softirq_stream_.uniform());
  if (defers_softirqs()) {
    defer_softirq(time);
    return;
  }
  softirq_busy_ = true;
  softirq_.demand = std::min(time, kernel_.stretched(kLongest));
  softirq_rest_ = time - softirq_.demand;
  cpu_->submit(softirq_);
}

void LinuxCpu::softirq_done() {
  softirq_busy_ = false;
  defer_softirq(softirq_rest_);
  if (!irq_busy_ && !in_softirq()) leave();
}

void LinuxCpu::defer_softirq(Duration time) {
  if (time <= Duration::zero()) return;
  ksoftirqd_->add(time);
  ksoftirqd_->kick();
}

bool LinuxCpu::defers_softirqs() const { return kernel_.config_.preempt == Preempt::rt || ksoftirqd_->busy(); }

// ---- Polls ----

void LinuxCpu::raise_poll(NetJob& poll) {
  polls_.push_back(&poll);
  if (polling_) return;
  if (defers_softirqs()) {
    ksoftirqd_->kick();
    return;
  }
  polling_ = true;
  rounds_ = 0;
  polling_since_ = kernel_.simulation_->now();
  cpu_->submit(poll_);
}

Duration LinuxCpu::poll_cost() { return polls_.front()->begin(*this); }

// The first poll has executed a piece; true if its turn is over.
bool LinuxCpu::rotate_polls() {
  NetJob* poll = polls_.front();
  const NetJob::Next next = poll->done(*this);
  if (next == NetJob::Next::piece) return false;
  polls_.erase(polls_.begin());
  if (next == NetJob::Next::again) {
    polls_.push_back(poll);
    ++rounds_;
  }
  return true;
}

void LinuxCpu::polled() {
  const bool turn_over = rotate_polls();
  const bool long_enough = rounds_ >= kRounds || kernel_.simulation_->now() - polling_since_ >= kLongest;
  if (!polls_.empty() && !(turn_over && long_enough)) {
    cpu_->submit(poll_);
    return;
  }
  polling_ = false;
  if (!polls_.empty()) ksoftirqd_->kick();
  if (!irq_busy_ && !in_softirq()) leave();
}

}  // namespace vecusim
