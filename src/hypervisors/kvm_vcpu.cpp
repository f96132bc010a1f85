// A vCPU's way in and out of guest mode, and the interrupts that wait for it.
//
//   risen ──► go_on ─┬─ (traps) … ─► enter ──► entered ══ guest mode ══► interrupted ──► go_on
//                    └──────────────┘                          └──► trap ──► exited ──► …
#include "hypervisors/kvm_vcpu.hpp"

#include <algorithm>
#include <utility>

#include "hypervisors/kvm_guest.hpp"
#include "hypervisors/kvm_machine.hpp"

namespace vecusim {

KvmVcpu::KvmVcpu(KvmHost& kvm, KvmGuest& guest, std::size_t index, CpuId id, const KvmVcpuSched& sched)
    : QemuThread(kvm.kernel, guest.name() + " CPU " + std::to_string(index) + "/KVM", sched.policy, sched.priority,
                 sched.cpus),
      kvm_(kvm),
      guest_(guest),
      index_(index),
      name_(guest.name() + "/" + std::to_string(index)),
      guest_cpu_(kvm.simulation.queue, kvm.simulation.trace, id),
      vgic_(static_cast<std::size_t>(kvm.board.spec().list_registers)) {
  slack = {};  // its timer is one of the kernel's own
  guest_cpu_.halt(Wait::thread, Party::nobody);
  vcpu = id;
}

// ---- Interrupts for the guest ----

Thread* KvmVcpu::inject(IrqId irq, Flight* flight, KvmArrival arrival, std::size_t pcpu) {
  vgic_.inject(irq, false);
  switch (doing_) {
    case Doing::blocked:
      if (timer_due_ <= kvm_.simulation.now()) break;  // the host is at its timer, and will wake it
      doing_ = Doing::waking;
      wake_at = kNever;
      flight_ = flight;
      brings_ = arrival;
      if (flight != nullptr) flight->leg = kvm_.way_of(*flight, arrival).leg;
      return this;
    case Doing::polling:
      adapt_polling();
      interrupt_work();
      doing_ = Doing::outside;
      flight_ = flight;
      brings_ = arrival;
      if (flight != nullptr) flight->enter(kvm_.way_of(*flight, arrival).poll);
      compute(Duration::zero(), Delegate<void()>::to<&KvmVcpu::go_on>(*this), Context::hypervisor);
      return nullptr;
    case Doing::guest:
      kvm_.machine.send_ipi(pcpu, cpu->index(), nullptr);
      break;
    case Doing::waking:
    case Doing::outside:
      break;
  }
  board(flight, arrival);
  return nullptr;
}

void KvmVcpu::board(Flight* flight, KvmArrival arrival) {
  if (flight == nullptr) return;
  const KvmWay& way = kvm_.way_of(*flight, arrival);
  passengers_.push_back({KeptFlight(flight), arrival});
  if (doing_ == Doing::guest) {
    flight->enter(way.kick);
  } else if (waits_for_lock()) {
    flight->enter(way.outside);
    flight->wait(Wait::lock, guest_.lock().owner().party());
  } else if (state == State::running) {
    flight->enter(way.outside);
    flight->wait(Wait::hypervisor, kvm_.party);
  } else {
    const Thread* const runs = cpu->current();
    flight->enter(way.preempted);
    flight->wait(Wait::thread, runs == nullptr ? cpu->irq_party() : runs->party());
  }
}

Flight* KvmVcpu::live(const Passenger& passenger) {
  Flight* const flight = passenger.kept.get();
  if (flight == nullptr) return nullptr;
  const KvmWay& way = kvm_.way_of(*flight, passenger.arrival);
  const StageId at = flight->stage();
  return at == way.kick || at == way.preempted || at == way.outside ? flight : nullptr;
}

// All whose interrupts are queued come along; the first one is the one that is worked for.
void KvmVcpu::bring_passengers() {
  if (flight_ != nullptr) flight_->enter(kvm_.way_of(*flight_, brings_).enter);
  for (const Passenger& passenger : std::exchange(passengers_, {})) {
    Flight* const flight = live(passenger);
    if (flight == nullptr) continue;
    flight->enter(kvm_.way_of(*flight, passenger.arrival).enter);
    if (flight_ == nullptr) {
      flight_ = flight;
      brings_ = passenger.arrival;
    } else {
      flight->wait(Wait::queue, party());
    }
  }
}

// ---- The guest's timer: one of the host CPU's that its thread is on ----

void KvmVcpu::set_timer(Time due) {
  timer_due_ = due;
  program_timer();
}

void KvmVcpu::program_timer() {
  wake_at = timer_due_;
  if (timer_on_ != nullptr && timer_on_ != cpu) timer_on_->program_timer();
  timer_on_ = cpu;
  cpu->program_timer();
}

bool KvmVcpu::timer_expired(Flight* flight) {
  timer_due_ = wake_at = kNever;
  if (flight != nullptr) flight->leg = kvm_.way_of(*flight, KvmArrival::device).leg;
  return inject(kTimerIrq, flight, KvmArrival::device, cpu->index()) != nullptr;
}

// One that has been injected already is not the host's any more, though the guest has not come to it yet.
Flight* KvmVcpu::timed_flight() const {
  Flight* const flight = guest_.kernel().timer_flight(index_);
  return flight == nullptr || flight->stage() > kvm_.route_of(*flight).expired ? nullptr : flight;
}

void KvmVcpu::timer_due(Flight& flight) const {
  if (doing_ == Doing::outside || doing_ == Doing::waking) flight.wait(Wait::hypervisor, kvm_.party);
}

// It may have come due where nobody looks: between two CPUs, or on the way.
void KvmVcpu::take_timer() {
  if (timer_due_ > kvm_.simulation.now()) return;
  timer_due_ = wake_at = kNever;
  vgic_.inject(kTimerIrq, false);
  Flight* const flight = timed_flight();
  if (flight == nullptr) return;
  flight->enter(kvm_.way_of(*flight, KvmArrival::device).enter);
  if (flight_ == nullptr) {
    flight_ = flight;
    brings_ = KvmArrival::device;
  } else {
    flight->wait(Wait::queue, party());
  }
}

// ---- In and out ----

void KvmVcpu::risen() {
  adapt_polling();
  go_on();
}

void KvmVcpu::go_on() {
  doing_ = Doing::outside;
  guest_cpu_.halt(Wait::hypervisor, kvm_.party);
  if (traps_.empty()) {
    enter();
  } else {
    next_trap();
  }
}

void KvmVcpu::enter() {
  if (flight_ != nullptr) flight_->enter(kvm_.way_of(*flight_, brings_).enter);
  take_timer();
  bring_passengers();
  if (timer_on_ != cpu || wake_at != timer_due_) program_timer();
  cost_ = kvm_.costs.enter.cost;
  cost_ += kvm_.costs.inject.repeated(vgic_.registers_to_write());
  if (!std::exchange(loaded_, true)) cost_ += kvm_.costs.load.cost;
  run_masked(cost_, kvm_.costs.enter.path, Delegate<void()>::to<&KvmVcpu::entered>(*this));
}

// The host's interrupts are off around the switch itself.
void KvmVcpu::run_masked(const PathCost& cost, CodePath path, Delegate<void()> done) {
  work.level = kMaskedLevel;
  work.inflicts = Wait::masked;
  run(cost, path, Context::hypervisor, done);
}

void KvmVcpu::unmask() {
  work.level = kThreadLevel;
  work.inflicts = Wait::thread;
}

void KvmVcpu::entered() {
  unmask();
  if (cpu->handling()) {  // an interrupt of the host's came meanwhile: out again
    compute(Duration::zero(), Delegate<void()>::to<&KvmVcpu::go_on>(*this), Context::hypervisor);
    return;
  }
  bring_passengers();  // who came meanwhile
  flight_ = nullptr;
  vgic_.sync_to();
  doing_ = Doing::guest;
  kvm_.machine.set_guest(cpu->index(), this);
  if (vgic_.pending() != kSpurious) guest_.kernel().interrupt(index_);
  carry(guest_cpu_);
  if (doing_ == Doing::guest && guest_cpu_.idle()) wait_for_interrupt();
}

void KvmVcpu::leave(Wait kind, Party for_whom) {
  interrupt_work();
  kvm_.machine.set_guest(cpu->index(), nullptr);
  doing_ = Doing::outside;
  guest_cpu_.halt(kind, for_whom);
  vgic_.sync_from();
}

void KvmVcpu::interrupted() {
  leave(Wait::queue, cpu->irq_party());
  compute(Duration::zero(), Delegate<void()>::to<&KvmVcpu::go_on>(*this), Context::hypervisor);
}

Duration KvmVcpu::put_away() {
  if (doing_ == Doing::guest) {  // without an interrupt
    leave(Wait::thread, Party::nobody);
    work.carries = nullptr;
    work.demand = Duration::zero();
    work.done = Delegate<void()>::to<&KvmVcpu::go_on>(*this);
    work.context = Context::hypervisor;
  }
  if (doing_ == Doing::polling) work.demand = Duration::zero();  // it has seen that it is not alone
  if (!std::exchange(loaded_, false)) return {};
  const PcpuIndex pcpu{static_cast<std::uint16_t>(cpu->index())};
  return kvm_.board.core(pcpu).execute(kvm_.costs.put.cost, kvm_.costs.put.path);
}

}  // namespace vecusim
