// Ksoftirqd: the thread of a CPU that does what softirqs may not do at once: of the kernel's own timers, and polls of
// network drivers.
#pragma once

#include <string_view>

#include "models/linux_thread.hpp"

namespace vecusim {

class Ksoftirqd final : public Thread {
 public:
  Ksoftirqd(Linux& kernel, LinuxCpu& its_cpu);
  void start() override {}
  void woken() override { next(); }
  /// More to do for timers.
  void add(Duration time) { left_ += time; }
  /// There is something to do, from code on its CPU.
  void kick();
  /// What is raised meanwhile is left to it, too.
  bool busy() const { return busy_; }

 private:
  void next();
  Duration poll_cost();
  void polled();

  LinuxCpu& cpu_;
  Duration left_{};
  bool busy_ = false;
};

}  // namespace vecusim
