// Rtos: a small real-time kernel, Zephyr or OSEK in kind: interrupt handlers over tasks of fixed priorities, each on
// one CPU; idle is WFI.
//
// The most urgent ready task runs; equals run in the order of their activation, to completion. A handler answers itself
// or activates a task. rtos.cpp assembles the kernel and its part of interrupt paths, rtos_cpu.cpp is a CPU's interrupt
// handling, rtos_task.cpp is what tasks do; who runs is the executor's business (engine/cpu.hpp), where a task is a
// work of its own level. Source: specification of the mechanisms, section 6.3.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/kernel.hpp"
#include "models/rtos_config.hpp"

namespace vecusim {

class RtosCpu;
class RtosTask;

/// The pieces of code of the kernel and its tasks. Each has a cost, rtos.NAME.cycles and .lines (wfi_exit: the core's);
/// those on an interrupt's way are stages of its path.
enum class RtosCode : std::uint8_t {
  wfi_exit,
  irq_entry,   // vector, registers, acknowledgement
  gpio_demux,  // which pin it was
  isr,         // the user's handler, up to its time stamp
  signal,      // the handler activates a task
  irq_exit,    // end of interrupt, registers
  dispatch,    // switching to a task
  task,        // the task's own code, up to its clock read
  answer,      // setting an output
  block,       // a task waits for its next activation
  timer,       // one expired timer
  tick,
};
inline constexpr std::size_t kRtosCodes = 12;
inline constexpr std::size_t index_of(RtosCode code) { return static_cast<std::size_t>(code); }

/// How an interrupt gets from hardware to its answer in this kernel.
struct RtosRoute {
  MeasuredInterrupt* measured;
  std::array<StageId, kRtosCodes> stage;
  StageId capture;
  PathCost program;          ///< the task's own code
  RtosTask* task = nullptr;  ///< null: the handler answers
};

class Rtos final : public Kernel {
 public:
  /// The platform and the CPUs must outlive it. `domain` is the name of its domain.
  Rtos(Simulation& simulation, std::string domain, const RtosConfig& config, KernelPlatform& platform,
       const std::vector<Cpu*>& cpus, Board& board, CostTable& costs);
  ~Rtos() override;

  // Kernel
  void add_task(const TaskConfig& task) override;
  void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const TaskConfig& task,
                     PathBuilder& path) override;
  void start() override;
  void interrupt(std::size_t cpu) override;

 private:
  friend class RtosCpu;
  friend class RtosTask;

  Duration execute(std::size_t cpu, RtosCode code) { return execute(cpu, code, costs_[index_of(code)]); }
  Duration execute(std::size_t cpu, RtosCode code, const PathCost& cost) {
    return platform_->core(cpu).execute(cost, paths_[index_of(code)]);
  }
  RtosRoute& route_of(const Flight& flight);
  void enter(Flight* flight, RtosCode code);
  RtosTask& add(const TaskConfig& task, RtosRoute* route);
  /// When a timer that is due at `due` expires.
  Time expiry(Time due) const;
  void answer(Flight& flight);
  void captured(Flight& flight);

  Simulation* simulation_;
  std::string domain_;
  KernelPlatform* platform_;
  Board* board_;
  std::array<PathCost, kRtosCodes> costs_;
  std::array<CodePath, kRtosCodes> paths_;
  std::vector<std::unique_ptr<RtosCpu>> cpus_;
  std::vector<std::unique_ptr<RtosTask>> tasks_;
  std::vector<std::unique_ptr<RtosRoute>> routes_;
  Duration tick_period_{};  // zero: tickless
  Duration tick_phase_{};
  Distribution capture_;
  RandomStream capture_stream_;
};

}  // namespace vecusim
