// What happens at EL2 between a core and the one guest that has it.
#include "hypervisors/partition_cell.hpp"

#include <algorithm>

namespace vecusim {

namespace {

std::vector<std::int64_t> pcpus_of(const DomainConfig& domain) {
  std::vector<std::int64_t> all;
  for (const auto& list : domain.affinity) all.insert(all.end(), list.begin(), list.end());
  return all;
}

CpuId id(std::size_t number) { return CpuId{static_cast<std::uint16_t>(number)}; }

}  // namespace

// ---- Assembly ----

PartitionCell::PartitionCell(Simulation& simulation, Board& board, const DomainConfig& domain, bool direct,
                             const PartitionCosts& partition, std::size_t first_id, CostTable& costs)
    : simulation_(simulation),
      board_(board),
      costs_(partition),
      name_(domain.name),
      direct_(direct),
      colors_(domain.colors()),
      party_(simulation.party("hypervisor for " + domain.name)) {
  std::vector<Cpu*> guests;
  for (const std::int64_t pcpu : pcpus_of(domain)) {
    const PcpuIndex core{static_cast<std::uint16_t>(pcpu)};
    vcpus_.push_back(std::make_unique<Vcpu>(simulation, *this, vcpus_.size(), core, first_id));
    guests.push_back(&vcpus_.back()->guest);
  }
  kernel_ = make_kernel(simulation, domain.name, domain.os, domain.tasks, *this, guests, board, costs);
}

PartitionCell::Vcpu::Vcpu(Simulation& simulation, PartitionCell& owner, std::size_t number, PcpuIndex core,
                          std::size_t first_id)
    : cell(owner),
      index(number),
      pcpu(core),
      el2(simulation.queue, simulation.trace, id(static_cast<std::size_t>(core))),
      guest(simulation.queue, simulation.trace, id(first_id + number)),
      timer(simulation.queue, Delegate<void()>::to<&Vcpu::expired>(*this)),
      vgic(static_cast<std::size_t>(owner.board_.spec().list_registers)) {
  work.context = Context::hypervisor;
  work.inflicts = Wait::hypervisor;
  work.party = owner.party_;
  work.begin = Delegate<Duration()>::to<&Vcpu::cost>(*this);
  work.done = Delegate<void()>::to<&Vcpu::done>(*this);
  owner.board_.gic().connect(core, Delegate<void()>::to<&Vcpu::interrupted>(*this));
}

void PartitionCell::name_vcpus(std::vector<Hypervisor::CpuName>& names) const {
  for (const auto& vcpu : vcpus_) {
    names.push_back({name_ + "/" + std::to_string(vcpu->index), name_, false, static_cast<std::size_t>(vcpu->pcpu)});
  }
}

PartitionCell::Route& PartitionCell::route_of(const MeasuredInterrupt& interrupt) {
  const auto index = static_cast<std::size_t>(interrupt.id());
  routes_.resize(std::max(routes_.size(), index + 1));
  return routes_[index];
}

const PartitionCell::Leg& PartitionCell::leg_of(const Flight& flight) {
  const auto& legs = route_of(flight.interrupt()).legs;
  return legs[legs.size() == 1 ? 0 : flight.leg];
}

void PartitionCell::add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task) {
  PathBuilder path(interrupt.path);
  board_.attach(source, interrupt, path);
  if (source.kind != InterruptSource::Kind::timer) {
    board_.gic().set_target(board_.irq_of(source), vcpus_[interrupt.cpu]->pcpu);
  }
  if (!direct_) {
    const Duration cold = core(0).cold(costs_.irq);
    const Stage stage{"hv_irq", Where::hypervisor, cold, cold};
    if (source.kind == InterruptSource::Kind::timer) {
      path.waits_in(path.end());
      route_of(interrupt).irq = path.maybe(stage, "", "the timer's interrupt has been passed on already");
    } else {
      route_of(interrupt).irq = path.then(stage);
    }
  }
  kernel_->add_interrupt(source, interrupt, task, path);
}

StageId PartitionCell::add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string& prefix) {
  const Duration forward = board_.gic().forward();
  const Duration trap = core(0).cold(costs_.sgi);
  Leg leg;
  leg.sgi = path.then({prefix + "hv_sgi", Where::hypervisor, trap, trap});
  leg.forward = path.then({prefix + "ipi_forward", Where::hardware, forward, forward});
  if (!direct_) {
    const Duration cold = core(0).cold(costs_.irq);
    leg.ipi = path.then({prefix + "hv_ipi", Where::hypervisor, cold, cold});
  }
  route_of(interrupt).legs.push_back(leg);
  const StageId last = path.end();
  // An earlier request for that core may be taken for this one too.
  for (const StageId stage : {leg.sgi, leg.forward}) {
    if (stage != last) path.also_from(stage, "an earlier request arrives");
  }
  return last;
}

// They never leave their cores.
void PartitionCell::start() {
  for (const auto& vcpu : vcpus_) {
    simulation_.trace.emit(Scheduled{simulation_.now(), vcpu->guest.id(), Runstate::running, vcpu->el2.id()});
  }
  kernel_->start();
}

// ---- The guest's side ----

IrqId PartitionCell::pending(std::size_t cpu) {
  const Vcpu& vcpu = *vcpus_[cpu];
  return direct_ ? board_.gic().pending(vcpu.pcpu) : vcpu.vgic.pending();
}

IrqId PartitionCell::acknowledge(std::size_t cpu) {
  Vcpu& vcpu = *vcpus_[cpu];
  return direct_ ? board_.gic().acknowledge(vcpu.pcpu) : vcpu.vgic.acknowledge();
}

void PartitionCell::end_of_interrupt(std::size_t cpu, IrqId irq) {
  Vcpu& vcpu = *vcpus_[cpu];
  if (direct_) {
    board_.gic().end(vcpu.pcpu, irq);
    return;
  }
  if (vcpu.vgic.end(irq)) vcpu.maintenance = true;
  // The list register ends the physical interrupt too; of an SGI that was done when it was passed on.
  if (irq != kRescheduleIrq) board_.gic().end(vcpu.pcpu, irq);
  if (vcpu.maintenance) vcpu.interrupted();
}

void PartitionCell::send_ipi(std::size_t from, std::size_t to, Flight* flight) {
  Vcpu& sender = *vcpus_[from];
  const StageId stage = flight == nullptr ? StageId{} : leg_of(*flight).sgi;
  if (flight != nullptr) {
    flight->enter(stage);
    flight->wait(Wait::hypervisor, party_);
  }
  sender.requests.push_back({to, {KeptFlight(flight), stage}});
  if (!sender.busy) sender.take();
}

void PartitionCell::set_timer(std::size_t cpu, Time due) {
  Vcpu& vcpu = *vcpus_[cpu];
  if (due == kNever) {
    vcpu.timer.disarm();
  } else {
    vcpu.timer.arm_at(due);
  }
}

// ---- EL2's side ----

void PartitionCell::Vcpu::expired() { cell.board_.gic().raise(pcpu, kTimerIrq); }

Flight* PartitionCell::Vcpu::pending_flight(IrqId irq) const {
  if (irq == kRescheduleIrq) return ipi.live();
  if (irq == kTimerIrq) return cell.kernel_->timer_flight(index);
  const InterruptDevice* device = cell.board_.device(irq);
  return device == nullptr ? nullptr : device->first_latched();
}

void PartitionCell::Vcpu::interrupted() {
  if (cell.direct_) {
    cell.kernel_->interrupt(index);
  } else if (!busy) {
    take();
  } else if (Flight* flight = pending_flight(cell.board_.gic().pending(pcpu))) {
    flight->wait(Wait::hypervisor, cell.party_);
  }
}

void PartitionCell::Vcpu::take() {
  active = cell.direct_ ? kSpurious : cell.board_.gic().acknowledge(pcpu);
  sending = active == kSpurious && !requests.empty();
  if (active == kSpurious && !sending && !maintenance) {
    leave();
    return;
  }
  if (!busy) {
    busy = true;
    guest.halt(Wait::hypervisor, cell.party_);
    vgic.sync_from();
  }
  Flight* flight = sending ? requests.front().passenger.live() : enter(active);
  work.account = flight == nullptr ? nullptr : &flight->account();
  el2.submit(work);
}

// Whoever comes with the interrupt goes through EL2 with it.
Flight* PartitionCell::Vcpu::enter(IrqId irq) {
  Flight* flight = pending_flight(irq);
  if (irq == kRescheduleIrq) ipi = {};
  if (flight != nullptr) {
    flight->enter(irq == kRescheduleIrq ? cell.leg_of(*flight).ipi : cell.route_of(flight->interrupt()).irq);
  }
  return flight;
}

Duration PartitionCell::Vcpu::cost() {
  Core& core = cell.board_.core(pcpu);
  return sending ? core.execute(cell.costs_.sgi, cell.costs_.sgi_path)
                 : core.execute(cell.costs_.irq, cell.costs_.irq_path);
}

void PartitionCell::Vcpu::done() {
  if (sending) {
    sent();
  } else {
    taken();
  }
  take();
}

void PartitionCell::Vcpu::taken() {
  maintenance = false;
  if (active == kSpurious) return;
  cell.simulation_.trace.emit(
      Counted{cell.simulation_.now(), Count::interrupt, el2.id(), static_cast<std::uint16_t>(active)});
  if (active == kRescheduleIrq) cell.board_.gic().end(pcpu, active);
  vgic.inject(active, true);
}

void PartitionCell::Vcpu::sent() {
  const Request request = requests.front();
  requests.erase(requests.begin());
  Vcpu& receiver = *cell.vcpus_[request.to];
  if (Flight* flight = request.passenger.live()) {
    const StageId stage = cell.leg_of(*flight).forward;
    flight->enter(stage);
    if (receiver.ipi.live() == nullptr) receiver.ipi = {KeptFlight(flight), stage};
  }
  cell.board_.gic().raise(receiver.pcpu, kRescheduleIrq);
}

void PartitionCell::Vcpu::leave() {
  busy = false;
  vgic.sync_to();
  guest.resume();
  if (!cell.direct_ && vgic.pending() != kSpurious) cell.kernel_->interrupt(index);
}

}  // namespace vecusim
