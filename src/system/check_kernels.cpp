// What each kernel's tasks may not ask for.
#include "system/check_kernels.hpp"

#include <algorithm>
#include <string>

#include "system/findings.hpp"
#include "system/json_pointer.hpp"

namespace vecusim {

namespace {

void rtos_task(const TaskConfig& task, const std::string& pointer, Findings& found) {
  if (task.cpus.size() > 1) {
    found.error(json::child(pointer, "cpus"), "one CPU, as a task of an rtos does not move",
                std::to_string(task.cpus.size()) + " CPUs");
  }
  found.refuse(!task.notify.empty(), pointer, "notify", "no such key under an rtos, which sends no events");
  found.refuse(task.stall.has_value(), pointer, "stall", "no such key under an rtos");
  if (task.print_chars > 0) {
    found.error(json::child(pointer, "print_chars"), "0 under an rtos, which has no console",
                std::to_string(task.print_chars));
  }
  if (task.model != TaskModel::interrupt) return;
  if (task.interface != Interface::sysfs && task.interface != Interface::cdev) return;
  found.error(json::child(pointer, "interface"), "\"kernel\" or \"task\" under an rtos",
              task.interface == Interface::sysfs ? "\"sysfs\"" : "\"cdev\"");
}

void linux_task(const TaskConfig& task, const std::string& pointer, Findings& found) {
  if (task.model != TaskModel::interrupt || task.interface != Interface::task) return;
  found.error(json::child(pointer, "interface"), "\"sysfs\", \"cdev\" or \"kernel\" under Linux", "\"task\"");
}

}  // namespace

std::vector<Problem> kernel_problems(const Scenario& scenario) {
  Findings found;
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
      found.refuse(task.hypercall && scenario.hypervisor.model.name() != "xen", pointer, "hypercall",
                   "no such key without Xen");
    }
  }
  for (std::size_t i = 0; i < scenario.interrupts.size(); ++i) {
    const InterruptConfig& interrupt = scenario.interrupts[i];
    const bool rtos = std::any_of(scenario.domains.begin(), scenario.domains.end(), [&](const DomainConfig& domain) {
      return domain.name == interrupt.target && domain.os.model == OsModel::rtos;
    });
    const std::string pointer = json::child(json::child("/interrupts", i), "source");
    if (rtos && interrupt.source == kEventSource) {
      found.error(pointer, "a pin or a device under an rtos, which takes no events", "\"event\"");
    }
    if (rtos && interrupt.source == kTimerSource) {
      found.error(pointer, "a pin or a device under an rtos, whose tasks' sleep is not measured", "\"timer\"");
    }
  }
  return found.take();
}

}  // namespace vecusim
