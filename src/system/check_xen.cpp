// Who is in which cpupool, and each pool as its lint sees it.
#include "system/check_xen.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "hypervisors/xen_config.hpp"
#include "system/findings.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/lint_schedulers.hpp"
#include "system/nearest.hpp"

namespace vecusim {

namespace {

/// The domain that Xen starts itself, and that its tools cannot move out of the pool of the boot.
constexpr std::string_view kDom0 = "dom0";

const XenConfig& xen_of(const Scenario& scenario) {
  return static_cast<const XenConfig&>(scenario.hypervisor.model.config());
}

std::string pool_pointer(std::size_t pool) { return json::child("/hypervisor/cpupools", pool); }

class PoolChecker {
 public:
  PoolChecker(const Scenario& scenario, const BoardSpec& board)
      : scenario_(scenario), pools_(xen_of(scenario).cpupools), board_(board) {
    for (const CpupoolConfig& pool : pools_) names_.push_back(pool.name);
  }

  std::vector<Problem> run() {
    for (std::size_t i = 0; i < pools_.size(); ++i) pool(i);
    for (std::size_t i = 0; i < scenario_.domains.size(); ++i) domain(i);
    return found_.take();
  }

 private:
  void pool(std::size_t index) {
    const CpupoolConfig& pool = pools_[index];
    const std::string pointer = pool_pointer(index);
    if (std::count(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(index), pool.name) != 0) {
      found_.error(json::child(pointer, "name"), "a name of its own for each pool", json::quoted(pool.name) + " again");
    }
    if (pool.pcpus.empty()) found_.error(json::child(pointer, "pcpus"), "at least one pCPU", "an empty list");
    for (std::size_t i = 0; i < pool.pcpus.size(); ++i) pcpu(pool, json::child(json::child(pointer, "pcpus"), i), i);
  }

  void pcpu(const CpupoolConfig& pool, const std::string& pointer, std::size_t place) {
    const std::int64_t pcpu = pool.pcpus[place];
    if (pcpu >= board_.cores()) {
      found_.error(pointer, "a pCPU of the board, 0 to " + std::to_string(board_.cores() - 1), std::to_string(pcpu));
      return;
    }
    const auto [owner, first] = owner_of_.emplace(pcpu, pool.name);
    if (first) return;
    found_.error(pointer, "a pCPU of no other pool, nor twice of one",
                 std::to_string(pcpu) + ", which is in " + json::quoted(owner->second) + " already");
  }

  void domain(std::size_t index) {
    const DomainConfig& domain = scenario_.domains[index];
    const std::string pointer = json::child(json::child("/domains", index), "pool");
    if (pools_.empty()) {
      if (!domain.pool.empty()) {
        found_.error(pointer, "no such key without \"cpupools\" of the hypervisor", json::quoted(domain.pool));
      }
    } else if (domain.pool.empty()) {
      found_.error(pointer, "the name of the domain's cpupool", "nothing");
    } else if (std::find(names_.begin(), names_.end(), domain.pool) == names_.end()) {
      found_.error(pointer, "the name of a cpupool", json::quoted(domain.pool), nearest(domain.pool, names_));
    } else if (domain.name == kDom0 && domain.pool != names_.front()) {
      found_.error(pointer, "the first pool, " + json::quoted(names_.front()) + ", which dom0 cannot leave",
                   json::quoted(domain.pool));
    }
  }

  const Scenario& scenario_;
  const std::vector<CpupoolConfig>& pools_;
  const BoardSpec& board_;
  std::vector<std::string> names_;
  std::map<std::int64_t, std::string> owner_of_;
  Findings found_;
};

PcpuMask mask_of(const std::vector<std::int64_t>& pcpus) {
  PcpuMask mask;
  for (const std::int64_t pcpu : pcpus) mask.insert(static_cast<PcpuId>(pcpu));
  return mask;
}

LintedDomain linted(const DomainConfig& domain, std::size_t index) {
  LintedDomain result;
  result.pointer = json::child("/domains", index);
  result.name = domain.name;
  result.vcpus = static_cast<std::size_t>(domain.vcpus.value_or(1));
  result.weight = domain.weight;
  result.cap_pct = domain.cap_pct;
  result.budget = domain.budget;
  result.period = domain.period;
  result.extratime = domain.extratime;
  for (std::size_t v = 0; v < result.vcpus && !domain.affinity.empty(); ++v) {
    result.affinity.push_back(mask_of(domain.affinity[domain.affinity.size() == 1 ? 0 : v]));
  }
  return result;
}

/// The pool with the domains that name it; without cpupools none do.
LintedPool linted(const Scenario& scenario, const SchedulerChoice& scheduler, const std::string& name,
                  std::string pointer, PcpuMask pcpus) {
  LintedPool pool;
  pool.pointer = std::move(pointer);
  pool.scheduler = scheduler.name();
  pool.pcpus = pcpus;
  pool.vwfi_native = xen_of(scenario).vwfi == Vwfi::native;
  pool.table = scheduler.entry().table(scheduler.config());
  for (std::size_t i = 0; i < scenario.domains.size(); ++i) {
    if (scenario.domains[i].pool == name) pool.domains.push_back(linted(scenario.domains[i], i));
  }
  return pool;
}

}  // namespace

std::vector<Problem> cpupool_problems(const Scenario& scenario, const BoardSpec& board) {
  return PoolChecker(scenario, board).run();
}

std::vector<Problem> scheduler_problems(const Scenario& scenario, const BoardSpec& board) {
  const XenConfig& xen = xen_of(scenario);
  if (xen.cpupools.empty()) {
    return lint(linted(scenario, xen.scheduler, "", "/hypervisor/scheduler",
                       PcpuMask::first_n(static_cast<std::size_t>(board.cores()))));
  }
  Findings found;
  for (std::size_t i = 0; i < xen.cpupools.size(); ++i) {
    const CpupoolConfig& pool = xen.cpupools[i];
    const std::string pointer = json::child(pool_pointer(i), "scheduler");
    found.append(lint(linted(scenario, pool.scheduler, pool.name, pointer, mask_of(pool.pcpus))));
  }
  return found.take();
}

}  // namespace vecusim
