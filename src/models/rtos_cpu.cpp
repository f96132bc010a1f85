// How a real-time kernel's CPU handles interrupts.
//
//   interrupt → [wfi_exit] → enter → acknowledge ─┬─ take_edges → handled → answered or signalled ─┬─ irq_exit → end
//                                                 └─ expired → ticked, activate … ─────────────────┘
#include "models/rtos_cpu.hpp"

#include "models/rtos_task.hpp"

namespace vecusim {

RtosCpu::RtosCpu(Rtos& kernel, std::size_t index, Cpu& cpu)
    : kernel_(kernel),
      index_(index),
      cpu_(&cpu),
      party_(kernel.simulation_->party(kernel.domain_ + " interrupt handler on CPU " + std::to_string(index))) {
  irq_.level = kRtosIrqLevel;
  irq_.context = Context::irq;
  irq_.inflicts = Wait::queue;
  irq_.party = party_;
  irq_.begin = Delegate<Duration()>::to<&RtosCpu::step_cost>(*this);
  irq_.done = Delegate<void()>::to<&RtosCpu::step_done>(*this);
}

void RtosCpu::start() {
  if (kernel_.tick_period_ > Duration::zero()) tick_due_ = kernel_.expiry(kStart);
  program_timer();
  wait_if_idle();
}

void RtosCpu::step(RtosCode code, Flight* flight, Then then) {
  code_ = code;
  flight_ = flight;
  then_ = then;
  kernel_.enter(flight, code);
  irq_.account = flight == nullptr ? nullptr : &flight->account();
  cpu_->go_on(irq_);
}

// The flight for whose sake the next interrupt is acknowledged; null for the kernel's own interrupts.
Flight* RtosCpu::carried() const {
  const InterruptDevice* device = kernel_.platform_->device(kernel_.platform_->pending(index_));
  return device == nullptr ? nullptr : device->first_latched();
}

void RtosCpu::tell_interrupt() {
  const auto irq = static_cast<std::uint16_t>(kernel_.platform_->pending(index_));
  kernel_.simulation_->trace.emit(Counted{kernel_.simulation_->now(), Count::interrupt, cpu_->id(), irq});
}

void RtosCpu::interrupt() {
  Flight* flight = carried();
  if (busy_) {
    if (flight != nullptr) flight->wait(Wait::queue, party_);
    return;
  }
  busy_ = true;
  tell_interrupt();
  if (cpu_->idle() && kernel_.platform_->halts()) {
    step(RtosCode::wfi_exit, flight, &RtosCpu::enter);
  } else {
    enter(flight);
  }
}

void RtosCpu::enter(Flight* flight) { step(RtosCode::irq_entry, flight, &RtosCpu::acknowledge); }

void RtosCpu::acknowledge(Flight* flight) {
  active_ = kernel_.platform_->acknowledge(index_);
  if (const InterruptDevice* device = kernel_.platform_->device(active_)) {
    if (device->shared()) {
      step(RtosCode::gpio_demux, flight, &RtosCpu::take_edges);
    } else {
      take_edges(flight);
    }
    return;
  }
  // A more urgent interrupt has come since: the flight's own turn is yet to come.
  if (flight != nullptr) flight->wait(Wait::queue, party_);
  if (active_ != kTimerIrq) {
    step(RtosCode::irq_exit, nullptr, &RtosCpu::end);
  } else if (tick_due_ <= kernel_.simulation_->now()) {
    step(RtosCode::tick, nullptr, &RtosCpu::ticked);
  } else {
    expired();
  }
}

// ---- A device's interrupt ----

void RtosCpu::take_edges(Flight*) {
  edges_ = kernel_.platform_->device(active_)->take_latched();
  next_edge_ = 0;
  next_edge(nullptr);
}

void RtosCpu::next_edge(Flight*) {
  if (next_edge_ == edges_.size()) {
    step(RtosCode::irq_exit, nullptr, &RtosCpu::end);
    return;
  }
  for (std::size_t i = next_edge_ + 1; i < edges_.size(); ++i) edges_[i]->wait(Wait::queue, party_);
  step(RtosCode::isr, edges_[next_edge_++], &RtosCpu::handled);
}

void RtosCpu::handled(Flight* flight) {
  flight->pass(Point::kernel);
  if (kernel_.route_of(*flight).task == nullptr) {
    step(RtosCode::answer, flight, &RtosCpu::answered);
  } else {
    step(RtosCode::signal, flight, &RtosCpu::signalled);
  }
}

void RtosCpu::answered(Flight* flight) {
  kernel_.answer(*flight);
  next_edge(nullptr);
}

void RtosCpu::signalled(Flight* flight) {
  if (!kernel_.route_of(*flight).task->activate(flight)) flight->drop(Fate::merged);
  next_edge(nullptr);
}

// ---- The timer ----

void RtosCpu::ticked(Flight*) {
  tick_due_ += kernel_.tick_period_;
  expired();
}

void RtosCpu::expired() {
  if (task_due() != nullptr) {
    step(RtosCode::timer, nullptr, &RtosCpu::activate);
  } else {
    step(RtosCode::irq_exit, nullptr, &RtosCpu::end);
  }
}

RtosTask* RtosCpu::task_due() const {
  for (const auto& task : kernel_.tasks_) {
    if (&task->cpu() == this && kernel_.expiry(task->due()) <= kernel_.simulation_->now()) return task.get();
  }
  return nullptr;
}

void RtosCpu::activate(Flight*) {
  task_due()->activate(nullptr);
  expired();
}

// ---- Back ----

void RtosCpu::end(Flight*) {
  if (active_ == kTimerIrq) program_timer();
  kernel_.platform_->end_of_interrupt(index_, active_);
  if (kernel_.platform_->pending(index_) != kSpurious) {
    tell_interrupt();
    enter(carried());
    return;
  }
  busy_ = false;
  wait_if_idle();
}

void RtosCpu::task_blocked() {
  program_timer();
  if (!busy_) wait_if_idle();
}

void RtosCpu::wait_if_idle() {
  if (cpu_->idle()) kernel_.platform_->idle(index_);
}

void RtosCpu::program_timer() {
  Time due = tick_due_;
  for (const auto& task : kernel_.tasks_) {
    if (&task->cpu() == this) due = std::min(due, kernel_.expiry(task->due()));
  }
  kernel_.platform_->set_timer(index_, due);
}

}  // namespace vecusim
