// The board's cores and interrupt controller, as a kernel uses them.
#include "hypervisors/bare_machine.hpp"

#include <algorithm>

namespace vecusim {

namespace {
std::size_t index_of(InterruptId id) { return static_cast<std::size_t>(id); }
PcpuIndex pcpu(std::size_t cpu) { return PcpuIndex{static_cast<std::uint16_t>(cpu)}; }
}  // namespace

BareMachine::PhysicalCpu::PhysicalCpu(Simulation& simulation, BareMachine& owner, std::size_t number)
    : machine(owner),
      index(number),
      cpu(simulation.queue, simulation.trace, CpuId{static_cast<std::uint16_t>(number)}),
      timer(simulation.queue, Delegate<void()>::to<&PhysicalCpu::expired>(*this)) {
  machine.board_.gic().connect(pcpu(index), Delegate<void()>::to<&PhysicalCpu::interrupted>(*this));
}

void BareMachine::PhysicalCpu::expired() { machine.board_.gic().raise(pcpu(index), kTimerIrq); }
void BareMachine::PhysicalCpu::interrupted() { machine.kernel_->interrupt(index); }

BareMachine::BareMachine(Simulation& simulation, Board& board) : board_(board) {
  for (std::size_t i = 0; i < board.pcpus(); ++i) {
    cpus_.push_back(std::make_unique<PhysicalCpu>(simulation, *this, i));
  }
}

std::vector<Cpu*> BareMachine::cpus() {
  std::vector<Cpu*> result;
  result.reserve(cpus_.size());
  for (auto& cpu : cpus_) result.push_back(&cpu->cpu);
  return result;
}

Core& BareMachine::core(std::size_t cpu) { return board_.core(pcpu(cpu)); }
IrqId BareMachine::pending(std::size_t cpu) { return board_.gic().pending(pcpu(cpu)); }
IrqId BareMachine::acknowledge(std::size_t cpu) { return board_.gic().acknowledge(pcpu(cpu)); }
void BareMachine::end_of_interrupt(std::size_t cpu, IrqId irq) { board_.gic().end(pcpu(cpu), irq); }

StageId BareMachine::add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string& prefix) {
  const Duration forward = board_.gic().forward();
  ipi_forward_.resize(std::max(ipi_forward_.size(), index_of(interrupt.id()) + 1));
  auto& legs = ipi_forward_[index_of(interrupt.id())];
  legs.push_back(path.then({prefix + "ipi_forward", Where::hardware, forward, forward}));
  return legs.back();
}

void BareMachine::send_ipi(std::size_t, std::size_t to, Flight* flight) {
  if (flight != nullptr) {
    const auto& legs = ipi_forward_[index_of(flight->interrupt().id())];
    flight->enter(legs[legs.size() == 1 ? 0 : flight->leg]);
  }
  board_.gic().raise(pcpu(to), kRescheduleIrq);
}

void BareMachine::set_timer(std::size_t cpu, Time due) {
  if (due == kNever) {
    cpus_[cpu]->timer.disarm();
  } else {
    cpus_[cpu]->timer.arm_at(due);
  }
}

}  // namespace vecusim
