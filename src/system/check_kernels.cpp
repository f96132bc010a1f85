// What each kernel's tasks may not ask for.
#include "system/check_kernels.hpp"

#include <algorithm>
#include <string>

#include "system/json_pointer.hpp"

namespace vecusim {

namespace {

class Found {
 public:
  std::vector<Problem> all;

  void add(std::string expected, std::string found) {
    all.push_back({.place = {},
                   .pointer = pointer,
                   .expected = std::move(expected),
                   .found = std::move(found),
                   .suggestion = {}});
  }
  void in(const std::string& task, const char* key) { pointer = json::child(task, key); }

 private:
  std::string pointer;
};

void rtos_task(const TaskConfig& task, const std::string& pointer, Found& found) {
  found.in(pointer, "cpus");
  if (task.cpus.size() > 1) {
    found.add("one CPU, as a task of an rtos does not move", std::to_string(task.cpus.size()) + " CPUs");
  }
  found.in(pointer, "notify");
  if (!task.notify.empty()) found.add("no such key under an rtos, which sends no events", "\"notify\"");
  found.in(pointer, "stall");
  if (task.stall) found.add("no such key under an rtos", "\"stall\"");
  found.in(pointer, "print_chars");
  if (task.print_chars > 0) found.add("0 under an rtos, which has no console", std::to_string(task.print_chars));
  found.in(pointer, "interface");
  if (task.model != TaskModel::interrupt) return;
  if (task.interface == Interface::sysfs) found.add("\"kernel\" or \"task\" under an rtos", "\"sysfs\"");
  if (task.interface == Interface::cdev) found.add("\"kernel\" or \"task\" under an rtos", "\"cdev\"");
}

void linux_task(const TaskConfig& task, const std::string& pointer, Found& found) {
  found.in(pointer, "interface");
  if (task.model == TaskModel::interrupt && task.interface == Interface::task) {
    found.add("\"sysfs\", \"cdev\" or \"kernel\" under Linux", "\"task\"");
  }
}

}  // namespace

std::vector<Problem> kernel_problems(const Scenario& scenario) {
  Found found;
  for (std::size_t d = 0; d < scenario.domains.size(); ++d) {
    const DomainConfig& domain = scenario.domains[d];
    const std::string tasks = json::child(json::child("/domains", d), "tasks");
    for (std::size_t t = 0; t < domain.tasks.size(); ++t) {
      const TaskConfig& task = domain.tasks[t];
      const std::string pointer = json::child(tasks, t);
      if (domain.os.model == OsModel::rtos) {
        rtos_task(task, pointer, found);
      } else {
        linux_task(task, pointer, found);
      }
      found.in(pointer, "hypercall");
      if (task.hypercall && scenario.hypervisor.model.name() != "xen") {
        found.add("no such key without Xen", "\"hypercall\"");
      }
    }
  }
  for (std::size_t i = 0; i < scenario.interrupts.size(); ++i) {
    const InterruptConfig& interrupt = scenario.interrupts[i];
    const bool rtos = std::any_of(scenario.domains.begin(), scenario.domains.end(), [&](const DomainConfig& domain) {
      return domain.name == interrupt.target && domain.os.model == OsModel::rtos;
    });
    found.in(json::child("/interrupts", i), "source");
    if (rtos && interrupt.source == kEventSource) {
      found.add("a pin or a device under an rtos, which takes no events", "\"event\"");
    }
    if (rtos && interrupt.source == kTimerSource) {
      found.add("a pin or a device under an rtos, whose tasks' sleep is not measured", "\"timer\"");
    }
  }
  return std::move(found.all);
}

}  // namespace vecusim
