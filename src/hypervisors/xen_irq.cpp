// Into Xen: interrupts and traps, and the injection of virtual interrupts.
//
//   interrupted → [leave_wfi] → acknowledge → dispatch ─┬─ own_timer, guest_timer, event ──────────────┬─
//   next_interrupt or
//                                                       └─ guest_interrupt → injected → [wake_target] ─┘  softirqs
#include <algorithm>

#include "hypervisors/xen.hpp"

namespace vecusim {

XenPcpu::XenPcpu(Xen& xen, PcpuIndex index)
    : xen_(xen),
      index_(index),
      cpu_(xen.simulation_->queue, xen.simulation_->trace, CpuId{static_cast<std::uint16_t>(index)}),
      timers_(*xen.simulation_, xen.config_.timer_slop, Delegate<void()>::to<&XenPcpu::comparator>(*this),
              Delegate<void()>::to<&XenPcpu::raise_timer_softirq>(*this)),
      slice_(timers_.add(Delegate<void()>::to<&XenPcpu::slice_ended>(*this))),
      guest_timer_(xen.simulation_->queue, Delegate<void()>::to<&XenPcpu::guest_timer_expired>(*this)) {
  work_.context = Context::hypervisor;
  work_.inflicts = Wait::hypervisor;
  work_.party = xen.party_;
  work_.begin = Delegate<Duration()>::to<&XenPcpu::step_cost>(*this);
  work_.done = Delegate<void()>::to<&XenPcpu::step_done>(*this);
  xen.board_.gic().connect(index, Delegate<void()>::to<&XenPcpu::interrupted>(*this));
}

void XenPcpu::enter_xen() {
  in_xen_ = true;
  if (loaded_ != nullptr) loaded_->cpu.halt(Wait::hypervisor, xen_.party_);
}

void XenPcpu::step(XenCode code, Flight* flight, XenStage stage, Then then) {
  code_ = code;
  flight_ = flight;
  then_ = then;
  if (flight != nullptr) flight->enter(xen_.stage_of(*flight, stage));
  work_.account = flight == nullptr ? nullptr : &flight->account();
  cpu_.go_on(work_);
}

Duration XenPcpu::step_cost() {
  return xen_.board_.core(index_).execute(xen_.costs_[code_], xen_.paths_[static_cast<std::size_t>(code_)]);
}

void XenPcpu::step_done() { (this->*then_)(flight_); }

// ---- Interrupts ----

// The flight for whose sake the next interrupt is taken, and the stage it is in meanwhile.
Flight* XenPcpu::carried() const {
  const IrqId next = xen_.board_.gic().pending(index_);
  if (next == kEventCheckIrq) return sgi_flight_;
  const InterruptDevice* device = xen_.board_.device(next);
  return device == nullptr ? nullptr : device->first_latched();
}

XenStage XenPcpu::carried_stage() const {
  return xen_.board_.gic().pending(index_) == kEventCheckIrq ? XenStage::sgi : XenStage::irq;
}

void XenPcpu::interrupted() {
  if (!up_) return;
  Flight* flight = carried();
  if (in_xen_) {
    if (flight != nullptr) flight->wait(Wait::hypervisor, xen_.party_);
    return;
  }
  enter_xen();
  if (std::exchange(asleep_, false)) {
    step(XenCode::wfi_exit, flight, carried_stage(), &XenPcpu::leave_wfi);
  } else {
    leave_wfi(flight);
  }
}

void XenPcpu::leave_wfi(Flight* flight) {
  step(loaded_ == nullptr ? XenCode::exit_idle : XenCode::exit_guest, flight, carried_stage(), &XenPcpu::acknowledge);
}

void XenPcpu::acknowledge(Flight* flight) { step(XenCode::irq_ack, flight, carried_stage(), &XenPcpu::dispatch); }

void XenPcpu::dispatch(Flight* flight) {
  active_ = xen_.board_.gic().acknowledge(index_);
  if (xen_.owner_of(active_) != nullptr) {
    step(XenCode::irq_spi, flight, XenStage::irq, &XenPcpu::guest_interrupt);
    return;
  }
  if (active_ == kEventCheckIrq) {
    if (flight != nullptr && flight != sgi_flight_) flight->wait(Wait::hypervisor, xen_.party_);
    step(XenCode::irq_event, std::exchange(sgi_flight_, nullptr), XenStage::sgi, &XenPcpu::event);
    return;
  }
  // A more urgent interrupt has come since: the flight's own turn is yet to come.
  if (flight != nullptr) flight->wait(Wait::hypervisor, xen_.party_);
  if (active_ == kHypTimerIrq) {
    step(XenCode::irq_timer, nullptr, XenStage::irq, &XenPcpu::own_timer);
  } else if (active_ == kTimerIrq) {
    step(XenCode::irq_vtimer, nullptr, XenStage::irq, &XenPcpu::guest_timer);
  } else {
    softirqs(nullptr);
  }
}

void XenPcpu::own_timer(Flight*) {
  xen_.board_.gic().end(index_, active_);
  timer_softirq_ = true;
  next_interrupt(nullptr);
}

void XenPcpu::guest_timer(Flight*) {
  xen_.board_.gic().end(index_, active_);
  if (loaded_ == nullptr) {
    next_interrupt(nullptr);
    return;
  }
  loaded_->timer_due = kNever;  // masked until the guest sets it again
  inject(*loaded_, kTimerIrq, nullptr, &XenPcpu::next_interrupt);
}

// The SGI says nothing: why it was sent stands in the softirq flags.
void XenPcpu::event(Flight* flight) {
  xen_.board_.gic().end(index_, active_);
  if (flight != nullptr) {
    flight->wait(Wait::hypervisor, xen_.party_);
    wanted_ = flight;
  }
  next_interrupt(nullptr);
}

void XenPcpu::guest_interrupt(Flight* flight) {
  inject(*xen_.owner_of(active_)->vcpus.front(), active_, flight, &XenPcpu::next_interrupt);
}

void XenPcpu::next_interrupt(Flight*) {
  if (xen_.board_.gic().pending(index_) == kSpurious) {
    softirqs(nullptr);
  } else {
    step(XenCode::irq_ack, carried(), carried_stage(), &XenPcpu::dispatch);
  }
}

// ---- Injection: specification of the Xen interrupt path on Arm, sections 2.4 and 2.5 ----

void XenPcpu::inject(XenVcpu& target, IrqId irq, Flight* flight, Then then) {
  target_ = &target;
  virtual_ = irq;
  after_ = then;
  injecting_ = true;
  step(XenCode::inject, flight, XenStage::irq, &XenPcpu::injected);
}

void XenPcpu::injected(Flight* flight) {
  injecting_ = false;
  target_->vgic.inject(virtual_);
  if (flight != nullptr) {
    target_->waiting.push_back(flight);
    flight->wait(Wait::hypervisor, xen_.party_);
  }
  if (xen_.core_->blocked(target_->unit)) {  // case (d)
    step(XenCode::wake, flight, XenStage::wake, &XenPcpu::wake_target);
  } else if (target_->loaded != nullptr && target_->loaded != this) {  // case (b)
    sgis_.push_back(target_->loaded);
    send_sgis(flight);
  } else {  // cases (a) and (c)
    if (target_->loaded == nullptr) xen_.book_holds();
    (this->*after_)(nullptr);
  }
}

void XenPcpu::wake_target(Flight* flight) {
  xen_.executing_ = this;
  xen_.core_->unblock(xen_.at(*this), target_->unit);
  if (flight == nullptr) {
    send_sgis(nullptr);
    return;
  }
  const bool elsewhere = !sgis_.empty();
  if (elsewhere) {
    send_sgis(flight);
    return;
  }
  if (schedule_softirq_) {
    flight->wait(Wait::hypervisor, xen_.party_);
    wanted_ = flight;
  } else {
    xen_.book_holds();
  }
  send_sgis(nullptr);
}

// Tells other cores, one after another; a flight goes with the first.
void XenPcpu::send_sgis(Flight* flight) {
  if (sgis_.empty()) {
    (this->*after_)(nullptr);
  } else {
    step(XenCode::sgi_send, flight, XenStage::sgi, &XenPcpu::sgi_sent);
  }
}

void XenPcpu::sgi_sent(Flight* flight) {
  XenPcpu& other = *sgis_.front();
  sgis_.erase(sgis_.begin());
  if (flight != nullptr) other.sgi_flight_ = flight;
  xen_.board_.gic().raise(other.index_, kEventCheckIrq);
  send_sgis(nullptr);
}

// ---- Traps ----

void XenPcpu::trap_wfi() {
  enter_xen();
  step(XenCode::exit_guest, nullptr, XenStage::irq, &XenPcpu::trapped_wfi);
}

void XenPcpu::trapped_wfi(Flight*) { step(XenCode::trap_wfi, nullptr, XenStage::irq, &XenPcpu::block); }

// With something pending the vCPU does not block, but the pass is made all the same.
void XenPcpu::block(Flight*) {
  xen_.executing_ = this;
  if (loaded_->vgic.anything_pending()) {
    request_pass(this);
  } else {
    xen_.core_->block(xen_.at(*this), loaded_->unit);
  }
  softirqs(nullptr);
}

void XenPcpu::trap_sgi(XenVcpu& target, Flight* flight) {
  enter_xen();
  target_ = &target;
  if (flight != nullptr) flight->leg = 1;
  step(XenCode::exit_guest, flight, XenStage::irq, &XenPcpu::trapped_sgi);
}

void XenPcpu::trapped_sgi(Flight* flight) { step(XenCode::trap_sgi, flight, XenStage::irq, &XenPcpu::send_guest_sgi); }

void XenPcpu::send_guest_sgi(Flight* flight) { inject(*target_, kRescheduleIrq, flight, &XenPcpu::softirqs); }

void XenPcpu::maintenance() {
  if (in_xen_) return;
  enter_xen();
  step(XenCode::exit_guest, nullptr, XenStage::irq, &XenPcpu::softirqs);
}

}  // namespace vecusim
