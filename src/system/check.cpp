// Rules over several parts of a scenario, and lint: what is wrong is an error, what is probably not meant is a warning.
#include <algorithm>
#include <cmath>
#include <set>

#include "system/check_events.hpp"
#include "system/check_frames.hpp"
#include "system/check_kernels.hpp"
#include "system/check_kvm.hpp"
#include "system/check_network.hpp"
#include "system/check_partition.hpp"
#include "system/check_tcg.hpp"
#include "system/check_xen.hpp"
#include "system/findings.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/lint_console.hpp"
#include "system/lint_linux.hpp"
#include "system/nearest.hpp"
#include "system/present_scenario.hpp"
#include "system/scenario.hpp"

namespace vecusim {

namespace {

class Checker {
 public:
  Checker(const PresentScenario& present, const json::Node& document, Problems& problems)
      : present_(present), scenario_(present.scenario), document_(document), problems_(problems) {
    spec_ = scenario_.board.spec();
    for (const auto& domain : scenario_.domains) domain_names_.push_back(domain.name);
    for (const auto& interrupt : scenario_.interrupts) interrupt_names_.push_back(interrupt.name);
  }

  void run() {
    unique("/domains", domain_names_, "a name of its own for each domain");
    unique("/interrupts", interrupt_names_, "a name of its own for each interrupt");
    if (scenario_.domains.empty()) problem("/domains", "at least one domain", "none");
    if (scenario_.hypervisor.model.name() == "native") {
      native();
    } else if (scenario_.hypervisor.model.name() == "tcg") {
      tcg();
    } else if (scenario_.hypervisor.model.name() == "kvm") {
      for (std::size_t i = 0; i < scenario_.domains.size(); ++i) virtual_cpus(i);
    } else {
      for (std::size_t i = 0; i < scenario_.domains.size(); ++i) virtual_cpus(i);
      one_owner();
      if (scenario_.hypervisor.model.name() == "partition") report(partition_problems(scenario_));
      if (scenario_.hypervisor.model.name() == "xen") {
        report(cpupool_problems(scenario_, spec_));
        if (!problems_.has_errors()) report(scheduler_problems(scenario_, spec_));
        report(lint_console(scenario_));
      }
    }
    for (std::size_t i = 0; i < scenario_.domains.size(); ++i) domain(i);
    for (std::size_t i = 0; i < scenario_.interrupts.size(); ++i) interrupt(i);
    own_sources();
    report(event_problems(scenario_));
    report(frame_problems(scenario_));
    followers();
    routing();
    report(kernel_problems(scenario_));
    report(kvm_problems(scenario_, spec_));
    report(network_problems(scenario_));
    report(color_problems(scenario_));
    report(lint_linux(scenario_));
    length();
  }

 private:
  void problem(const std::string& present_pointer, std::string expected, std::string found, std::string suggestion = {},
               Severity severity = Severity::error, std::string rule = {}) {
    const std::string pointer = present_.in_document(present_pointer);
    // A value that is not in the document, being a default, is located where its parent stands.
    std::string at = pointer;
    const json::Node* node = json::find(document_, at);
    while (node == nullptr && !at.empty()) {
      at.erase(at.rfind('/'));
      node = json::find(document_, at);
    }
    problems_.add({.place = node == nullptr ? Place{} : node->place,
                   .pointer = pointer,
                   .expected = std::move(expected),
                   .found = std::move(found),
                   .suggestion = std::move(suggestion),
                   .severity = severity,
                   .rule = std::move(rule)});
  }

  void unique(const std::string& list, const std::vector<std::string>& names, const std::string& expected) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string pointer = json::child(json::child(list, i), "name");
      if (names[i].empty()) problem(pointer, "a name", "an empty one");
      if (!seen.insert(names[i]).second) problem(pointer, expected, json::quoted(names[i]) + " again");
    }
  }

  void native() {
    if (scenario_.domains.size() != 1) {
      problem("/domains", "exactly one domain, named \"linux\" or \"rtos\", as there is no hypervisor",
              std::to_string(scenario_.domains.size()) + " domains");
    } else {
      const DomainConfig& domain = scenario_.domains.front();
      const std::string name = domain.os.model == OsModel::linux ? "linux" : "rtos";
      if (domain.name != name) {
        problem("/domains/0/name", json::quoted(name) + ", the one domain there is without a hypervisor",
                json::quoted(domain.name));
      }
    }
    if (!scenario_.domains.empty()) no_sharing(scenario_.domains.front());
  }

  // The board's cores are the domain's: there is nothing to share.
  void no_sharing(const DomainConfig& domain) {
    Findings found;
    const std::string expected = "no such key without a hypervisor";
    found.refuse(domain.vcpus.has_value(), "/domains/0", "vcpus", expected);
    found.refuse(!domain.affinity.empty(), "/domains/0", "affinity", expected);
    found.refuse_scheduling(domain, "/domains/0", expected);
    report(found.take());
  }

  void tcg() {
    report(check_tcg(scenario_.domains, scenario_.interrupts, spec_));
    for (std::size_t i = 0; i < scenario_.domains.size(); ++i) {
      affinity(json::child(json::child("/domains", i), "affinity"), scenario_.domains[i].affinity, 1);
    }
  }

  void virtual_cpus(std::size_t index) {
    const DomainConfig& domain = scenario_.domains[index];
    const std::string pointer = json::child("/domains", index);
    affinity(json::child(pointer, "affinity"), domain.affinity, cpus_of(domain));
    affinity(json::child(pointer, "soft_affinity"), domain.soft_affinity, domain.vcpus.value_or(1));
    if (domain.cap_pct && *domain.cap_pct > 100 * domain.vcpus.value_or(1)) {
      problem(json::child(pointer, "cap_pct"), "at most 100 for each vCPU, or Xen refuses it",
              std::to_string(*domain.cap_pct));
    }
  }

  void affinity(const std::string& pointer, const std::vector<std::vector<std::int64_t>>& lists, std::int64_t vcpus) {
    if (lists.size() > 1 && static_cast<std::int64_t>(lists.size()) != vcpus) {
      problem(pointer, "one list, or one for each of " + std::to_string(vcpus) + " vCPUs",
              std::to_string(lists.size()) + " lists");
    }
    for (std::size_t l = 0; l < lists.size(); ++l) {
      const std::string list = lists.size() == 1 ? pointer : json::child(pointer, l);
      if (lists[l].empty()) problem(list, "at least one pCPU", "an empty list");
      for (std::size_t i = 0; i < lists[l].size(); ++i) {
        if (lists[l][i] < spec_.cores()) continue;
        problem(json::child(list, i), "a pCPU of the board, 0 to " + std::to_string(spec_.cores() - 1),
                std::to_string(lists[l][i]));
      }
    }
  }

  void report(std::vector<Problem> found) {
    for (Problem& each : found) {
      problem(each.pointer, std::move(each.expected), std::move(each.found), std::move(each.suggestion), each.severity,
              std::move(each.rule));
    }
  }

  // All pins share one interrupt, and an interrupt belongs to one domain.
  void one_owner() {
    const InterruptConfig* first = nullptr;
    for (std::size_t i = 0; i < scenario_.interrupts.size(); ++i) {
      const InterruptConfig& interrupt = scenario_.interrupts[i];
      const auto source = source_of(spec_, interrupt.source);
      if (!source || source->kind != InterruptSource::Kind::pin) continue;
      if (first == nullptr) first = &interrupt;
      if (interrupt.target == first->target) continue;
      problem(json::child(json::child("/interrupts", i), "target"),
              "the domain of the other pins, " + json::quoted(first->target) +
                  ", as all pins share one interrupt of the controller",
              json::quoted(interrupt.target));
    }
  }

  std::int64_t cpus_of(const DomainConfig& domain) const {
    const std::string_view model = scenario_.hypervisor.model.name();
    if (model == "partition") return partition_cpus(domain);
    return model == "native" || (model != "xen" && domain.is_host()) ? spec_.cores() : domain.vcpus.value_or(1);
  }

  void domain(std::size_t index) {
    const DomainConfig& domain = scenario_.domains[index];
    const std::string pointer = json::child("/domains", index);
    if (domain.os.model == OsModel::linux) kernel_cpus(domain, json::child(pointer, "os"));
    const std::string tasks = json::child(pointer, "tasks");
    std::vector<std::string> names;
    for (const TaskConfig& task : domain.tasks) names.push_back(task.name);
    unique(tasks, names, "a name of its own for each task of a domain");
    for (std::size_t i = 0; i < domain.tasks.size(); ++i) task(domain, domain.tasks[i], json::child(tasks, i));
  }

  void cpus(const DomainConfig& domain, const std::vector<std::int64_t>& list, const std::string& pointer) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] < cpus_of(domain)) continue;
      problem(json::child(pointer, i), "a CPU of the domain, 0 to " + std::to_string(cpus_of(domain) - 1),
              std::to_string(list[i]));
    }
  }

  void kernel_cpus(const DomainConfig& domain, const std::string& os) {
    const LinuxConfig& linux = domain.os.linux;
    cpus(domain, linux.isolcpus, json::child(os, "isolcpus"));
    cpus(domain, linux.nohz_full, json::child(os, "nohz_full"));
    cpus(domain, linux.irqaffinity, json::child(os, "irqaffinity"));
    for (const auto& [key, list] : {std::pair{"isolcpus", &linux.isolcpus}, {"nohz_full", &linux.nohz_full}}) {
      if (static_cast<std::int64_t>(std::set(list->begin(), list->end()).size()) < cpus_of(domain)) continue;
      problem(json::child(os, key), "at least one CPU that is left for the rest of the system", "all CPUs");
    }
  }

  void task(const DomainConfig& domain, const TaskConfig& task, const std::string& pointer) {
    cpus(domain, task.cpus, json::child(pointer, "cpus"));
    cpus(domain, task.hop_cpus, json::child(pointer, "hop_cpus"));
    if (task.model != TaskModel::interrupt) return;
    const auto named = std::find(interrupt_names_.begin(), interrupt_names_.end(), task.interrupt);
    if (named == interrupt_names_.end()) {
      problem(json::child(pointer, "interrupt"), "the name of an interrupt", json::quoted(task.interrupt),
              nearest(task.interrupt, interrupt_names_));
      return;
    }
    const auto& interrupt = scenario_.interrupts[static_cast<std::size_t>(named - interrupt_names_.begin())];
    if (interrupt.target != domain.name) {
      problem(json::child(pointer, "interrupt"), "an interrupt whose target is " + json::quoted(domain.name),
              json::quoted(task.interrupt) + ", whose target is " + json::quoted(interrupt.target));
    }
    if (task.interface == Interface::kernel && interrupt.measure.to == Point::user) {
      const std::string words = domain.os.model == OsModel::linux ? "\"sysfs\" or \"cdev\"" : "\"task\"";
      problem(json::child(pointer, "interface"), words + ", as the latency is measured to \"user\"",
              "\"kernel\", which has no user program");
    }
  }

  void interrupt(std::size_t index) {
    const InterruptConfig& interrupt = scenario_.interrupts[index];
    const std::string pointer = json::child("/interrupts", index);
    if (!source_of(spec_, interrupt.source)) {
      problem(json::child(pointer, "source"), sources(), json::quoted(interrupt.source));
    }
    clock(interrupt, json::child(json::child(pointer, "measure"), "clock"));
    if (std::find(domain_names_.begin(), domain_names_.end(), interrupt.target) == domain_names_.end()) {
      problem(json::child(pointer, "target"),
              present_.known(interrupt.target)
                  ? "a domain that exists under " + json::quoted(scenario_.hypervisor.model.name())
                  : "the name of a domain",
              json::quoted(interrupt.target), nearest(interrupt.target, domain_names_));
    }
    std::size_t handlers = 0;
    for (const DomainConfig& domain : scenario_.domains) {
      for (const TaskConfig& task : domain.tasks) {
        handlers += static_cast<std::size_t>(task.model == TaskModel::interrupt && task.interrupt == interrupt.name);
      }
    }
    const std::string one = "exactly one task of model \"interrupt\" that handles it";
    if (handlers != 1) problem(json::child(pointer, "name"), one, std::to_string(handlers) + " such tasks");
    if (interrupt.requirement) requirement(interrupt, pointer);
  }

  // What the board has that can interrupt.
  std::string sources() const {
    const std::string last = "\"gpio" + std::to_string(spec_.gpio_pins - 1) + "\"";
    std::string all = spec_.gpio_pins > 0 ? "a pin of the board, \"gpio0\" to " + last : "";
    for (const BoardSpec::Line& line : spec_.lines) {
      all += (all.empty() ? "a line of the board, " : ", or ") + json::quoted(line.name);
    }
    return all + (all.empty() ? "" : ", or ") + "\"timer\"";
  }

  bool sleeps(const InterruptConfig& interrupt) const {
    const auto source = source_of(spec_, interrupt.source);
    return source && source->kind == InterruptSource::Kind::timer;
  }

  // The clock that measures must see where the latency begins.
  void clock(const InterruptConfig& interrupt, const std::string& pointer) {
    const MeasureConfig& measure = interrupt.measure;
    if (sleeps(interrupt)) {
      if (measure.clock == MeasureClock::target) return;
      problem(pointer, "\"target\": only the task's own clock knows when its timer was due", "\"stimulus\"");
    } else if (measure.clock == MeasureClock::target && measure.from <= Point::edge) {
      problem(pointer, "\"stimulus\": the target's clock cannot see the input edge", "\"target\"");
    }
  }

  void requirement(const InterruptConfig& interrupt, const std::string& pointer) {
    const double p = interrupt.requirement->percentile / 100.0;
    const StimulusConfig& stimulus = leading(static_cast<std::size_t>(&interrupt - scenario_.interrupts.data()));
    const auto edges =
        stimulus.model == StimulusModel::recorded ? static_cast<std::int64_t>(stimulus.times.size()) : stimulus.count;
    if (p >= 1.0 || edges == 0) return;
    const auto samples = static_cast<double>(edges) * static_cast<double>(scenario_.run.replications);
    const double needed = std::ceil(std::log(0.05) / std::log(p));
    if (samples >= needed) return;
    problem(json::child(json::child(pointer, "requirement"), "percentile"),
            "at least " + std::to_string(static_cast<std::int64_t>(needed)) +
                " answers to say anything of this percentile (0.95 confidence)",
            std::to_string(static_cast<std::int64_t>(samples)) + " stimuli", {}, Severity::warning,
            "percentile-samples");
  }

  void own_sources() {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < scenario_.interrupts.size(); ++i) {
      if (scenario_.interrupts[i].source == kEventSource) continue;
      if (sleeps(scenario_.interrupts[i])) continue;  // a kernel has timers enough
      if (seen.insert(scenario_.interrupts[i].source).second) continue;
      problem(json::child(json::child("/interrupts", i), "source"), "a source of its own for each interrupt",
              json::quoted(scenario_.interrupts[i].source) + " again");
    }
  }

  // A stimulus follows one that does not follow itself.
  void followers() {
    for (std::size_t i = 0; i < scenario_.interrupts.size(); ++i) {
      const StimulusConfig& stimulus = scenario_.interrupts[i].stimulus;
      if (stimulus.model != StimulusModel::follows) continue;
      if (leading(i).model != StimulusModel::follows) continue;
      problem(json::child(json::child(json::child("/interrupts", i), "stimulus"), "interrupt"),
              "the name of an interrupt whose stimulus follows no other", json::quoted(stimulus.interrupt),
              nearest(stimulus.interrupt, interrupt_names_));
    }
  }

  const StimulusConfig& leading(std::size_t index) const {
    return scenario_.interrupts[leader_of(scenario_.interrupts, index)].stimulus;
  }

  // All pins share one interrupt, and an interrupt is routed to one CPU.
  void routing() {
    const InterruptConfig* first = nullptr;
    for (std::size_t i = 0; i < scenario_.interrupts.size(); ++i) {
      const InterruptConfig& interrupt = scenario_.interrupts[i];
      const std::string pointer = json::child(json::child("/interrupts", i), "cpu");
      for (const DomainConfig& domain : scenario_.domains) {
        if (domain.name != interrupt.target || cpu_of(interrupt, scenario_.domains) < cpus_of(domain)) continue;
        problem(pointer, "a CPU of the domain, 0 to " + std::to_string(cpus_of(domain) - 1),
                std::to_string(cpu_of(interrupt, scenario_.domains)));
      }
      const auto source = source_of(spec_, interrupt.source);
      if (!source || source->kind != InterruptSource::Kind::pin) continue;
      if (scenario_.hypervisor.model.name() == "kvm") continue;  // kvm_problems()
      if (first == nullptr) first = &interrupt;
      if (cpu_of(interrupt, scenario_.domains) == cpu_of(*first, scenario_.domains)) continue;
      problem(pointer,
              "that of the other pins, " + std::to_string(cpu_of(*first, scenario_.domains)) +
                  ", as all pins share one interrupt of the controller",
              std::to_string(cpu_of(interrupt, scenario_.domains)));
    }
  }

  void length() {
    if (scenario_.run.measure) {
      if (scenario_.run.warmup >= *scenario_.run.measure) {
        problem("/run/warmup_ms", "less than measure_ms", "as much or more");
      }
      return;
    }
    const auto event = [](const InterruptConfig& interrupt) { return interrupt.source == kEventSource; };
    if (std::all_of(scenario_.interrupts.begin(), scenario_.interrupts.end(), event)) {
      problem("/run/measure_ms", "the length of a run, as there is no stimulus whose end could be waited for",
              "nothing");
    }
    for (std::size_t i = 0; i < scenario_.interrupts.size(); ++i) {
      const StimulusConfig& stimulus = scenario_.interrupts[i].stimulus;
      if (event(scenario_.interrupts[i]) || stimulus.count > 0 || stimulus.model == StimulusModel::recorded) continue;
      if (stimulus.model == StimulusModel::follows) continue;
      problem(json::child(json::child("/interrupts", i), "stimulus"), "a \"count\", or a \"measure_ms\" of the run",
              "neither: the run would never end", "count");
    }
  }

  const PresentScenario& present_;
  const Scenario& scenario_;
  const json::Node& document_;
  Problems& problems_;
  BoardSpec spec_;
  std::vector<std::string> domain_names_;
  std::vector<std::string> interrupt_names_;
};

}  // namespace

void check(const Scenario& scenario, const json::Node& document, Problems& problems) {
  Checker(PresentScenario(scenario), document, problems).run();
}

}  // namespace vecusim
