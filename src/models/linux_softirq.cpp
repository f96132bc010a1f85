// Polls in softirq: one after another, until they find nothing; a CPU that has polled for too long leaves them to a
// thread, so that other threads get their turn.
#include <algorithm>

#include "models/linux.hpp"

namespace vecusim {

namespace {

// Limits of one softirq: 10 rounds, 2 ms. Specification of the mechanisms, section 5.5.
constexpr std::size_t kRounds = 10;
constexpr Duration kLongest = 2ms;

}  // namespace

/// The thread's job: the polls that its CPU has left to it.
class Ksoftirqd final : public NetJob {
 public:
  explicit Ksoftirqd(LinuxCpu& cpu) : cpu_(cpu) {}
  Duration begin(LinuxCpu&) override { return cpu_.poll_cost(); }
  Next done(LinuxCpu&) override {
    cpu_.rotate_polls();
    return cpu_.polls_.empty() ? Next::nothing : Next::piece;
  }

 private:
  LinuxCpu& cpu_;
};

void Linux::use_network() {
  if (!ksoftirqds_.empty()) return;
  for (auto& cpu : cpus_) {
    ksoftirqds_.push_back(std::make_unique<Ksoftirqd>(*cpu));
    auto thread = std::make_unique<NetThread>(*this, "ksoftirqd/" + std::to_string(cpu->index()), *ksoftirqds_.back(),
                                              Context::softirq, std::vector{static_cast<std::int64_t>(cpu->index())});
    cpu->ksoftirqd_ = thread.get();
    threads_.push_back(std::move(thread));
  }
}

void LinuxCpu::raise_poll(NetJob& poll) {
  polls_.push_back(&poll);
  if (polling_ || ksoftirqd_->awake()) return;
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
  if (!polls_.empty()) ksoftirqd_->kick(*this);
  if (!irq_busy_ && !in_softirq()) leave();
}

}  // namespace vecusim
