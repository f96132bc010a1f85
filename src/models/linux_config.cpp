// The fields of a Linux kernel and its tasks.
#include "models/linux_config.hpp"

#include <array>

namespace vecusim {

namespace {

constexpr std::array kPreempts = {Option{"none", "a woken task waits until the kernel returns to user mode"},
                                  Option{"voluntary", "… or passes a voluntary scheduling point"},
                                  Option{"full", "… or leaves its spinlock or softirq section"},
                                  Option{"rt", "only raw spinlocks hold it up; interrupt handlers are threads"}};
constexpr std::array kOsModels = {Option{"linux", "a Linux kernel"},
                                  Option{"rtos", "a real-time kernel: handlers over tasks of fixed priorities"}};
constexpr std::array kTaskModels = {
    Option{"interrupt", "waits for an interrupt of the scenario and answers it"},
    Option{"hog", "computes without end"},
    Option{"periodic", "computes `work_us` every `period_us`"},
    Option{"sporadic", "computes `work_us` at Poisson times of mean distance `period_us`"},
    Option{"recorded", "repeats recorded lengths of running and sleeping"},
    Option{"cyclictest",
           "linux: short for a task of model \"interrupt\" and an interrupt of source \"timer\" for each"
           " of its threads"}};
constexpr std::array kStalls = {
    Option{"wbinvd", "all CPUs write back and empty their caches at once, as for a change of memory attributes"},
    Option{"posted_writes", "its CPU waits until a device has taken what was written to it"},
    Option{"cli", "its CPU's interrupts are off"}};
constexpr std::array kPolicies = {Option{"other", "the fair class"},
                                  Option{"fifo", "SCHED_FIFO: runs until it blocks or a more urgent task is runnable"},
                                  Option{"rr", "SCHED_RR: as fifo, taking turns with equals every 100 ms"}};
constexpr std::array kInterfaces = {Option{"sysfs", "poll() on the pin's value file"},
                                    Option{"cdev", "a gpiochip event descriptor, served by a threaded handler"},
                                    Option{"kernel", "a handler in the kernel answers; no user program"},
                                    Option{"task", "rtos: a handler activates the task"}};
constexpr std::array kLanguages = {Option{"c", "compiled code"}, Option{"python", "an interpreter"}};
constexpr std::array kRecords = {Option{"none", "nothing is noted before the answer"},
                                 Option{"file", "a line is formatted and written to a file in memory"},
                                 Option{"console", "a line is formatted and printed on the kernel's console"}};
constexpr std::array kAnswers = {Option{"sysfs", "a write to the pin's value file"},
                                 Option{"mmap", "a store to the mapped register"}};

constexpr auto kTime = Range<Duration>{Duration::zero(), 1000s};
constexpr auto kLine = Range<std::int64_t>{1, 4096};
constexpr auto kPeriod = Range<Duration>{1us, 1000s};

void cpu_list(FieldVisitor& visit, const Field& field, std::vector<std::int64_t>& cpus) {
  std::vector<std::vector<std::int64_t>> lists;
  if (!cpus.empty()) lists.push_back(cpus);
  visit.index_lists(field, lists, {0, 1023});
  visit.require(lists.size() <= 1, field.key, "one list of CPUs");
  cpus = lists.empty() ? std::vector<std::int64_t>{} : lists.front();
}

class TaskFields final : public Alternatives {
 public:
  explicit TaskFields(TaskConfig& task) : task_(task) {}
  std::span<const Option> options() const override { return kTaskModels; }
  std::size_t current() const override { return static_cast<std::size_t>(task_.model); }
  void select(std::size_t option) override { task_.model = static_cast<TaskModel>(option); }
  void fields(FieldVisitor& visit) override {
    switch (task_.model) {
      case TaskModel::interrupt:
        interrupt(visit);
        break;
      case TaskModel::hog:
        memory(visit);
        enabled(visit);
        break;
      case TaskModel::periodic:
      case TaskModel::sporadic:
        visit.duration({"period_us", "from activation to activation", true}, task_.period, kPeriod);
        visit.duration({"work_us", "CPU time per activation", true}, task_.work, kTime);
        memory(visit);
        visit.integer({"print_chars", "then it prints a line of this many characters, the newline included; 0: none"},
                      task_.print_chars, {0, kLine.hi});
        notify(visit);
        hypercall(visit, "xen: a hypercall after its work");
        stall(visit);
        enabled(visit);
        break;
      case TaskModel::recorded:
        visit.durations({"run_us", "lengths of running", true}, task_.runs, kTime);
        visit.durations({"sleep_us", "lengths of sleeping, one after each of running", true}, task_.sleeps, kTime);
        visit.require(!task_.runs.empty() && task_.runs.size() == task_.sleeps.size(), "sleep_us",
                      "as many lengths as run_us, at least one");
        memory(visit);
        enabled(visit);
        break;
      case TaskModel::cyclictest:
        cyclictest(visit);
    }
  }

 private:
  void interrupt(FieldVisitor& visit) {
    visit.text({"interrupt", "name of the interrupt it waits for", true}, task_.interrupt);
    visit.choice({"interface", "how the edge reaches the task"}, task_.interface, kInterfaces);
    visit.choice({"language", "what its own code is written in"}, task_.language, kLanguages);
    visit.choice({"record", "what it notes before it answers"}, task_.record, kRecords);
    const Field length{"record_chars", "console: length of the line, the newline included; absent: 20"};
    visit.optional(length, task_.record_chars, [&](std::int64_t& chars) { visit.integer(length, chars, kLine); });
    visit.require(task_.record == Record::console || !task_.record_chars, "record_chars",
                  "no such key unless `record` is \"console\"");
    visit.integer({"hops", "threads through which the wake-up is handed before it reaches the task"}, task_.hops,
                  {0, 1000});
    visit.duration({"hop_work_us", "CPU time of each before it wakes the next one"}, task_.hop_work, kTime);
    visit.duration({"hop_more_us", "CPU time of each after that"}, task_.hop_more, kTime);
    cpu_list(visit, {"hop_cpus", "CPUs of the domain they may run on; absent: all"}, task_.hop_cpus);
    visit.require(task_.interface != Interface::kernel || task_.hops == 0, "hops", "0, as the handler itself answers");
    visit.choice({"answer", "how it sets its output pin"}, task_.answer, kAnswers);
    visit.integer({"work_cycles", "cycles of a native core that it computes before it notes and answers"},
                  task_.work_cycles, {0, 1'000'000'000});
    visit.require(task_.interface != Interface::kernel || task_.work_cycles == 0, "work_cycles",
                  "0, as the handler itself answers");
    notify(visit);
    hypercall(visit, "xen: a hypercall before it reads its clock");
  }
  void memory(FieldVisitor& visit) {
    const Field field{"memory_mbps",
                      "megabytes a second that it reads and writes beyond all caches while it runs; absent: 0"};
    if (visit.wants(field, task_.memory_mbps > 0)) {
      visit.integer(field, task_.memory_mbps, {0, 1'000'000});
    } else {
      task_.memory_mbps = 0;
    }
  }
  void cyclictest(FieldVisitor& visit) {
    visit.duration({"interval_us", "from one wake-up to the next"}, task_.interval, kPeriod);
    visit.duration({"distance_us", "how much longer the interval of each further thread is"}, task_.distance, kTime);
    visit.integer({"threads", "threads; the n-th one runs on the n-th of `cpus`, if there are any"}, task_.threads,
                  {1, 64});
    visit.integer({"loops", "wake-ups of each thread; 0: as long as the run lasts"}, task_.loops, {0, 1'000'000'000});
    const Field field{"requirement", "what the latency of each thread must meet"};
    visit.optional(field, task_.requirement, [&](RequirementConfig& r) { visit.object(field, r); });
  }
  void enabled(FieldVisitor& visit) {
    visit.flag({"enabled", "false: the scenario does without this task"}, task_.enabled);
  }
  void stall(FieldVisitor& visit) {
    const Field field{"stall", "linux: something after its work that nothing can preempt"};
    visit.optional(field, task_.stall, [&](StallConfig& value) { visit.object(field, value); });
  }
  void notify(FieldVisitor& visit) {
    const Field field{"notify", "an interrupt of source \"event\" to which it sends an event when its work is done"};
    if (visit.wants(field, !task_.notify.empty())) {
      visit.text(field, task_.notify);
    } else {
      task_.notify.clear();
    }
  }
  void hypercall(FieldVisitor& visit, std::string_view sentence) {
    const Field field{"hypercall", sentence};
    visit.optional(field, task_.hypercall, [&](HypercallConfig& value) { visit.object(field, value); });
  }

  TaskConfig& task_;
};

class StallFields final : public Alternatives {
 public:
  explicit StallFields(StallConfig& stall) : stall_(stall) {}
  std::span<const Option> options() const override { return kStalls; }
  std::size_t current() const override { return static_cast<std::size_t>(stall_.model); }
  void select(std::size_t option) override { stall_.model = static_cast<StallModel>(option); }
  void fields(FieldVisitor& visit) override {
    if (stall_.model == StallModel::wbinvd) {
      visit.number({"least_dirty_pct", "share of the L2 cache's lines to be written back: uniform from this"},
                   stall_.least_dirty_pct, {0.0, 100.0});
      visit.number({"most_dirty_pct", "… to this"}, stall_.most_dirty_pct, {0.0, 100.0});
      visit.require(stall_.least_dirty_pct <= stall_.most_dirty_pct, "most_dirty_pct", "at least least_dirty_pct");
    } else {
      visit.duration({"least_us", "its length: uniform from this", true}, stall_.least, kTime);
      visit.duration({"most_us", "… to this", true}, stall_.most, kTime);
      visit.require(stall_.least <= stall_.most, "most_us", "at least least_us");
    }
  }

 private:
  StallConfig& stall_;
};

class OsFields final : public Alternatives {
 public:
  explicit OsFields(OsConfig& os) : os_(os) {}
  std::span<const Option> options() const override { return kOsModels; }
  std::size_t current() const override { return static_cast<std::size_t>(os_.model); }
  void select(std::size_t option) override { os_.model = static_cast<OsModel>(option); }
  void fields(FieldVisitor& visit) override {
    switch (os_.model) {
      case OsModel::linux:
        os_.linux.fields(visit);
        break;
      case OsModel::rtos:
        os_.rtos.fields(visit);
    }
  }

 private:
  OsConfig& os_;
};

}  // namespace

void HypercallConfig::fields(FieldVisitor& visit) {
  visit.integer({"allocate_order",
                 "it allocates two to the power of this many pages at once; Xen looks at nothing else"
                 " meanwhile",
                 true},
                allocate_order, {0, 18});
  visit.flag({"flush", "each page is written back from the caches to memory"}, flush);
}

void StallConfig::fields(FieldVisitor& visit) {
  StallFields alternatives(*this);
  visit.alternatives({"model", "what it is", true}, alternatives);
}

void LinuxConfig::fields(FieldVisitor& visit) {
  visit.choice({"preempt", "when a woken task may take a CPU that executes in the kernel"}, preempt, kPreempts);
  visit.integer({"tick_hz", "rate of the tick; it stops when it finds its CPU idle"}, tick_hz, {24, 1000});
  visit.optional(
      Field{"tick_phase_us", "time of the first tick; if absent, uniform in one period, one draw per replication"},
      tick_phase, [&](Duration& phase) {
        visit.duration({"tick_phase_us", "time of the first tick"}, phase, {Duration::zero(), 1s});
      });
  cpu_list(visit, {"isolcpus", "CPUs that only tasks use that name them in `cpus`; nobody balances load between them"},
           isolcpus);
  cpu_list(visit, {"nohz_full", "CPUs whose tick stops while one task at most is runnable there"}, nohz_full);
  cpu_list(visit, {"irqaffinity", "CPUs for interrupts without a `cpu` of their own: the first; absent: CPU 0"},
           irqaffinity);
  visit.integer({"sched_rt_runtime_us",
                 "real-time tasks have each CPU for so much of every second (RT throttling); -1: for all of it"},
                sched_rt_runtime_us, {1000, kRtPeriod / 1us, -1});
}

void OsConfig::fields(FieldVisitor& visit) {
  OsFields alternatives(*this);
  visit.alternatives({"model", "which operating system", true}, alternatives);
}

void TaskConfig::fields(FieldVisitor& visit) {
  visit.text({"name", "how results name it", true}, name);
  TaskFields alternatives(*this);
  visit.alternatives({"model", "what it does", true}, alternatives);
  visit.choice({"policy", "linux: its scheduling class"}, policy, kPolicies);
  visit.integer({"priority", "fifo, rr and rtos: 1 (least urgent) to 99"}, priority, {1, 99});
  cpu_list(visit, {"cpus", "CPUs of the domain it may run on; absent: all; rtos: its one CPU; absent: 0"}, cpus);
}

}  // namespace vecusim
