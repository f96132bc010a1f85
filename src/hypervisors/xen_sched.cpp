// Softirqs, passes through the scheduler, context switches, and the way back to the guest.
//
//   softirqs ─┬─ (interrupts: xen_irq.cpp) ───────────────────────────────────────────────────────────┬─ softirqs
//             ├─ expire_timers → run_timer … → program_comparator ──────────────────────────────┤
//             ├─ decide → decided → switch_begins → saved → load → restored → switch_ends → settled ┘
//             └─ return_to_guest → entered
#include <algorithm>

#include "hypervisors/xen.hpp"

namespace vecusim {

void XenPcpu::start() {
  up_ = true;
  in_xen_ = true;
  softirqs(nullptr);
}

bool XenPcpu::idles() const { return pool_->core().state().current_of(id()) == kIdle; }

// Interrupts are on before each softirq: what is pending is taken first.
void XenPcpu::softirqs(Flight*) {
  if (xen_.board_.gic().pending(index_) != kSpurious) {
    step(XenCode::irq_ack, carried(), carried_stage(), &XenPcpu::dispatch);
  } else if (hypercall_.submitted) {
    in_interrupt_ = false;  // back to the hypercall that was interrupted
  } else if (std::exchange(timer_softirq_, false)) {
    expire_timers(nullptr);
  } else if (std::exchange(schedule_softirq_, false)) {
    step(idles() ? XenCode::schedule : XenCode::schedule_running, xen_.live(wanted_), XenStage::schedule,
         &XenPcpu::decide);
  } else {
    return_to_guest();
  }
}

// ---- TIMER ----

void XenPcpu::expire_timers(Flight*) {
  Flight* flight = timer_flight();
  expired_ = timers_.take_due();
  if (expired_ != nullptr) {
    step(XenCode::timer_expired, flight, XenStage::irq, &XenPcpu::run_timer);
  } else {
    step(XenCode::timer_softirq, xen_.live(wanted_), XenStage::schedule, &XenPcpu::program_comparator);
  }
}

void XenPcpu::run_timer(Flight*) {
  xen_.executing_ = this;
  after_ = &XenPcpu::expire_timers;
  (*expired_)();
  if (!injecting_) send_sgis(nullptr);
}

void XenPcpu::inject_timer(XenVcpu& target) {
  target.timer_due = kNever;
  inject(target, kTimerIrq, target.guest->timer_flight(target.index), &XenPcpu::expire_timers);
}

void XenPcpu::program_comparator(Flight* flight) {
  if (flight != nullptr) flight->wait(Wait::hypervisor, xen_.party_);
  timers_.program();
  softirqs(nullptr);
}

void XenPcpu::comparator() { xen_.board_.gic().raise(index_, kHypTimerIrq); }

void XenPcpu::raise_timer_softirq() {
  if (std::exchange(timer_softirq_, true) || in_xen_ || !up_) return;
  xen_.board_.gic().raise(index_, kEventCheckIrq);
}

void XenPcpu::slice_ended() { request_pass(this); }

// ---- SCHEDULE ----

void XenPcpu::request_pass(XenPcpu* from) {
  if (std::exchange(schedule_softirq_, true) || from == this || from == nullptr) return;
  from->sgis_.push_back(this);
}

void XenPcpu::decide(Flight* flight) {
  const Moment moment = xen_.at(*this);
  SchedCore& core = pool_->core();
  xen_.executing_ = this;
  timers_.stop(slice_);
  previous_ = core.state().current_of(id());
  decision_ = core.decide(moment, id());
  switches_ = core.take_effect(moment, id(), previous_, decision_);
  if (decision_.slice >= HvTime{0}) timers_.set(slice_, xen_.moment_of(moment.now + decision_.slice));
  xen_.simulation_->trace.emit(Counted{xen_.simulation_->now(), Count::decision, cpu_.id()});

  wanted_ = {};
  XenVcpu* next = pool_->vcpu(decision_.unit);
  Flight* chosen = next == nullptr || xen_.waiting(*next).empty() ? nullptr : next->waiting.front().kept.get();
  if (flight != nullptr && flight != chosen) flight->wait(Wait::hypervisor, xen_.party_);  // book_holds() says for what
  step(next == nullptr ? XenCode::pass_idle : XenCode::pass, chosen, XenStage::schedule, &XenPcpu::decided);
}

void XenPcpu::decided(Flight* flight) {
  if (flight != nullptr) flight->wait(Wait::hypervisor, xen_.party_);
  after_ = &XenPcpu::switch_begins;
  wanted_ = Passenger(flight);
  send_sgis(nullptr);
}

void XenPcpu::switch_begins(Flight*) {
  Flight* flight = xen_.live(std::exchange(wanted_, {}));
  if (!switches_) {
    settled(nullptr);
  } else if (previous_ != kIdle) {
    step(XenCode::save, flight, XenStage::schedule, &XenPcpu::saved);
  } else {
    load(flight);
  }
}

void XenPcpu::saved(Flight* flight) {
  XenVcpu& previous = *loaded_;
  guest_timer_.disarm();
  xen_.board_.gic().withdraw(index_, kTimerIrq);
  if (previous.timer_due != kNever) {
    previous.timer = previous.timers[static_cast<std::size_t>(index_)].get();
    previous.timer->set(previous.timer_due);
  }
  previous.loaded = nullptr;
  loaded_ = nullptr;
  tell_loaded();
  load(flight);
}

void XenPcpu::load(Flight* flight) {
  XenVcpu* next = pool_->vcpu(decision_.unit);
  if (next == nullptr) {
    step(XenCode::restore_idle, flight, XenStage::schedule, &XenPcpu::restored);
    return;
  }
  next->cpu.halt(Wait::hypervisor, xen_.party_);
  if (decision_.migrated) {
    xen_.simulation_->trace.emit(Counted{xen_.simulation_->now(), Count::migration, next->cpu.id()});
    xen_.retarget(*next, *this);
    step(XenCode::retarget, flight, XenStage::schedule, &XenPcpu::load_registers);
  } else {
    load_registers(flight);
  }
}

void XenPcpu::load_registers(Flight* flight) {
  step(previous_ == kIdle ? XenCode::restore : XenCode::restore_after, flight, XenStage::schedule, &XenPcpu::restored);
}

void XenPcpu::restored(Flight* flight) {
  xen_.simulation_->trace.emit(Counted{xen_.simulation_->now(), Count::context_switch, cpu_.id()});
  loaded_ = pool_->vcpu(decision_.unit);
  if (loaded_ != nullptr) {
    loaded_->loaded = this;
    tell_loaded();
    if (loaded_->timer != nullptr) std::exchange(loaded_->timer, nullptr)->stop();
    program_guest_timer();
  }
  if (previous_ != kIdle) {
    xen_.executing_ = this;
    pool_->core().switched_out(xen_.at(*this), previous_);
  }
  const bool requeues = previous_ != kIdle && pool_->core().runnable(previous_);
  const XenCode to_vcpu = previous_ == kIdle ? XenCode::switched : XenCode::switched_after;
  step(loaded_ == nullptr ? XenCode::switched_idle : to_vcpu, flight, XenStage::schedule,
       requeues ? &XenPcpu::requeue : &XenPcpu::switch_ends);
}

void XenPcpu::tell_loaded() {
  const auto vcpu = loaded_ == nullptr ? std::nullopt : std::optional(loaded_->cpu.id());
  xen_.simulation_->trace.emit(Loaded{xen_.simulation_->now(), CpuId{static_cast<std::uint16_t>(index_)}, vcpu});
}

void XenPcpu::requeue(Flight* flight) { step(XenCode::requeue, flight, XenStage::schedule, &XenPcpu::switch_ends); }

void XenPcpu::switch_ends(Flight* flight) {
  if (flight != nullptr) flight->wait(Wait::hypervisor, xen_.party_);
  after_ = &XenPcpu::settled;
  send_sgis(nullptr);
}

void XenPcpu::settled(Flight*) {
  pool_->book_holds();
  softirqs(nullptr);
}

// ---- Back ----

void XenPcpu::return_to_guest() {
  wanted_ = {};  // the flight needed no pass
  if (loaded_ != nullptr) {
    take_along();
    return;
  }
  in_xen_ = false;
  asleep_ = true;
  if (xen_.board_.gic().pending(index_) != kSpurious) interrupted();
}

// All that wait for this guest enter it together; one of them is served meanwhile.
void XenPcpu::take_along() {
  Flight* first = nullptr;
  for (const Passenger& passenger : xen_.waiting(*loaded_)) {
    Flight* const flight = passenger.kept.get();
    if (first == nullptr) {
      first = flight;
      continue;
    }
    flight->enter(xen_.stage_of(*flight, XenStage::enter));
    flight->wait(Wait::hypervisor, xen_.party_);
  }
  times_ = loaded_->vgic.registers_to_write();
  if (times_ == 0) {
    enter_guest(first);
  } else {
    step(XenCode::enter_register, first, XenStage::enter, &XenPcpu::enter_guest);
  }
}

void XenPcpu::enter_guest(Flight* flight) {
  times_ = 1;
  step(XenCode::enter_guest, flight, XenStage::enter, &XenPcpu::entered);
}

void XenPcpu::entered(Flight* flight) {
  if (flight != nullptr) flight->wait(Wait::hypervisor, xen_.party_);
  in_xen_ = false;
  loaded_->vgic.sync_to();
  if (xen_.board_.gic().pending(index_) != kSpurious) {
    interrupted();
    return;
  }
  XenVcpu& vcpu = *loaded_;
  if (vcpu.line.chars > 0) {
    print_on();
    return;
  }
  std::erase_if(vcpu.waiting, [&](const Passenger& p) { return !vcpu.vgic.overflowed(p.irq); });
  for (const Passenger& left : xen_.waiting(vcpu)) left.kept.get()->wait(Wait::queue, vcpu.party);
  if (vcpu.vgic.pending() != kSpurious) {
    vcpu.wfi = false;
    vcpu.guest->interrupt(vcpu.index);
  }
  vcpu.cpu.resume();
  if (vcpu.wfi && vcpu.cpu.idle()) guest_waits();
}

void XenPcpu::guest_waits() {
  if (in_xen_) return;  // it will find out when it gets here
  if (xen_.traps_wfi()) {
    trap_wfi();
  } else {
    asleep_ = true;
  }
}

// ---- The guest's timer ----

void XenPcpu::program_guest_timer() {
  if (loaded_->timer_due == kNever) {
    guest_timer_.disarm();
  } else {
    guest_timer_.arm_at(loaded_->timer_due);
  }
}

void XenPcpu::guest_timer_expired() { xen_.board_.gic().raise(index_, kTimerIrq); }

}  // namespace vecusim
