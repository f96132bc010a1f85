// What an ftrace shows: how soon tasks ran after they were woken, and how long handlers and softirqs took.
#pragma once

#include "analysis/read_ftrace.hpp"
#include "analysis/reading.hpp"

namespace vecusim {

struct FtraceSummary {
  /// One series for each task that was woken: "rt-812", from its first wake-up to its switch in.
  LatencyReading wakeups = {};
  /// "irq 162 arch_timer", from entry to exit on one CPU, with what interrupted it.
  LatencyReading handlers = {};
  /// "softirq TIMER".
  LatencyReading softirqs = {};
};

FtraceSummary summarize(const FtraceReading& trace);

}  // namespace vecusim
