// Reads ftrace's text, as the kernel's trace file and trace-cmd report give it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/time.hpp"
#include "system/problem.hpp"

namespace vecusim {

enum class FtraceEvent : std::uint8_t {
  sched_switch,  ///< `number` and `name`: the next task; `previous`…: the one that leaves
  sched_wakeup,  ///< also sched_waking and sched_wakeup_new: `number` and `name` are woken on `target_cpu`
  irq_entry,     ///< `number`: the interrupt; `name`: its handler's
  irq_exit,
  softirq_raise,  ///< `number`: the vector; `name`: its action
  softirq_entry,
  softirq_exit
};

struct FtraceRecord {
  /// Since the trace's clock began.
  Duration at;
  std::uint32_t line;
  /// Indices of FtraceReading::names.
  std::uint32_t name = 0;
  std::uint32_t previous_name = 0;
  /// A task's pid, an interrupt or a softirq vector, by the event.
  std::int32_t number = 0;
  std::int32_t previous = 0;
  /// As the kernel prints them: 120 is nice 0, 99 - prio is the real-time priority.
  std::int32_t priority = 0;
  std::int32_t previous_priority = 0;
  std::uint16_t cpu = 0;
  std::uint16_t target_cpu = 0;
  FtraceEvent event{};
  /// Of the task that leaves: R is runnable (preempted), S and D sleep.
  char previous_state = '?';
};

struct FtraceReading {
  /// In the order of the file.
  std::vector<FtraceRecord> records = {};
  /// Of tasks, handlers and actions; the first is empty.
  std::vector<std::string> names = {""};
  /// Events that were recognised and are not used here, and how many there are.
  std::map<std::string, std::uint64_t> others = {};
  /// That the ring had no room for.
  std::uint64_t lost_events = 0;
  Problems problems = {};
};

/// Both forms of the fields are known: `prev_comm=a prev_pid=1 …` of the kernel and `a:1 [120] R ==> …` of trace-cmd.
FtraceReading read_ftrace(std::string_view text, const std::string& name);

}  // namespace vecusim
