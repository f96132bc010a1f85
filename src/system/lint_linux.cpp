// Lint of Linux kernels and their tasks.
#include "system/lint_linux.hpp"

#include <algorithm>

#include "system/findings.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

constexpr std::int64_t kRtPeriodUs = kRtPeriod / 1us;

bool contains(const std::vector<std::int64_t>& cpus, std::int64_t cpu) {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

class Linter {
 public:
  explicit Linter(const Scenario& scenario) : scenario_(scenario) {}

  std::vector<Problem> run() {
    for (std::size_t d = 0; d < scenario_.domains.size(); ++d) domain(d);
    return found_.take();
  }

 private:
  void domain(std::size_t index) {
    domain_ = &scenario_.domains[index];
    if (domain_->os.model != OsModel::linux) return;
    const std::string pointer = json::child("/domains", index);
    irqaffinity(json::child(pointer, "os"));
    const std::string tasks = json::child(pointer, "tasks");
    for (std::size_t t = 0; t < domain_->tasks.size(); ++t) {
      const TaskConfig& task = domain_->tasks[t];
      if (!task.enabled) continue;
      endless(task, json::child(tasks, t));
      not_balanced(task, json::child(tasks, t));
      if (task.model == TaskModel::interrupt) woken(task, json::child(tasks, t));
    }
  }

  // The kernel's default for interrupts must say what the isolation says.
  void irqaffinity(const std::string& os) {
    const LinuxConfig& linux = domain_->os.linux;
    for (const std::int64_t cpu : linux.irqaffinity) {
      if (!contains(linux.isolcpus, cpu) && !contains(linux.nohz_full, cpu)) continue;
      found_.warn(
          json::child(os, "irqaffinity"), "irqaffinity-isolated", "only CPUs that are not isolated",
          "CPU " + std::to_string(cpu) + ", which isolcpus or nohz_full names: interrupts may still come there");
      return;
    }
  }

  void endless(const TaskConfig& task, const std::string& pointer) {
    if (task.model != TaskModel::hog || task.policy == TaskPolicy::other) return;
    const std::int64_t runtime = domain_->os.linux.sched_rt_runtime_us;
    const std::string effect = runtime < 0 || runtime == kRtPeriodUs
                                   ? "nothing less urgent ever runs on its CPU"
                                   : "RT throttling stops it, and all real-time tasks of its CPU, for " +
                                         std::to_string(kRtPeriodUs - runtime) + " us of every second";
    found_.warn(json::child(pointer, "policy"), "endless-fifo", "\"other\" for a task that never sleeps",
                (task.policy == TaskPolicy::fifo ? "\"fifo\": " : "\"rr\": ") + effect);
  }

  void not_balanced(const TaskConfig& task, const std::string& pointer) {
    const auto isolated = std::count_if(task.cpus.begin(), task.cpus.end(),
                                        [&](std::int64_t cpu) { return contains(domain_->os.linux.isolcpus, cpu); });
    if (isolated < 2) return;
    found_.warn(json::child(pointer, "cpus"), "isolated-spread", "one CPU, as nobody moves tasks between isolated CPUs",
                std::to_string(isolated) + " isolated CPUs: it stays on the first one");
  }

  void woken(const TaskConfig& task, const std::string& pointer) {
    const auto interrupt = std::find_if(scenario_.interrupts.begin(), scenario_.interrupts.end(),
                                        [&](const InterruptConfig& each) { return each.name == task.interrupt; });
    if (interrupt == scenario_.interrupts.end()) return;
    if (interrupt->source == kTimerSource) {
      if (task.policy != TaskPolicy::other) return;
      found_.warn(json::child(pointer, "policy"), "timer-slack",
                  "\"fifo\" or \"rr\" for a task whose wake-up is measured",
                  "\"other\": its timer has a slack of " + std::to_string(kTimerSlack / 1us) +
                      " us, which is part of the latency");
      return;
    }
    const bool threaded = task.interface == Interface::cdev ||
                          (task.interface == Interface::sysfs && domain_->os.linux.preempt == Preempt::rt);
    if (threaded) outranked(task, cpu_of(*interrupt, *domain_), pointer);
  }

  // However urgent the task is, its interrupt's handler is not.
  void outranked(const TaskConfig& task, std::int64_t cpu, const std::string& pointer) {
    for (const TaskConfig& other : domain_->tasks) {
      const bool there = other.cpus.empty() ? !contains(domain_->os.linux.isolcpus, cpu) : contains(other.cpus, cpu);
      if (&other == &task || !other.enabled || other.model == TaskModel::interrupt || !there) continue;
      if (other.policy == TaskPolicy::other || other.priority <= kIrqThreadPriority) continue;
      found_.warn(json::child(pointer, "interrupt"), "irq-thread-outranked",
                  "no task above priority " + std::to_string(kIrqThreadPriority) +
                      " on the CPU of an interrupt whose handler is a thread",
                  json::quoted(other.name) + " at " + std::to_string(other.priority) + ": the handler waits for it");
      return;
    }
  }

  const Scenario& scenario_;
  Findings found_;
  const DomainConfig* domain_ = nullptr;
};

}  // namespace

std::vector<Problem> lint_linux(const Scenario& scenario) { return Linter(scenario).run(); }

}  // namespace vecusim
