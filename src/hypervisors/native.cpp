// No hypervisor: one operating system on the board's own cores and interrupt controller.
#include <algorithm>

#include "hypervisors/catalogue.hpp"
#include "models/kernel.hpp"

namespace vecusim {

namespace {

struct NativeConfig final : ConfigOf<NativeConfig> {
  void fields(FieldVisitor&) override {}
};

std::size_t index_of(InterruptId id) { return static_cast<std::size_t>(id); }
PcpuIndex pcpu(std::size_t cpu) { return PcpuIndex{static_cast<std::uint16_t>(cpu)}; }

// A core as a kernel finds it: a processor, an interrupt input and a timer.
struct NativeCpu {
  NativeCpu(Simulation& simulation, Gic& controller, std::size_t number)
      : index(number),
        gic(controller),
        cpu(simulation.queue, simulation.trace, CpuId{static_cast<std::uint16_t>(number)}),
        timer(simulation.queue, Delegate<void()>::to<&NativeCpu::expired>(*this)) {
    gic.connect(pcpu(index), Delegate<void()>::to<&NativeCpu::interrupted>(*this));
  }
  void expired() { gic.raise(pcpu(index), kTimerIrq); }
  void interrupted() { kernel->interrupt(index); }

  std::size_t index;
  Gic& gic;
  Kernel* kernel = nullptr;
  Cpu cpu;
  Timer timer;
};

class Native final : public Hypervisor, public KernelPlatform {
 public:
  Native(Simulation& simulation, Board& board, const DomainConfig& domain, CostTable& costs) : board_(board) {
    std::vector<Cpu*> cpus;
    for (std::size_t i = 0; i < board.pcpus(); ++i) {
      cpus_.push_back(std::make_unique<NativeCpu>(simulation, board.gic(), i));
      cpus.push_back(&cpus_.back()->cpu);
    }
    kernel_ = make_kernel(simulation, domain.name, domain.os, domain.tasks, *this, cpus, board, costs);
    for (auto& cpu : cpus_) cpu->kernel = kernel_.get();
    name_ = domain.name;
  }

  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig&,
                     const TaskConfig& task) override {
    PathBuilder path(interrupt.path);
    board_.attach(source, interrupt, path);
    kernel_->add_interrupt(source, interrupt, task, path);
  }
  void start() override { kernel_->start(); }
  std::vector<CpuName> cpus() const override {
    std::vector<CpuName> names;
    for (const auto& cpu : cpus_) names.push_back({"pcpu" + std::to_string(cpu->index), name_, true});
    return names;
  }

 private:
  Core& core(std::size_t cpu) override { return board_.core(pcpu(cpu)); }
  IrqId pending(std::size_t cpu) override { return board_.gic().pending(pcpu(cpu)); }
  IrqId acknowledge(std::size_t cpu) override { return board_.gic().acknowledge(pcpu(cpu)); }
  void end_of_interrupt(std::size_t cpu, IrqId irq) override { board_.gic().end(pcpu(cpu), irq); }
  StageId add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path) override {
    const Duration forward = board_.gic().forward();
    ipi_forward_.resize(std::max(ipi_forward_.size(), index_of(interrupt.id()) + 1));
    return ipi_forward_[index_of(interrupt.id())] = path.then({"ipi_forward", Where::hardware, forward, forward});
  }
  void send_ipi(std::size_t, std::size_t to, Flight* flight) override {
    if (flight != nullptr) flight->enter(ipi_forward_[index_of(flight->interrupt().id())]);
    board_.gic().raise(pcpu(to), kRescheduleIrq);
  }
  void set_timer(std::size_t cpu, Time due) override {
    if (due == kNever) {
      cpus_[cpu]->timer.disarm();
    } else {
      cpus_[cpu]->timer.arm_at(due);
    }
  }
  void idle(std::size_t) override {}  // waiting for an interrupt needs nobody's help
  bool halts() override { return true; }

  Board& board_;
  std::string name_;
  std::vector<std::unique_ptr<NativeCpu>> cpus_;
  std::unique_ptr<Kernel> kernel_;
  std::vector<StageId> ipi_forward_;  // by interrupt
};

}  // namespace

HypervisorEntry hypervisor_native() {
  return {
      {"native", "none: one operating system on the board itself"},
      [] { return std::unique_ptr<Config>(std::make_unique<NativeConfig>()); },
      [](Simulation& simulation, const Config&, Board& board, std::span<const DomainConfig> domains, CostTable& costs) {
        return std::unique_ptr<Hypervisor>(std::make_unique<Native>(simulation, board, domains.front(), costs));
      }};
}

}  // namespace vecusim
