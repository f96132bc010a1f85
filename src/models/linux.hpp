// Linux: a kernel instance on N CPUs, pCPUs or vCPUs alike: hard interrupts over softirqs over FIFO/RR threads over the
// fair class.
//
// linux.cpp assembles it and its part of interrupt paths; a CPU's interrupt handling is in linux_irq.cpp and its
// decisions are in linux_sched.cpp; linux_tasks.cpp is what threads do. What the machine under it does differently
// (where an IPI goes, what idling means) is behind KernelPlatform.
//
// Source of stages, costs and constants: specification of the mechanisms, section 1.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cpu.hpp"
#include "engine/simulation.hpp"
#include "models/board.hpp"
#include "models/core.hpp"
#include "models/flight.hpp"
#include "models/gic.hpp"
#include "models/kernel.hpp"
#include "models/linux_config.hpp"
#include "models/linux_cpu.hpp"
#include "models/linux_thread.hpp"
#include "models/path_builder.hpp"

namespace vecusim {

/// The pieces of kernel and user code that threads and handlers execute. Each has a cost, linux.NAME.cycles and .lines;
/// those on an interrupt's way are stages of its path. N numbers are the specification's.
enum class LinuxCode : std::uint8_t {
  wfi_exit,      // N3
  irq_entry,     // N5; N4, the wait for enabled interrupts, is a wait of this stage
  irq_ack,       // N6
  gpio_demux,    // N7
  irq_handler,   // N8
  irq_thread,    // N8b
  wake,          // N9
  ipi_wfi_exit,  // N10
  ipi_entry,     // N10
  schedule,      // N10
  poll_return,   // N11
  page_faults,   // of the task's first activation
  read_sysfs,    // N12
  read_cdev,     // N12
  logic_c,       // N13
  logic_python,  // N13
  clock_read,    // N14
  record,        // N15
  answer_sysfs,  // N16
  answer_mmap,   // N16
  sleep,         // back into poll(); of no latency
  timer,         // expiry of a high-resolution timer
  tick,
};
inline constexpr std::size_t kLinuxCodes = 23;
inline constexpr std::size_t index_of(LinuxCode code) { return static_cast<std::size_t>(code); }

/// How an interrupt gets from hardware to its answer in this kernel.
struct LinuxRoute {
  MeasuredInterrupt* measured;
  TaskConfig task;
  std::array<StageId, kLinuxCodes> stage;
  StageId capture;
  class InterruptTask* reader = nullptr;  ///< null: the handler answers
  class IrqThread* thread = nullptr;      ///< null: the hard handler wakes the reader itself
};

class Linux final : public Kernel {
 public:
  /// The platform and the CPUs must outlive it. `domain` is the name of its domain.
  Linux(Simulation& simulation, std::string domain, const LinuxConfig& config, KernelPlatform& platform,
        const std::vector<Cpu*>& cpus, Board& board, CostTable& costs);
  ~Linux() override;

  // Kernel
  void add_task(const TaskConfig& task) override;
  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                     PathBuilder& path) override;
  void start() override;
  void interrupt(std::size_t cpu) override { cpus_[cpu]->interrupt(); }

 private:
  friend class Thread;
  friend class LinuxCpu;
  friend class InterruptTask;
  friend class IrqThread;
  friend class LoadTask;

  const PathCost& cost(LinuxCode code) const { return costs_[index_of(code)]; }
  Duration execute(std::size_t cpu, LinuxCode code) {
    return platform_->core(cpu).execute(cost(code), paths_[index_of(code)]);
  }
  LinuxRoute& route_of(Flight& flight);
  void enter(Flight* flight, LinuxCode code);
  LinuxCpu& select_cpu(const Thread& thread) const;
  /// Makes a blocked thread runnable, on behalf of a flight that goes with it; `from` is the CPU that wakes it.
  void wake(Thread& thread, LinuxCpu& from, Flight* flight);
  void answer(Flight& flight, StageId capture);
  void captured(Flight& flight);
  Party party(std::string_view what) { return simulation_->party(domain_ + " " + std::string(what)); }

  Simulation* simulation_;
  std::string domain_;
  LinuxConfig config_;
  KernelPlatform* platform_;
  Board* board_;
  std::array<PathCost, kLinuxCodes> costs_;
  std::array<CodePath, kLinuxCodes> paths_;
  std::vector<std::unique_ptr<LinuxCpu>> cpus_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<std::unique_ptr<LinuxRoute>> routes_;
  Duration tick_period_;
  Duration tick_phase_;
  Distribution tick_softirq_;
  std::array<Distribution, 4> preempt_off_;  // by Preempt: what is left of a section that cannot be preempted
  std::array<double, 4> preempt_off_share_;  // by Preempt: of the time in the kernel
  Distribution capture_;
  RandomStream capture_stream_;
};

}  // namespace vecusim
