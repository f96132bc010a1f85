// How a Linux CPU handles interrupts: a chain of pieces of code, each naming the function that follows it.
//
//   interrupt → [wfi_exit] → enter → acknowledge → dispatch ─┬─ take_edges → handled → … ─┬─ end → next or leave
//                                                            ├─ expired → ticked ─────────┤
//                                                            └─ (reschedule) ─────────────┘
#include <algorithm>
#include <bit>
#include <utility>

#include "models/linux.hpp"
#include "models/linux_softirq.hpp"
#include "models/linux_tasks.hpp"

namespace vecusim {

namespace {
bool contains(const std::vector<std::int64_t>& cpus, std::size_t index) {
  return std::find(cpus.begin(), cpus.end(), static_cast<std::int64_t>(index)) != cpus.end();
}
}  // namespace

LinuxCpu::LinuxCpu(Linux& kernel, std::size_t index, Cpu& cpu, CostTable& costs)
    : kernel_(kernel),
      index_(index),
      cpu_(&cpu),
      irq_party_(kernel.party("interrupt handler on CPU " + std::to_string(index))),
      tick_party_(kernel.party("tick on CPU " + std::to_string(index))),
      masked_party_(kernel.party("section with interrupts off on CPU " + std::to_string(index))),
      softirq_party_(kernel.party("timer softirq on CPU " + std::to_string(index))),
      isolated_(contains(kernel.config_.isolcpus, index)),
      nohz_full_(contains(kernel.config_.nohz_full, index)),
      windows_(*kernel.simulation_, kernel.domain_ + "/" + std::to_string(index) + "#masked",
               costs.number("linux.masked_windows", "per_s"),
               costs.law("linux.masked_window").scaled(kernel.platform_->slowdown())),
      softirq_stream_(kernel.simulation_->stream(kernel.domain_ + "/" + std::to_string(index) + "#softirq")),
      ksoftirqd_(std::make_unique<Ksoftirqd>(kernel, *this)),
      rt_budget_(kernel.simulation_->queue, Delegate<void()>::to<&LinuxCpu::budget_used>(*this)),
      held_(kernel.simulation_->queue, Delegate<void()>::to<&LinuxCpu::held_over>(*this)),
      held_stream_(kernel.simulation_->stream(kernel.domain_ + "/" + std::to_string(index) + "#preempt off")) {
  irq_.level = kIrqLevel;
  irq_.context = Context::irq;
  irq_.inflicts = Wait::queue;
  irq_.begin = Delegate<Duration()>::to<&LinuxCpu::step_cost>(*this);
  irq_.done = Delegate<void()>::to<&LinuxCpu::step_done>(*this);
  softirq_.level = kSoftirqLevel;
  softirq_.context = Context::softirq;
  softirq_.inflicts = Wait::queue;
  softirq_.party = softirq_party_;
  softirq_.done = Delegate<void()>::to<&LinuxCpu::softirq_done>(*this);
  masked_.level = kMaskedLevel;
  masked_.context = Context::kernel;
  masked_.inflicts = Wait::masked;
  masked_.party = masked_party_;
  poll_ = softirq_;
  poll_.party = kernel.party("network softirq on CPU " + std::to_string(index_));
  poll_.begin = Delegate<Duration()>::to<&LinuxCpu::poll_cost>(*this);
  poll_.done = Delegate<void()>::to<&LinuxCpu::polled>(*this);
  stall_.level = kMaskedLevel;
  stall_.context = Context::kernel;
  stall_.inflicts = Wait::masked;
  switch_.level = kThreadLevel;
  switch_.context = Context::kernel;
  switch_.inflicts = Wait::thread;
  switch_.begin = Delegate<Duration()>::to<&LinuxCpu::switch_cost>(*this);
  switch_.done = Delegate<void()>::to<&LinuxCpu::switched>(*this);
}

LinuxCpu::~LinuxCpu() = default;

void LinuxCpu::step(LinuxCode code, Flight* flight, Then then) {
  code_ = code;
  flight_ = flight;
  then_ = then;
  kernel_.enter(flight, code);
  irq_.party = code == LinuxCode::tick ? tick_party_ : irq_party_;
  irq_.account = flight == nullptr ? nullptr : &flight->account();
  cpu_->go_on(irq_);
}

Duration LinuxCpu::step_cost() {
  if (handler_ != nullptr) return handler_->begin(*this);
  if (code_ == LinuxCode::logic_c) {
    return kernel_.platform_->execute(index_, kernel_.route_of(*flight_).logic, kernel_.path_of(code_));
  }
  Duration cost = kernel_.execute(index_, code_);
  if (code_ != LinuxCode::tick_catch_up) return cost;
  for (; wheel_levels_ > 0; --wheel_levels_) cost += kernel_.execute(index_, LinuxCode::wheel_level);
  return cost;
}

void LinuxCpu::step_done() { (this->*then_)(flight_); }

// The flight for whose sake the next interrupt is acknowledged; null for the kernel's own interrupts.
Flight* LinuxCpu::carried() const {
  const IrqId next = kernel_.platform_->pending(index_);
  if (next == kRescheduleIrq) return ipi_for_;
  if (next == kTimerIrq) return timer_flight();
  const InterruptDevice* device = kernel_.platform_->device(next);
  return device == nullptr ? nullptr : device->first_latched();
}

void LinuxCpu::tell_interrupt(IrqId irq) {
  kernel_.simulation_->trace.emit(
      Counted{kernel_.simulation_->now(), Count::interrupt, cpu_->id(), static_cast<std::uint16_t>(irq)});
}

void LinuxCpu::interrupt() {
  Flight* flight = carried();
  if (printer_ != Party::nobody) {
    if (flight != nullptr) flight->wait(Wait::masked, printer_);
    return;
  }
  if (irq_busy_) {
    if (flight != nullptr) flight->wait(Wait::queue, irq_party_);
    return;
  }
  irq_busy_ = true;
  const IrqId irq = kernel_.platform_->pending(index_);
  tell_interrupt(irq);
  const bool asleep = cpu_->idle() && kernel_.platform_->halts();
  // For whose sake it leaves what it does is decided here, whatever else comes meanwhile.
  const bool ipi = irq == kRescheduleIrq;
  const Then then = ipi ? &LinuxCpu::enter_by_ipi : &LinuxCpu::enter;
  if (kernel_.platform_->in_guest(index_)) {  // whatever a guest masks, it is not the host's interrupts
    step(ipi ? LinuxCode::ipi_guest_exit : LinuxCode::guest_exit, flight, then);
    kernel_.platform_->leave_guest(index_);
    return;
  }
  mask();
  if (!asleep) {
    (this->*then)(flight);
  } else {
    step(ipi ? LinuxCode::ipi_wfi_exit : LinuxCode::wfi_exit, flight, then);
  }
}

// Interrupts may be off at this moment: then what is left of that section comes first.
void LinuxCpu::mask() {
  const Duration left = windows_.residual();
  if (left == Duration::zero() || masked_.submitted) return;
  masked_.demand = left;
  cpu_->submit(masked_);
}

void LinuxCpu::stall(Duration time, Party on_behalf_of) {
  cpu_->withdraw(stall_);  // one more before the last one is over: both
  stall_.demand += time;
  stall_.party = on_behalf_of;
  cpu_->submit(stall_);
}

// The console's driver holds its lock with interrupts off, in the context of whoever prints.
void LinuxCpu::print(Thread& thread, std::int64_t chars, Delegate<void()> done) {
  printer_ = thread.party();
  printed_ = done;
  kernel_.platform_->print(index_, {chars, printer_, thread.flight(), Delegate<void()>::to<&LinuxCpu::printed>(*this)});
}

void LinuxCpu::printed() {
  printer_ = Party::nobody;
  printed_();
}

void LinuxCpu::enter(Flight* flight) { step(LinuxCode::irq_entry, flight, &LinuxCpu::catch_up); }

// Entry and acknowledgement in one.
void LinuxCpu::enter_by_ipi(Flight* flight) { step(LinuxCode::ipi_entry, flight, &LinuxCpu::dispatch); }

// While the tick is stopped nobody counts; who comes then brings the kernel's time up to date. Where it is stopped
// while threads run, another CPU does.
void LinuxCpu::catch_up(Flight* flight) {
  const Duration::rep missed = tick_due_ == kNever && !nohz_full_ ? kernel_.missed_ticks() : 0;
  if (missed <= 0 || !kernel_.catches_up_) {
    acknowledge(flight);
    return;
  }
  kernel_.accounted_ticks_ += missed;
  // Linux keeps timers in levels, each eight times as coarse as the one before it.
  wheel_levels_ = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(missed)) - 1) / 3;
  raise_softirq(kernel_.catch_up_softirq_);
  step(LinuxCode::tick_catch_up, flight, &LinuxCpu::acknowledge);
}

void LinuxCpu::acknowledge(Flight* flight) { step(LinuxCode::irq_ack, flight, &LinuxCpu::dispatch); }

void LinuxCpu::dispatch(Flight* flight) {
  const IrqId irq = kernel_.platform_->acknowledge(index_);
  active_ = static_cast<std::uint16_t>(irq);
  if (const InterruptDevice* device = kernel_.platform_->device(irq)) {
    Flight* own = device->first_latched();
    if (flight != nullptr && flight != own) flight->wait(Wait::queue, irq_party_);
    if (device->shared()) {
      step(Linux::demux_of(irq), own, &LinuxCpu::take_edges);
    } else {
      take_edges(own);
    }
    return;
  }
  // A more urgent interrupt has come since: the flight's own turn is yet to come.
  if (flight != nullptr) flight->wait(Wait::queue, irq_party_);
  if (irq == kTimerIrq) {
    expired(nullptr);  // takes up the flight whose timer it was
    return;
  }
  if (irq == kRescheduleIrq) {
    ipi_for_ = nullptr;
    need_resched_ = true;
  }
  end();
}

void LinuxCpu::take_edges(Flight*) {
  edges_ = kernel_.platform_->device(IrqId{active_})->take_latched();
  next_edge_ = 0;
  next_edge(nullptr);
}

void LinuxCpu::next_edge(Flight*) {
  if (next_edge_ == edges_.size()) {
    next_signal();
    return;
  }
  for (std::size_t i = next_edge_ + 1; i < edges_.size(); ++i) edges_[i]->wait(Wait::queue, irq_party_);
  step(LinuxCode::irq_handler, edges_[next_edge_++], &LinuxCpu::handled);
}

// Handlers that no flight is about: those of network devices and channels.
void LinuxCpu::next_signal() {
  handler_ = kernel_.platform_->device(IrqId{active_})->take_signal();
  if (handler_ == nullptr) {
    end();
  } else {
    run_handler();
  }
}

void LinuxCpu::run_handler() {
  flight_ = nullptr;
  then_ = &LinuxCpu::handler_done;
  irq_.party = irq_party_;
  irq_.account = nullptr;
  cpu_->go_on(irq_);
}

void LinuxCpu::handler_done(Flight*) {
  if (handler_->done(*this) == NetJob::Next::piece) {
    run_handler();
  } else {
    next_signal();
  }
}

void LinuxCpu::handled(Flight* flight) {
  LinuxRoute& route = kernel_.route_of(*flight);
  if (!route.relays) flight->pass(Point::kernel);
  if (route.first == nullptr) {
    step(route.relays ? logic_of(route.task) : LinuxCode::answer_mmap, flight, &LinuxCpu::answered);
    return;
  }
  if (route.thread != nullptr) {
    if (Thread* sleeper = route.thread->take(*flight)) kernel_.wake(*sleeper, *this, flight);
    next_edge(nullptr);
    return;
  }
  wake(route.first->take(*flight), flight);
}

void LinuxCpu::answered(Flight* flight) { wake(kernel_.answer(*flight, index_), flight); }

// The handler wakes a thread, if there is one to wake, and is done with its flight.
void LinuxCpu::wake(Thread* sleeper, Flight* flight) {
  to_wake_ = sleeper;
  if (sleeper == nullptr) {
    next_edge(nullptr);
  } else {
    step(LinuxCode::wake, flight, &LinuxCpu::woke);
  }
}

void LinuxCpu::woke(Flight* flight) {
  kernel_.wake(*to_wake_, *this, flight);
  next_edge(nullptr);
}

// The CPU's timer: threads whose sleep is over and the tick, in the order of their times. A tick that was due at the
// same time has been waiting for longer.
void LinuxCpu::expired(Flight*) {
  replenish();
  const Thread* sleeper = sleeper_due();
  if (tick_due_ <= (sleeper == nullptr ? kernel_.simulation_->now() : sleeper->wake_at)) {
    if (sleeper != nullptr && sleeper->timed_flight() != nullptr)
      sleeper->timed_flight()->wait(Wait::queue, tick_party_);
    step(LinuxCode::tick, nullptr, &LinuxCpu::ticked);
  } else if (sleeper != nullptr) {
    step(LinuxCode::timer, sleeper->timed_flight(), &LinuxCpu::timer_handled);
  } else {
    end();
  }
}

// The one whose sleep was over first.
Thread* LinuxCpu::sleeper_due() const {
  Thread* first = nullptr;
  for (const auto& thread : kernel_.threads_) {
    if (thread->cpu != this || thread->wake_at > kernel_.simulation_->now()) continue;
    if (first == nullptr || thread->wake_at < first->wake_at) first = thread.get();
  }
  return first;
}

Flight* LinuxCpu::timer_flight() const {
  const Thread* sleeper = sleeper_due();
  return sleeper == nullptr ? nullptr : sleeper->timed_flight();
}

void LinuxCpu::timer_handled(Flight* flight) {
  // In the meantime somebody else may have woken it.
  to_wake_ = sleeper_due();
  if (to_wake_ == nullptr || !to_wake_->timer_expired(flight)) {
    expired(nullptr);
    return;
  }
  if (flight == nullptr) {
    wake_sleeper(nullptr);
    return;
  }
  if (!kernel_.route_of(*flight).relays) flight->pass(Point::kernel);
  step(LinuxCode::wake, flight, &LinuxCpu::wake_sleeper);
}

void LinuxCpu::wake_sleeper(Flight* flight) {
  kernel_.wake(*to_wake_, *this, flight);
  expired(nullptr);
}

void LinuxCpu::ticked(Flight*) {
  kernel_.accounted_ticks_ = kernel_.ticks();
  account_tick();
  raise_softirq(kernel_.tick_softirq_);
  expired(nullptr);
}

// The interrupt is done; the next one follows, or the return to what was interrupted.
void LinuxCpu::end() {
  if (active_ == static_cast<std::uint16_t>(kTimerIrq)) program_timer();
  kernel_.platform_->end_of_interrupt(index_, IrqId{active_});
  const IrqId next = kernel_.platform_->pending(index_);
  if (next != kSpurious) {
    tell_interrupt(next);
    // A reschedule interrupt costs no code of its flight here: it is taken along.
    step(LinuxCode::irq_ack, next == kRescheduleIrq ? nullptr : carried(), &LinuxCpu::dispatch);
    return;
  }
  irq_busy_ = false;
  if (!in_softirq()) leave();
}

// Nothing more to handle: back to the thread, or to the one that should run instead.
void LinuxCpu::leave() {
  if (need_resched_) {
    decide();
  } else if (idle()) {
    if (std::exchange(tick_found_idle_, false)) {
      tick_due_ = kNever;
      program_timer();
    }
    kernel_.platform_->idle(index_);
  }
}

void LinuxCpu::expect_ipi(Flight* flight) {
  if (ipi_for_ == nullptr) ipi_for_ = flight;
}

}  // namespace vecusim
