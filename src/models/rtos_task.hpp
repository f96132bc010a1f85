// RtosTask: a task of a real-time kernel: it answers an interrupt, or it is a load.
#pragma once

#include "engine/distribution.hpp"
#include "models/rtos_cpu.hpp"

namespace vecusim {

class RtosTask {
 public:
  /// `route`: of the interrupt that activates it; null for a load.
  RtosTask(Rtos& kernel, RtosCpu& cpu, const TaskConfig& config, RtosRoute* route);

  void start();
  /// By a handler, for `flight`, or by its timer. A second activation while the first is under way is kept; false if
  /// there is one already.
  bool activate(Flight* flight);

  RtosCpu& cpu() const { return cpu_; }
  /// Of its timer; kNever: off.
  Time due() const { return due_; }

 private:
  using Then = void (RtosTask::*)();

  void step(RtosCode code, Then then);
  void compute(Duration time, Then then);
  Duration begin() {
    return code_ == RtosCode::task ? kernel_.execute(cpu_.index(), code_, route_->program)
                                   : kernel_.execute(cpu_.index(), code_);
  }
  void done() { (this->*then_)(); }
  void streams(bool now);
  void dispatched();
  /// A hypercall, if it makes one; then `then`.
  void call(Then then);
  void computed();
  void read_clock();
  void answered();
  void worked();
  void finished();
  void blocked();
  /// The time of a load's next activation has passed.
  bool behind() const;
  Duration interval();

  Rtos& kernel_;
  RtosCpu& cpu_;
  TaskConfig config_;
  RtosRoute* route_;
  RandomStream stream_;
  Distribution exponential_;
  Work work_;
  Core* streams_on_ = nullptr;
  RtosCode code_{};
  Then then_ = nullptr;
  bool active_ = false;
  Flight* flight_ = nullptr;
  Flight* kept_ = nullptr;
  Time planned_{};  // a load's next activation, or the one under way
  Time due_ = kNever;
  std::size_t piece_ = 0;
};

}  // namespace vecusim
