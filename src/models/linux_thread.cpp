// What all Linux threads do: execute code, compute, carry a guest, notify, block.
#include "models/linux_thread.hpp"

#include <algorithm>
#include <utility>

#include "models/linux.hpp"

namespace vecusim {

Thread::Thread(Linux& kernel, std::string_view name, TaskPolicy its_policy, std::int64_t its_priority,
               std::vector<std::int64_t> its_cpus)
    : policy(its_policy),
      priority(its_priority),
      allowed(std::move(its_cpus)),
      slack(its_policy == TaskPolicy::other ? kTimerSlack : Duration::zero()),
      kernel_(kernel),
      party_(kernel.party(name)) {
  work.level = kThreadLevel;
  work.inflicts = Wait::thread;
  work.party = party_;
  if (allowed.empty()) allowed = kernel.housekeeping_;
  std::sort(allowed.begin(), allowed.end());
}

bool Thread::may_run_on(std::size_t index) const {
  return allowed.empty() || std::binary_search(allowed.begin(), allowed.end(), static_cast<std::int64_t>(index));
}

Duration Thread::begin() { return kernel_.platform_->execute(cpu->index(), *cost_, path_); }

void Thread::step(LinuxCode code, Context context, Delegate<void()> done) {
  kernel_.enter(flight_, code);
  run(kernel_.cost(code), kernel_.path_of(code), context, done);
}

void Thread::run(const PathCost& cost, CodePath path, Context context, Delegate<void()> done) {
  cost_ = &cost;
  path_ = path;
  work.carries = nullptr;
  work.served = {};
  work.begin = Delegate<Duration()>::to<&Thread::begin>(*this);
  work.done = done;
  work.context = context;
  work.account = flight_ == nullptr ? nullptr : &flight_->account();
  cpu->submit(*this);
}

void Thread::compute(Duration time, Delegate<void()> done, Context context) {
  work.carries = nullptr;
  if (memory_mbps > 0) work.served = Delegate<void(bool)>::to<&Thread::streams>(*this);
  work.begin = {};
  work.demand = kernel_.stretched(time);
  work.done = done;
  work.context = context;
  work.account = flight_ == nullptr ? nullptr : &flight_->account();
  cpu->submit(*this);
}

void Thread::hold(Duration time, Delegate<void()> done) {
  held_ = done;
  work.level = kMaskedLevel;
  work.inflicts = Wait::masked;
  compute(time, Delegate<void()>::to<&Thread::held>(*this), Context::kernel);
}

void Thread::held() {
  work.level = kThreadLevel;
  work.inflicts = Wait::thread;
  held_();
}

void Thread::print(std::int64_t chars, Delegate<void()> done) { cpu->print(*this, chars, done); }

void Thread::carry(Cpu& carried) {
  constexpr Duration kEndless = 1000s;
  work.carries = &carried;
  work.begin = {};
  work.demand = kEndless;
  work.done = Delegate<void()>::to<&Thread::carried_on>(*this);
  work.context = Context::idle;
  work.account = nullptr;
  cpu->submit(*this);
}

void Thread::streams(bool now) {
  if (now) streams_on_ = &kernel_.platform_->core(cpu->index());
  streams_on_->stream(now ? memory_mbps : -memory_mbps, kernel_.platform_->colors());
}

void Thread::carried_on() { carry(*work.carries); }

void Thread::interrupt_work() {
  cpu->cpu().withdraw(work);
  work.begun = false;
}

void Thread::rise() { kernel_.wake(*this, *cpu, nullptr); }

void Thread::wake(Thread* sleeper, Delegate<void()> done) {
  if (sleeper == nullptr) {  // the flight is somebody else's already
    flight_ = nullptr;
    done();
    return;
  }
  sleeper_ = sleeper;
  woke_ = done;
  step(LinuxCode::wake, Context::kernel, Delegate<void()>::to<&Thread::woke>(*this));
}

void Thread::woke() {
  kernel_.wake(*sleeper_, *cpu, std::exchange(flight_, nullptr));
  woke_();
}

void Thread::notify(Delegate<void()> done) {
  if (notifies.empty()) {
    done();
    return;
  }
  notified_ = done;
  step(LinuxCode::event_send, Context::kernel, Delegate<void()>::to<&Thread::send>(*this));
}

void Thread::send() {
  kernel_.platform_->events()->send(cpu->index(), channel);
  notified_();
}

void Thread::block(Time until) {
  wake_at = until;
  cpu->blocked(*this);
}

}  // namespace vecusim
