// Which thread a Linux CPU runs: FIFO and RR by priority, then the fair class by virtual run time.
//
// Constants of the fair class (Linux 5.10): latency 6 ms, minimum granularity 0.75 ms, wake-up granularity 1 ms, each
// times 1 + floor(log2(CPUs)). All threads have the default weight, so virtual run time is run time. A CPU's own
// scheduler is not simulated by its costs here: what a switch costs is LinuxCode::schedule. RT throttling: real-time
// threads have each CPU for sched_rt_runtime_us of a second that begins with the first of them. The kernel looks at
// that at ticks; here the time is exact.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "models/linux.hpp"

namespace vecusim {

namespace {

constexpr Duration kLatency = 6ms;
constexpr Duration kMinimumGranularity = 750us;
constexpr Duration kWakeupGranularity = 1ms;
constexpr Duration kRoundRobin = 100ms;
constexpr Duration::rep kLatencyThreads = 8;  // with more, the period grows by the minimum granularity for each

Duration scaled(Duration base, std::size_t cpus) { return base * std::bit_width(cpus); }

bool realtime(const Thread& thread) { return thread.policy != TaskPolicy::other; }

}  // namespace

bool LinuxCpu::precedes(const Thread& a, const Thread& b) const {
  if (realtime(a) != realtime(b)) return realtime(a);
  if (!realtime(a)) return a.vruntime < b.vruntime;
  if (a.priority != b.priority) return a.priority > b.priority;
  return b.turn_over && !a.turn_over;
}

bool LinuxCpu::may_run(const Thread& thread) const { return !throttled_ || !realtime(thread); }

// The first of the best; the running one before its equals.
Thread* LinuxCpu::best() const {
  Thread* best = current_ != nullptr && may_run(*current_) ? current_ : nullptr;
  for (Thread* thread : queue_) {
    if (!may_run(*thread)) continue;
    if (best == nullptr || precedes(*thread, *best)) best = thread;
  }
  return best;
}

// A sleeper gets credit for at most half a latency, so that it leads but does not starve the others.
void LinuxCpu::place(Thread& thread) {
  const Duration own = thread.vruntime + (min_vruntime_ - thread.cpu->min_vruntime_);
  thread.vruntime = std::max(own, min_vruntime_ - scaled(kLatency, kernel_.cpus_.size()) / 2);
  thread.cpu = this;
}

void LinuxCpu::set_state(Thread& thread, Thread::State state) {
  thread.state = state;
  if (!thread.vcpu) return;
  constexpr std::array kRunstateOf = {Runstate::blocked, Runstate::runnable, Runstate::running};
  kernel_.simulation_->trace.emit(
      Scheduled{kernel_.simulation_->now(), *thread.vcpu, kRunstateOf[static_cast<std::size_t>(state)], cpu_->id()});
}

bool LinuxCpu::enqueue_woken(Thread& thread) {
  charge();
  place(thread);
  set_state(thread, Thread::State::runnable);
  thread.fresh = true;
  thread.turn_over = false;
  queue_.push_back(&thread);
  if (!may_run(thread)) return false;
  if (current_ == nullptr) return true;
  if (needs_tick()) go_on_ticking();
  if (realtime(thread)) return precedes(thread, *current_);
  if (realtime(*current_)) return false;
  return current_->vruntime - thread.vruntime > scaled(kWakeupGranularity, kernel_.cpus_.size());
}

void LinuxCpu::charge() {
  const Time now = kernel_.simulation_->now();
  const Duration ran = now - charged_;
  charged_ = now;
  if (current_ == nullptr) return;
  current_->turn += ran;
  if (realtime(*current_)) {
    rt_time_ += ran;
    return;
  }
  current_->vruntime += ran;
  Duration least = current_->vruntime;
  for (const Thread* thread : queue_) {
    if (!realtime(*thread)) least = std::min(least, thread->vruntime);
  }
  min_vruntime_ = std::max(min_vruntime_, least);
}

void LinuxCpu::decide() {
  need_resched_ = true;
  if (irq_busy_ || in_softirq() || held_.armed() || held_off()) return;
  choose();
}

// Whether the running thread executes in the kernel where it cannot be preempted yet; then the decision comes later.
bool LinuxCpu::held_off() {
  if (current_ == nullptr || !current_->work.submitted) return false;
  if (current_->work.context != Context::kernel && current_->work.context != Context::softirq) return false;
  if (best() == current_) return false;
  if (current_->work.level == kMaskedLevel) return true;  // until it is over
  const Preempt preempt = kernel_.config_.preempt;
  if (preempt == Preempt::none) return true;  // until the thread's next step in user mode
  const double share = kernel_.preempt_off_share_[static_cast<std::size_t>(preempt)];
  const double u = held_stream_.uniform();
  if (u <= 1.0 - share) return false;
  held_.arm_in(kernel_.preempt_off_[static_cast<std::size_t>(preempt)].quantile((u - (1.0 - share)) / share));
  book_waits();
  return true;
}

void LinuxCpu::held_over() {
  if (irq_busy_ || in_softirq()) return;  // the decision follows when they are done
  choose();
}

void LinuxCpu::choose() {
  need_resched_ = false;
  charge();
  if (best() == nullptr) pull();
  Thread* next = best();
  if (next == nullptr) {
    if (current_ != nullptr) stop_running();  // its kind has had its time
    go_idle();
  } else if (next != current_) {
    switch_to(*next);
  }
}

// The tick stays for now: the next one finds the CPU idle and is the last one (leave()). Seen in traces of Linux 6.1,
// whose CPUs have one more tick after each time they have run something.
void LinuxCpu::go_idle() {
  program_timer();
  book_waits();
  kernel_.platform_->idle(index_);
}

// An idle CPU takes a waiting thread from the CPU with the most of them.
void LinuxCpu::pull() {
  if (isolated_) return;
  LinuxCpu* busiest = nullptr;
  for (const auto& other : kernel_.cpus_) {
    if (other.get() != this && !other->isolated_ &&
        (busiest == nullptr || other->queue_.size() > busiest->queue_.size()))
      busiest = other.get();
  }
  if (busiest == nullptr) return;
  const auto movable = std::find_if(busiest->queue_.begin(), busiest->queue_.end(), [&](Thread* thread) {
    const bool told = thread->flight() != nullptr && thread->flight() == busiest->ipi_for_;  // its IPI is on its way
    return thread->may_run_on(index_) && busiest->current_ != nullptr && busiest->may_run(*thread) && !told;
  });
  if (movable == busiest->queue_.end()) return;
  Thread* thread = *movable;
  busiest->queue_.erase(movable);
  place(*thread);
  queue_.push_back(thread);
}

void LinuxCpu::stop_running() {
  held_.disarm();
  rt_budget_.disarm();
  cpu_->withdraw(switch_);
  if (current_ != nullptr) put_back(*std::exchange(current_, nullptr));
}

void LinuxCpu::switch_to(Thread& next) {
  stop_running();
  current_ = &next;
  std::erase(queue_, &next);
  set_state(next, Thread::State::running);
  next.turn = Duration::zero();
  kernel_.simulation_->trace.emit(Counted{kernel_.simulation_->now(), Count::context_switch, cpu_->id()});
  if (realtime(next)) start_budget();
  restarts_tick_ = tick_due_ == kNever && needs_tick();
  if (restarts_tick_) go_on_ticking();
  switch_.party = next.party();
  switch_.account = nullptr;
  if (next.fresh && !next.free_switch && next.flight() != nullptr) {
    if (ipi_for_ == next.flight()) ipi_for_ = nullptr;  // the IPI is not needed any more
    kernel_.enter(next.flight(), LinuxCode::schedule);
    switch_.account = &next.flight()->account();
  }
  cpu_->submit(switch_);
  book_waits();
}

// A preempted thread: a real-time one stays ahead of its equals, unless its turn is over.
void LinuxCpu::put_back(Thread& thread) {
  cpu_->withdraw(thread.work);
  set_state(thread, Thread::State::runnable);
  put_away_ = thread.put_away();
  queue_.insert(realtime(thread) && !thread.turn_over ? queue_.begin() : queue_.end(), &thread);
  thread.turn_over = false;
}

Duration LinuxCpu::switch_cost() {
  Duration cost = current_->free_switch ? Duration::zero() : kernel_.execute(index_, LinuxCode::schedule);
  cost += std::exchange(put_away_, Duration::zero());
  if (std::exchange(restarts_tick_, false)) cost += kernel_.execute(index_, LinuxCode::tick_restart);
  return cost;
}

void LinuxCpu::switched() {
  if (current_->fresh) {
    current_->fresh = false;
    current_->woken();
  } else {
    cpu_->submit(current_->work);
  }
}

void LinuxCpu::submit(Thread& thread) {
  const bool may_preempt = kernel_.config_.preempt != Preempt::none || thread.work.context == Context::user;
  if (need_resched_ && may_preempt) decide();
  if (current_ == &thread) cpu_->submit(thread.work);
}

void LinuxCpu::blocked(Thread& thread) {
  charge();
  held_.disarm();
  rt_budget_.disarm();
  set_state(thread, Thread::State::blocked);
  current_ = nullptr;
  program_timer();
  choose();
}

void LinuxCpu::book_waits() {
  for (Thread* thread : queue_) {
    Flight* const flight = thread->flight();
    Cpu* const carried = thread->carried();
    if (flight == nullptr && carried == nullptr) continue;
    const Party party = current_ != nullptr ? current_->party() : irq_party_;
    Wait kind = current_ != nullptr ? Wait::thread : Wait::queue;
    if (held_.armed()) kind = Wait::masked;
    if (!may_run(*thread)) kind = Wait::budget;
    if (flight != nullptr) flight->wait(kind, party);
    if (carried != nullptr) carried->halt(kind, party);
  }
}

// What is left of this period's, or all of a period that begins now.
void LinuxCpu::start_budget() {
  if (kernel_.config_.sched_rt_runtime_us < 0) return;
  const Time now = kernel_.simulation_->now();
  if (now >= rt_period_end_) {
    rt_time_ = Duration::zero();
    rt_period_end_ = now + kRtPeriod;
  }
  rt_budget_.arm_in(std::max(kernel_.config_.sched_rt_runtime_us * 1us - rt_time_, Duration::zero()));
}

void LinuxCpu::budget_used() {
  charge();
  const Time now = kernel_.simulation_->now();
  if (now >= rt_period_end_) {  // what came after the period's end is of the next one
    rt_time_ = now - rt_period_end_;
    rt_period_end_ += kRtPeriod;
    start_budget();
    return;
  }
  throttled_ = true;
  program_timer();
  decide();
}

void LinuxCpu::replenish() {
  if (!throttled_ || rt_period_end_ > kernel_.simulation_->now()) return;
  throttled_ = false;
  need_resched_ = true;
}

// One thread alone needs no tick where the kernel may do without.
bool LinuxCpu::needs_tick() const { return !nohz_full_ || !queue_.empty(); }

void LinuxCpu::go_on_ticking() {
  if (tick_due_ != kNever) return;
  tick_due_ = next_tick();
  program_timer();
}

void LinuxCpu::account_tick() {
  charge();
  tick_due_ = needs_tick() ? next_tick() : kNever;
  tick_found_idle_ = current_ == nullptr;
  if (tick_found_idle_) return;
  if (current_->policy == TaskPolicy::rr && current_->turn >= kRoundRobin) {
    current_->turn_over = true;
    if (best() != current_) need_resched_ = true;
    current_->turn = Duration::zero();
    return;
  }
  if (realtime(*current_) || queue_.empty()) return;
  const auto threads = static_cast<Duration::rep>(queue_.size()) + 1;
  const Duration granularity = scaled(kMinimumGranularity, kernel_.cpus_.size());
  const Duration period = threads > kLatencyThreads ? granularity * threads : scaled(kLatency, kernel_.cpus_.size());
  const Duration ideal = period / threads;
  const Thread* first = best();
  const bool lags = current_->turn >= granularity && current_->vruntime - first->vruntime > ideal;
  if (first != current_ && (current_->turn > ideal || lags)) need_resched_ = true;
}

Time LinuxCpu::next_tick() const { return kernel_.tick_from(kernel_.simulation_->now() + Duration{1}); }

Time Linux::tick_from(Time time) const {
  const Duration since = time - kStart - tick_phase_;
  const Duration::rep ticks = since <= Duration::zero() ? 0 : (since - Duration{1}) / tick_period_ + 1;
  return kStart + tick_phase_ + ticks * tick_period_;
}

void LinuxCpu::program_timer() {
  Time due = throttled_ ? std::min(tick_due_, rt_period_end_) : tick_due_;
  for (const auto& thread : kernel_.threads_) {
    if (thread->cpu == this && thread->wake_at != kNever) due = std::min(due, thread->wake_at + thread->slack);
  }
  kernel_.platform_->set_timer(index_, due);
}

}  // namespace vecusim
