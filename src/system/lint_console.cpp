// Consoles that are not there, and consoles that hold up more than their writer.
#include "system/lint_console.hpp"

#include "hypervisors/xen_config.hpp"
#include "system/findings.hpp"
#include "system/json_pointer.hpp"

namespace vecusim {

namespace {

void without_console(const TaskConfig& task, const std::string& pointer, Findings& found) {
  const bool records = task.record == Record::console;
  if (!records && task.print_chars == 0) return;
  found.error(json::child(pointer, records ? "record" : "print_chars"),
              "a `console` of the hypervisor, as dom0's is Xen's", "none");
}

void synchronous(const TaskConfig& task, const std::string& pointer, Findings& found) {
  if (task.model != TaskModel::interrupt || task.record != Record::console) return;
  found.warn(
      json::child(pointer, "record"), "sync-console", "\"file\", or a console that is not synchronous",
      "\"console\": the answer waits for the characters on the wire, and so does whatever else its pCPU has to do");
}

}  // namespace

std::vector<Problem> lint_console(const Scenario& scenario) {
  Findings found;
  if (scenario.hypervisor.model.name() != "xen") return found.take();
  const auto& xen = static_cast<const XenConfig&>(scenario.hypervisor.model.config());
  for (std::size_t d = 0; d < scenario.domains.size(); ++d) {
    if (scenario.domains[d].name != "dom0") continue;
    const std::string tasks = json::child(json::child("/domains", d), "tasks");
    for (std::size_t t = 0; t < scenario.domains[d].tasks.size(); ++t) {
      const TaskConfig& task = scenario.domains[d].tasks[t];
      if (!xen.console) without_console(task, json::child(tasks, t), found);
      if (xen.console && xen.console->sync) synchronous(task, json::child(tasks, t), found);
    }
  }
  return found.take();
}

}  // namespace vecusim
