// The host's Linux has the board, and guests are its threads.
#include "system/check_kvm.hpp"

#include <algorithm>

#include "system/findings.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

class KvmChecker {
 public:
  KvmChecker(const Scenario& scenario, const BoardSpec& board)
      : domains_(scenario.domains), interrupts_(scenario.interrupts), board_(board) {}

  std::vector<Problem> run() {
    if (std::count_if(domains_.begin(), domains_.end(), [](auto& d) { return d.is_host(); }) != 1) {
      found_.error("/domains", "one domain named \"host\" or \"linux\" under kvm, the Linux that has the board",
                   names());
      return found_.take();
    }
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      const std::string pointer = json::child("/domains", i);
      found_.refuse_scheduling(domains_[i], pointer,
                               "no such key under kvm: vCPUs are threads of the host, see `vcpu_policy`");
      if (domains_[i].is_host()) {
        host(domains_[i], pointer);
      } else {
        guest(domains_[i], pointer);
      }
    }
    for (std::size_t i = 0; i < interrupts_.size(); ++i) interrupt(interrupts_[i], json::child("/interrupts", i));
    pins();
    return found_.take();
  }

  std::vector<Problem> run_elsewhere() {
    const std::string expected = "no such key without kvm";
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      const std::string pointer = json::child("/domains", i);
      found_.refuse(domains_[i].vcpu_policy.has_value(), pointer, "vcpu_policy", expected);
      found_.refuse(domains_[i].devices.has_value(), pointer, "devices", expected);
    }
    for (std::size_t i = 0; i < interrupts_.size(); ++i) {
      found_.refuse(interrupts_[i].host_cpu.has_value(), json::child("/interrupts", i), "host_cpu", expected);
    }
    return found_.take();
  }

 private:
  std::string names() const {
    std::string all;
    for (const DomainConfig& domain : domains_) all += (all.empty() ? "" : ", ") + json::quoted(domain.name);
    return all.empty() ? "none" : all;
  }

  void host(const DomainConfig& domain, const std::string& pointer) {
    if (domain.os.model != OsModel::linux) {
      found_.error(json::child(json::child(pointer, "os"), "model"), "\"linux\" for the host", "another system");
    }
    found_.refuse(domain.vcpus.has_value(), pointer, "vcpus", "no such key for the host: its CPUs are the board's");
    found_.refuse(!domain.affinity.empty(), pointer, "affinity", "no such key for the host: its CPUs are the board's");
    found_.refuse(domain.vcpu_policy.has_value(), pointer, "vcpu_policy",
                  "no such key for the host, which has no vCPUs");
    found_.refuse(domain.devices.has_value(), pointer, "devices",
                  "no such key for the host, whose devices are the board's");
  }

  void guest(const DomainConfig& domain, const std::string& pointer) {
    if (domain.os.model == OsModel::rtos && domain.devices.value_or(GuestDevices::qemu) != GuestDevices::vfio) {
      const bool handles = std::any_of(interrupts_.begin(), interrupts_.end(), [&](const InterruptConfig& interrupt) {
        return interrupt.target == domain.name && !timed(interrupt);
      });
      if (handles)
        found_.error(json::child(pointer, "devices"), "\"vfio\" for the devices of an rtos", "emulated ones");
    }
    outranked(domain, pointer);
    crowded(domain, pointer);
  }

  // vCPU threads before a real-time task of the host: then it waits for as long as a guest computes.
  void outranked(const DomainConfig& domain, const std::string& pointer) {
    if (domain.vcpu_policy.value_or(TaskPolicy::other) == TaskPolicy::other) return;
    const std::int64_t priority = domain.vcpu_priority.value_or(1);
    for (const DomainConfig& host : domains_) {
      if (!host.is_host()) continue;
      for (const TaskConfig& task : host.tasks) {
        if (!task.enabled || task.policy == TaskPolicy::other || task.priority > priority) continue;
        if (!meet(domain, task)) continue;
        found_.warn(json::child(pointer, "vcpu_priority"), "vcpu-outranks-task",
                    "less than the " + std::to_string(task.priority) + " of " + json::quoted(task.name) +
                        ", a real-time task of the host on the same CPUs, or others for one of them",
                    std::to_string(priority) + ": the task waits for as long as a guest computes");
      }
    }
  }

  static bool meet(const DomainConfig& guest, const TaskConfig& task) {
    if (guest.affinity.empty() || task.cpus.empty()) return true;
    return std::any_of(guest.affinity.begin(), guest.affinity.end(), [&](const auto& cpus) {
      return std::any_of(cpus.begin(), cpus.end(), [&](std::int64_t cpu) {
        return std::find(task.cpus.begin(), task.cpus.end(), cpu) != task.cpus.end();
      });
    });
  }

  // Real-time vCPU threads that never sleep leave a CPU to nobody, not even to QEMU.
  void crowded(const DomainConfig& domain, const std::string& pointer) {
    const bool endless = std::any_of(domain.tasks.begin(), domain.tasks.end(), [](const TaskConfig& task) {
      return task.enabled && task.model == TaskModel::hog;
    });
    if (!endless || domain.vcpu_policy.value_or(TaskPolicy::other) == TaskPolicy::other) return;
    if (domain.devices.value_or(GuestDevices::qemu) == GuestDevices::vfio) return;
    found_.warn(json::child(pointer, "vcpu_policy"), "vcpu-starves-worker",
                "\"other\" for a guest that never sleeps, or devices passed through",
                "real-time threads: whoever serves its devices is in the fair class, and " + left_to_others() +
                    " on their CPUs");
  }

  // What RT throttling leaves.
  std::string left_to_others() const {
    constexpr std::int64_t kPeriod = 1'000'000;
    const auto host = std::find_if(domains_.begin(), domains_.end(), [](const auto& d) { return d.is_host(); });
    const std::int64_t runtime = host->os.linux.sched_rt_runtime_us;
    if (runtime < 0 || runtime >= kPeriod) return "never runs";
    return "runs " + std::to_string((kPeriod - runtime) / 1000) + " ms of each second (RT throttling)";
  }

  bool timed(const InterruptConfig& interrupt) const {
    const auto source = source_of(board_, interrupt.source);
    return source && source->kind == InterruptSource::Kind::timer;
  }

  void interrupt(const InterruptConfig& interrupt, const std::string& pointer) {
    if (!interrupt.host_cpu) return;
    const std::string at = json::child(pointer, "host_cpu");
    if (*interrupt.host_cpu >= board_.cores()) {
      found_.error(at, "a CPU of the host, 0 to " + std::to_string(board_.cores() - 1),
                   std::to_string(*interrupt.host_cpu));
    }
    const bool hosts = std::any_of(domains_.begin(), domains_.end(),
                                   [&](auto& d) { return d.is_host() && d.name == interrupt.target; });
    if (hosts || timed(interrupt)) found_.error(at, "no such key but for devices of guests; see `cpu`", "\"host_cpu\"");
  }

  const DomainConfig* target_of(const InterruptConfig& interrupt) const {
    const auto found =
        std::find_if(domains_.begin(), domains_.end(), [&](auto& domain) { return domain.name == interrupt.target; });
    return found == domains_.end() ? nullptr : &*found;
  }

  static bool passed_through(const DomainConfig& domain) {
    return !domain.is_host() && domain.devices.value_or(GuestDevices::qemu) == GuestDevices::vfio;
  }

  static std::int64_t host_cpu_of(const InterruptConfig& interrupt, const DomainConfig& target) {
    return target.is_host() ? cpu_of(interrupt, target) : interrupt.host_cpu.value_or(0);
  }

  // All pins share one interrupt: it is routed to one CPU, and passed through to one guest or to none.
  void pins() {
    const InterruptConfig* first = nullptr;
    for (std::size_t i = 0; i < interrupts_.size(); ++i) {
      const InterruptConfig& interrupt = interrupts_[i];
      const auto source = source_of(board_, interrupt.source);
      if (!source || source->kind != InterruptSource::Kind::pin || target_of(interrupt) == nullptr) continue;
      if (first == nullptr) first = &interrupt;
      same_route(interrupt, *first, json::child("/interrupts", i));
    }
  }

  void same_route(const InterruptConfig& interrupt, const InterruptConfig& first, const std::string& pointer) {
    const DomainConfig& target = *target_of(interrupt);
    const DomainConfig& other = *target_of(first);
    const std::string why = ", as all pins share one interrupt of the controller";
    if (&target != &other && (passed_through(target) || passed_through(other))) {
      found_.error(json::child(pointer, "target"), "the domain of the other pins, " + json::quoted(first.target) + why,
                   json::quoted(interrupt.target));
    }
    const std::int64_t cpu = host_cpu_of(interrupt, target);
    if (cpu != host_cpu_of(first, other)) {
      found_.error(json::child(pointer, target.is_host() ? "cpu" : "host_cpu"),
                   "that of the other pins, " + std::to_string(host_cpu_of(first, other)) + why, std::to_string(cpu));
    }
    if (&target == &other && cpu_of(interrupt, target) != cpu_of(first, target) && !target.is_host()) {
      found_.error(json::child(pointer, "cpu"),
                   "that of the other pins, " + std::to_string(cpu_of(first, target)) + why,
                   std::to_string(cpu_of(interrupt, target)));
    }
  }

  const std::vector<DomainConfig>& domains_;
  const std::vector<InterruptConfig>& interrupts_;
  const BoardSpec& board_;
  Findings found_;
};

}  // namespace

std::vector<Problem> kvm_problems(const Scenario& scenario, const BoardSpec& board) {
  KvmChecker checker(scenario, board);
  return scenario.hypervisor.model.name() == "kvm" ? checker.run() : checker.run_elsewhere();
}

}  // namespace vecusim
