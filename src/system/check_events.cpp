// Both ends of event channels.
#include "system/check_events.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "system/findings.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"

namespace vecusim {

namespace {

std::vector<std::string> events_of(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const InterruptConfig& interrupt : scenario.interrupts) {
    if (interrupt.source == kEventSource) names.push_back(interrupt.name);
  }
  return names;
}

}  // namespace

std::vector<Problem> event_problems(const Scenario& scenario) {
  Findings found;
  const bool xen = scenario.hypervisor.model.name() == "xen";
  const std::vector<std::string> events = events_of(scenario);
  std::set<std::string> notified;
  for (std::size_t d = 0; d < scenario.domains.size(); ++d) {
    const std::vector<TaskConfig>& tasks = scenario.domains[d].tasks;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      if (tasks[t].notify.empty()) continue;
      notified.insert(tasks[t].notify);
      if (std::find(events.begin(), events.end(), tasks[t].notify) != events.end()) continue;
      const std::string list = json::child(json::child("/domains", d), "tasks");
      found.error(json::child(json::child(list, t), "notify"), "an interrupt of source \"event\"",
                  json::quoted(tasks[t].notify), nearest(tasks[t].notify, events));
    }
  }
  for (std::size_t i = 0; i < scenario.interrupts.size(); ++i) {
    const InterruptConfig& interrupt = scenario.interrupts[i];
    if (interrupt.source != kEventSource) continue;
    const std::string pointer = json::child(json::child("/interrupts", i), "source");
    if (!xen) found.error(pointer, "another source: only Xen has event channels", "\"event\"");
    if (notified.contains(interrupt.name)) continue;
    found.error(pointer, "a task that notifies " + json::quoted(interrupt.name), "none");
  }
  return found.take();
}

}  // namespace vecusim
