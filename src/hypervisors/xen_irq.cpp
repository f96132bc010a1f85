// Into Xen: interrupts and traps, and the injection of virtual interrupts.
//
//   interrupted → [leave_wfi] → acknowledge → dispatch ─┬─ own_timer, guest_timer, event ──────────────┬─
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
  hypercall_.level = 1;
  hypercall_.context = Context::hypervisor;
  hypercall_.inflicts = Wait::hypervisor;
  hypercall_.party = xen.party_;
  hypercall_.done = Delegate<void()>::to<&XenPcpu::hypercall_done>(*this);
  xen.board_.gic().connect(index, Delegate<void()>::to<&XenPcpu::interrupted>(*this));
}

void XenPcpu::enter_xen() {
  in_xen_ = true;
  if (loaded_ == nullptr) return;
  loaded_->cpu.halt(Wait::hypervisor, xen_.party_);
  used_registers_ = loaded_->vgic.used_registers();
  loaded_->vgic.sync_from();
  xen_.board_.gic().withdraw(index_, kMaintenanceIrq);
}

// A flight that was on its way into the guest when Xen was needed again stays in that stage, and waits.
void XenPcpu::step(XenCode code, Flight* flight, XenStage stage, Then then) {
  if (flight != nullptr && xen_.beyond(*flight, stage)) {
    flight->wait(Wait::hypervisor, xen_.party_);
    flight = nullptr;
  }
  code_ = code;
  flight_ = Passenger(flight);
  then_ = then;
  if (flight != nullptr) flight->enter(xen_.stage_of(*flight, stage));
  work_.account = flight == nullptr ? nullptr : &flight->account();
  cpu_.go_on(work_);
}

Duration XenPcpu::step_cost() {
  PathCost cost = pool_->costs()[code_].times(std::exchange(times_, 1));
  if (code_ == XenCode::retarget) cost = xen_.retarget_cost(*pool_->vcpu(decision_.unit), cost);
  return xen_.board_.core(index_).execute(cost, xen_.paths_[static_cast<std::size_t>(code_)]);
}

void XenPcpu::step_done() { (this->*then_)(xen_.live(flight_)); }

// ---- Interrupts ----

// The flight for whose sake the next interrupt is taken, and the stage it is in meanwhile.
Flight* XenPcpu::carried() const {
  const IrqId next = xen_.board_.gic().pending(index_);
  if (next == kEventCheckIrq) return xen_.live(sgi_flight_);
  if (next == kTimerIrq) return guest_timer_flight();
  if (next == kHypTimerIrq) return timer_flight();
  const InterruptDevice* device = xen_.board_.device(next);
  return device == nullptr ? nullptr : device->first_latched();
}

XenStage XenPcpu::carried_stage() const {
  return xen_.board_.gic().pending(index_) == kEventCheckIrq ? XenStage::sgi : XenStage::irq;
}

void XenPcpu::interrupted() {
  if (!up_) return;
  if (hypercall_.submitted && !in_interrupt_) {
    in_interrupt_ = true;
    step(XenCode::exit_idle, carried(), carried_stage(), &XenPcpu::acknowledge);
    return;
  }
  if (in_xen_) {
    hold_arrivals();
    return;
  }
  Flight* flight = carried();
  enter_xen();
  if (std::exchange(asleep_, false)) {
    step(XenCode::wfi_exit, flight, carried_stage(), &XenPcpu::leave_wfi);
  } else {
    leave_wfi(flight);
  }
}

// What has come while Xen works here waits until it looks.
void XenPcpu::hold_arrivals() {
  const Wait kind = printer_ == Party::nobody ? Wait::hypervisor : Wait::masked;
  const Party party = printer_ == Party::nobody ? xen_.party_ : printer_;
  if (xen_.board_.gic().pending(index_) == kEventCheckIrq) {
    if (Flight* flight = xen_.live(sgi_flight_)) flight->wait(kind, party);
  }
  if (xen_.board_.gic().waits(index_, kTimerIrq)) {
    if (Flight* flight = guest_timer_flight()) flight->wait(kind, party);
  }
  for (const auto& interrupt : xen_.guest_interrupts_) {
    if (!xen_.board_.gic().waits(index_, interrupt.irq)) continue;
    if (Flight* flight = xen_.board_.device(interrupt.irq)->first_latched()) flight->wait(kind, party);
  }
}

void XenPcpu::leave_wfi(Flight* flight) {
  if (loaded_ == nullptr) {
    step(XenCode::exit_idle, flight, carried_stage(), &XenPcpu::acknowledge);
  } else {
    leave_guest(flight, carried_stage(), &XenPcpu::acknowledge);
  }
}

// The vector, the guest's state, and whatever the guest has made of its list registers.
void XenPcpu::leave_guest(Flight* flight, XenStage stage, Then then) {
  exit_stage_ = stage;
  after_exit_ = then;
  step(XenCode::exit_guest, flight, stage, &XenPcpu::read_registers);
}

void XenPcpu::read_registers(Flight* flight) {
  if (used_registers_ == 0) {
    (this->*after_exit_)(flight);
    return;
  }
  times_ = used_registers_;
  step(XenCode::exit_register, flight, exit_stage_, after_exit_);
}

void XenPcpu::acknowledge(Flight* flight) { step(XenCode::irq_ack, flight, carried_stage(), &XenPcpu::dispatch); }

void XenPcpu::dispatch(Flight* flight) {
  active_ = xen_.board_.gic().acknowledge(index_);
  if (xen_.owner_of(active_) != nullptr) {
    Flight* own = xen_.board_.device(active_)->first_latched();
    if (flight != nullptr && flight != own) flight->wait(Wait::hypervisor, xen_.party_);
    step(XenCode::irq_spi, own, XenStage::irq, &XenPcpu::guest_interrupt);
    return;
  }
  if (active_ == kEventCheckIrq) {
    Flight* own = xen_.live(std::exchange(sgi_flight_, {}));
    if (flight != nullptr && flight != own) flight->wait(Wait::hypervisor, xen_.party_);
    step(loaded_ == nullptr ? XenCode::irq_event_idle : XenCode::irq_event, own, XenStage::sgi, &XenPcpu::event);
    return;
  }
  // A more urgent interrupt has come since: the flight's own turn is yet to come.
  if (flight != nullptr) flight->wait(Wait::hypervisor, xen_.party_);
  if (active_ == kHypTimerIrq) {
    step(XenCode::irq_timer, timer_flight(), XenStage::irq, &XenPcpu::own_timer);
  } else if (active_ == kTimerIrq) {
    step(XenCode::irq_vtimer, guest_timer_flight(), XenStage::irq, &XenPcpu::guest_timer);
  } else if (active_ == kMaintenanceIrq) {
    step(XenCode::irq_maintenance, nullptr, XenStage::irq, &XenPcpu::maintained);
  } else {
    softirqs(nullptr);
  }
}

// The flight of the vCPU whose timer expires here next; null if that is another timer.
Flight* XenPcpu::timer_flight() const {
  const auto timer = timers_.next_due();
  if (!timer) return nullptr;
  for (const XenVcpu* vcpu : pool_->vcpus()) {
    if (vcpu->timer != nullptr && vcpu->timer->is(*this, *timer)) return vcpu->guest->timer_flight(vcpu->index);
  }
  return nullptr;
}

Flight* XenPcpu::guest_timer_flight() const {
  return loaded_ == nullptr ? nullptr : loaded_->guest->timer_flight(loaded_->index);
}

void XenPcpu::own_timer(Flight* flight) {
  if (flight != nullptr) flight->wait(Wait::hypervisor, xen_.party_);
  xen_.board_.gic().end(index_, active_);
  timer_softirq_ = true;
  softirqs(nullptr);
}

void XenPcpu::guest_timer(Flight* flight) {
  xen_.board_.gic().end(index_, active_);
  if (loaded_ == nullptr) {
    softirqs(nullptr);
    return;
  }
  loaded_->timer_due = kNever;  // masked until the guest sets it again
  inject(*loaded_, kTimerIrq, flight, &XenPcpu::softirqs);
}

// Nothing is left to do: the list registers are seen to at each exit and return.
void XenPcpu::maintained(Flight*) {
  xen_.board_.gic().end(index_, active_);
  softirqs(nullptr);
}

// The SGI says nothing: why it was sent stands in the softirq flags.
void XenPcpu::event(Flight* flight) {
  xen_.board_.gic().end(index_, active_);
  if (flight != nullptr) {
    flight->wait(Wait::hypervisor, xen_.party_);
    wanted_ = Passenger(flight);
  }
  softirqs(nullptr);
}

void XenPcpu::guest_interrupt(Flight* flight) { inject(xen_.target_of(active_), active_, flight, &XenPcpu::softirqs); }

// ---- Injection: specification of the Xen interrupt path on Arm, sections 2.4 and 2.5 ----

void XenPcpu::inject(XenVcpu& target, IrqId irq, Flight* flight, Then then) {
  target_ = &target;
  virtual_ = irq;
  after_ = then;
  injecting_ = true;
  step(target.loaded == this ? XenCode::inject_running : XenCode::inject, flight, XenStage::irq, &XenPcpu::injected);
}

void XenPcpu::injected(Flight* flight) {
  injecting_ = false;
  target_->vgic.inject(virtual_, target_->loaded == this);
  if (flight != nullptr) {
    target_->waiting.emplace_back(flight, virtual_);
    flight->wait(Wait::hypervisor, xen_.party_);
  }
  if (target_->pool->core().blocked(target_->unit)) {  // case (d)
    const XenPool& pool = *target_->pool;
    const bool idle = xen_.pcpu(pool.home_of(*target_)).idles();
    step(idle ? XenCode::wake : XenCode::wake_busy, flight, XenStage::wake, &XenPcpu::wake_target);
  } else if (target_->loaded != nullptr && target_->loaded != this) {  // case (b)
    sgis_.push_back(target_->loaded);
    send_sgis(flight);
  } else {  // cases (a) and (c)
    if (target_->loaded == nullptr) target_->pool->book_holds();
    (this->*after_)(nullptr);
  }
}

void XenPcpu::wake_target(Flight* flight) {
  xen_.executing_ = this;
  target_->pool->core().unblock(xen_.at(*this), target_->unit);
  if (flight == nullptr) {
    send_sgis(nullptr);
    return;
  }
  const bool elsewhere = !sgis_.empty();
  if (elsewhere) {
    send_sgis(flight);
    return;
  }
  if (target_->loaded != this && target_->pool->core().state()[target_->unit].running) {
    flight->wait(Wait::hypervisor, xen_.party_);  // it joins its queue when another core has switched it out
  } else if (schedule_softirq_) {
    flight->wait(Wait::hypervisor, xen_.party_);
    wanted_ = Passenger(flight);
  } else {
    target_->pool->book_holds();
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
  if (flight != nullptr) other.sgi_flight_ = Passenger(flight);
  xen_.board_.gic().raise(other.index_, kEventCheckIrq);
  send_sgis(nullptr);
}

// ---- Traps ----

void XenPcpu::trap_wfi() {
  enter_xen();
  leave_guest(nullptr, XenStage::irq, &XenPcpu::trapped_wfi);
}

void XenPcpu::trapped_wfi(Flight*) { step(XenCode::trap_wfi, nullptr, XenStage::irq, &XenPcpu::block); }

// With something pending the vCPU does not block, but the pass is made all the same.
void XenPcpu::block(Flight*) {
  xen_.executing_ = this;
  if (loaded_->vgic.needs_delivery()) {
    request_pass(this);
  } else {
    pool_->core().block(xen_.at(*this), loaded_->unit);
  }
  softirqs(nullptr);
}

void XenPcpu::trap_sgi(XenVcpu& target, Flight* flight) {
  enter_xen();
  target_ = &target;
  if (flight != nullptr) ++flight->leg;
  leave_guest(flight, XenStage::irq, &XenPcpu::trapped_sgi);
}

void XenPcpu::trapped_sgi(Flight* flight) { step(XenCode::trap_sgi, flight, XenStage::irq, &XenPcpu::send_guest_sgi); }

void XenPcpu::send_guest_sgi(Flight* flight) { inject(*target_, kRescheduleIrq, flight, &XenPcpu::softirqs); }

void XenPcpu::trap_event(const XenChannel& channel) {
  enter_xen();
  channel_ = channel;
  MeasuredInterrupt* interrupt = channel.to->channels.interrupt(channel.port);
  leave_guest(interrupt == nullptr ? nullptr : &interrupt->take_off(), XenStage::irq, &XenPcpu::trapped_event);
}

void XenPcpu::trapped_event(Flight* flight) { step(XenCode::event_send, flight, XenStage::irq, &XenPcpu::send_event); }

// All events of a domain go to its first vCPU.
void XenPcpu::send_event(Flight* flight) {
  XenVcpu& target = *channel_.to->vcpus.front();
  switch (channel_.to->channels.send(channel_.port, flight)) {
    case XenEvents::Sent::upcall:
      inject(target, kEventIrq, flight, &XenPcpu::softirqs);
      return;
    case XenEvents::Sent::noted:  // the interrupt for an earlier one is on its way
      if (flight == nullptr) break;
      target.waiting.emplace_back(flight, kEventIrq);
      flight->wait(Wait::queue, target.party);
      if (target.loaded == nullptr) target.pool->book_holds();
      break;
    case XenEvents::Sent::merged:
      break;
  }
  softirqs(nullptr);
}

void XenPcpu::maintenance() { xen_.board_.gic().raise(index_, kMaintenanceIrq); }

}  // namespace vecusim
