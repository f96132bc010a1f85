// RtosCpu: one CPU of a real-time kernel: its interrupts and its timer.
#pragma once

#include <cstddef>
#include <vector>

#include "models/rtos.hpp"

namespace vecusim {

/// Urgency of works on a real-time kernel's CPU: handlers, then tasks by priority.
inline constexpr std::uint8_t kRtosIrqLevel = 0;
inline constexpr std::uint8_t rtos_task_level(std::int64_t priority) {
  return static_cast<std::uint8_t>(100 - priority);
}

class RtosCpu {
 public:
  RtosCpu(Rtos& kernel, std::size_t index, Cpu& cpu);

  void start();
  /// Its interrupt input is high.
  void interrupt();

  std::size_t index() const { return index_; }
  Cpu& cpu() { return *cpu_; }
  /// One of its tasks waits for its next activation; its timer may have been set.
  void task_blocked();

 private:
  using Then = void (RtosCpu::*)(Flight*);

  void step(RtosCode code, Flight* flight, Then then);
  Duration step_cost() { return kernel_.execute(index_, code_); }
  void step_done() { (this->*then_)(flight_); }
  Flight* carried() const;
  void tell_interrupt();
  void enter(Flight* flight);
  void acknowledge(Flight* flight);
  void take_edges(Flight*);
  void next_edge(Flight*);
  void handled(Flight* flight);
  void signalled(Flight* flight);
  void answered(Flight* flight);
  void expired();
  void ticked(Flight*);
  RtosTask* task_due() const;
  void activate(Flight*);
  void end(Flight*);
  void wait_if_idle();
  void program_timer();

  Rtos& kernel_;
  std::size_t index_;
  Cpu* cpu_;
  Party party_;
  Work irq_;
  bool busy_ = false;
  RtosCode code_{};
  Flight* flight_ = nullptr;
  Then then_ = nullptr;
  IrqId active_ = kSpurious;
  std::vector<Flight*> edges_;
  std::size_t next_edge_ = 0;
  Time tick_due_ = kNever;
};

}  // namespace vecusim
