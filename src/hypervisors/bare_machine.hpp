// BareMachine: the board as an operating system finds it with nothing in between: its cores, interrupt controller and
// timers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/kernel.hpp"

namespace vecusim {

class BareMachine : public KernelPlatform {
 public:
  BareMachine(Simulation& simulation, Board& board);

  /// All cores, for the kernel that boots on them.
  std::vector<Cpu*> cpus();
  /// At assembly: whose interrupts they are.
  void boot(Kernel& kernel) { kernel_ = &kernel; }
  static std::string name_of_cpu(std::size_t cpu) { return "pcpu" + std::to_string(cpu); }

  // KernelPlatform
  Core& core(std::size_t cpu) override;
  bool owns_machine() const override { return true; }
  InterruptDevice* device(IrqId irq) override { return board_.device(irq); }
  IrqId pending(std::size_t cpu) override;
  IrqId acknowledge(std::size_t cpu) override;
  void end_of_interrupt(std::size_t cpu, IrqId irq) override;
  StageId add_ipi(MeasuredInterrupt& interrupt, PathBuilder& path, const std::string& prefix) override;
  void send_ipi(std::size_t from, std::size_t to, Flight* flight) override;
  void set_timer(std::size_t cpu, Time due) override;
  void idle(std::size_t) override {}  // waiting for an interrupt needs nobody's help
  bool halts() override { return true; }

 private:
  // A core as a kernel finds it: a processor, an interrupt input and a timer.
  struct PhysicalCpu {
    PhysicalCpu(Simulation& simulation, BareMachine& owner, std::size_t number);
    void expired();
    void interrupted();

    BareMachine& machine;
    std::size_t index;
    Cpu cpu;
    Timer timer;
  };

  Board& board_;
  std::vector<std::unique_ptr<PhysicalCpu>> cpus_;
  Kernel* kernel_ = nullptr;
  std::vector<std::vector<StageId>> ipi_forward_;  // by interrupt and leg
};

}  // namespace vecusim
