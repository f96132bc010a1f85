// What a scenario says of a Linux kernel and of the tasks on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/fields.hpp"
#include "models/measure.hpp"
#include "models/rtos_config.hpp"

namespace vecusim {

/// When a woken task may take a CPU that executes in the kernel: never, at voluntary points, outside spinlocks, or (rt)
/// nearly always, with threaded interrupt handlers.
enum class Preempt : std::uint8_t { none, voluntary, full, rt };

/// What Linux gives the threads of interrupt handlers (SCHED_FIFO): specification of the mechanisms, section 1.2 (N8b).
inline constexpr std::int64_t kIrqThreadPriority = 50;
/// How much later the timer of a thread of the fair class may come, if it never asked for less:
/// prctl(PR_SET_TIMERSLACK). Real-time threads have none.
inline constexpr Duration kTimerSlack = 50us;
/// Of RT throttling: sched_rt_period_us.
inline constexpr Duration kRtPeriod = 1s;

struct LinuxConfig {
  Preempt preempt = Preempt::full;
  std::int64_t tick_hz = 250;
  /// When the first tick is, if there is one; drawn once per replication if not given.
  std::optional<Duration> tick_phase;
  /// CPUs that only those tasks use that name them, and on which nothing is moved from CPU to CPU.
  std::vector<std::int64_t> isolcpus;
  /// CPUs whose tick stops while they have one task only.
  std::vector<std::int64_t> nohz_full;
  /// CPUs that take the interrupts for which nothing else is said; the first one does. Empty: CPU 0.
  std::vector<std::int64_t> irqaffinity;
  /// Real-time tasks have a CPU for so many microseconds of each kRtPeriod; -1: for all of it.
  std::int64_t sched_rt_runtime_us = 950'000;
  void fields(FieldVisitor& visit);
};

enum class OsModel : std::uint8_t { linux, rtos };

struct OsConfig {
  OsModel model = OsModel::linux;
  LinuxConfig linux;
  RtosConfig rtos;
  void fields(FieldVisitor& visit);
};

enum class TaskModel : std::uint8_t { interrupt, hog, periodic, sporadic, recorded, cyclictest };
enum class TaskPolicy : std::uint8_t { other, fifo, rr };
/// How an edge reaches its task: sysfs edge and poll(), a gpiochip event descriptor, a handler in the kernel alone, or
/// (rtos) a handler that activates the task.
enum class Interface : std::uint8_t { sysfs, cdev, kernel, task };
enum class Language : std::uint8_t { c, python };
/// Where a task notes what it measured, before it answers.
enum class Record : std::uint8_t { none, file, console };
/// How a task sets its output pin: through sysfs, or by a store to the mapped registers.
enum class Answer : std::uint8_t { sysfs, mmap };

/// A call of the hypervisor that it does not preempt: it allocates 2^allocate_order pages at once, as the tools do that
/// populate a new domain's memory.
struct HypercallConfig {
  std::int64_t allocate_order = 0;
  /// Each page is written back to memory, so that no cache hides its old content.
  bool flush = true;
  void fields(FieldVisitor& visit);
};

enum class StallModel : std::uint8_t { wbinvd, posted_writes, cli };

/// Something that nothing can preempt. In a guest the first two are the hypervisor's to emulate and hold up nobody.
struct StallConfig {
  StallModel model = StallModel::wbinvd;
  /// wbinvd: the share of the L2 cache's lines that are to be written back, uniform between these.
  double least_dirty_pct = 0.0;
  double most_dirty_pct = 100.0;
  /// posted_writes, cli: its length, uniform between these.
  Duration least{};
  Duration most{};
  void fields(FieldVisitor& visit);
};

struct TaskConfig {
  std::string name;
  TaskModel model = TaskModel::hog;
  /// All but interrupt and cyclictest: false if the scenario does without it.
  bool enabled = true;
  TaskPolicy policy = TaskPolicy::other;
  /// fifo, rr and tasks of an rtos: 1 (least urgent) to 99.
  std::int64_t priority = 50;
  /// CPUs of the domain that the task may run on; empty: all.
  std::vector<std::int64_t> cpus;

  // interrupt
  std::string interrupt;
  Interface interface = Interface::sysfs;
  Language language = Language::c;
  Record record = Record::file;
  /// console: length of the line, the newline included.
  std::optional<std::int64_t> record_chars;
  std::int64_t line() const { return record == Record::console ? record_chars.value_or(20) : 0; }
  Answer answer = Answer::sysfs;
  /// Cycles that the program computes between reading and noting, beyond its language's own.
  std::int64_t work_cycles = 0;
  /// Threads through which the handler's wake-up is handed before it reaches the task.
  std::int64_t hops = 0;
  /// CPU time of each of them before and after it wakes the next one, and the CPUs that they may run on; empty: all.
  Duration hop_work{};
  Duration hop_more{};
  std::vector<std::int64_t> hop_cpus;
  // interrupt, periodic, sporadic
  /// An interrupt of another domain that it notifies when it has done its work; empty: none.
  std::string notify;
  // periodic, sporadic
  Duration period = 10ms;
  Duration work{};
  /// periodic, sporadic: printed on the kernel's console at the end of each activation, the newline included.
  std::int64_t print_chars = 0;
  /// What a load reads and writes beyond all caches while it runs.
  std::int64_t memory_mbps = 0;
  /// interrupt: before it reads its clock; periodic, sporadic: after its work.
  std::optional<HypercallConfig> hypercall;
  /// periodic, sporadic: after its work.
  std::optional<StallConfig> stall;
  // cyclictest: each thread sleeps until absolute times and reads the clock; the n-th one has an interval that is n
  // distances longer, and runs on the n-th of `cpus`. A scenario that has been read has a task and an interrupt for
  // each of them instead.
  Duration interval = 1ms;
  Duration distance = 500us;
  std::int64_t threads = 1;
  std::int64_t loops = 0;
  std::optional<RequirementConfig> requirement;
  // recorded: alternating run and sleep lengths, repeated
  std::vector<Duration> runs;
  std::vector<Duration> sleeps;

  void fields(FieldVisitor& visit);
};

}  // namespace vecusim
