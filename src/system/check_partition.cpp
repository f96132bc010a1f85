// Who has which cores, and which colours of the caches.
#include "system/check_partition.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "system/findings.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

class PartitionRules {
 public:
  explicit PartitionRules(const Scenario& scenario) : scenario_(scenario) {}

  std::vector<Problem> all() {
    for (std::size_t i = 0; i < scenario_.domains.size(); ++i) domain(scenario_.domains[i], json::child("/domains", i));
    return found_.take();
  }

 private:
  void domain(const DomainConfig& domain, const std::string& pointer) {
    const std::string affinity = json::child(pointer, "affinity");
    if (domain.affinity.empty()) found_.error(affinity, "the pCPUs that are the domain's own", "nothing");
    for (const auto& list : domain.affinity) {
      if (domain.affinity.size() > 1 && list.size() != 1) {
        found_.error(affinity, "one pCPU for each vCPU, for nothing moves",
                     std::to_string(list.size()) + " for one of them");
      }
      for (const std::int64_t pcpu : list) own(pcpu, domain.name, affinity);
    }
    const std::int64_t pcpus = partition_cpus(domain);
    if (domain.vcpus && *domain.vcpus != pcpus) {
      found_.error(json::child(pointer, "vcpus"), "as many as the domain has pCPUs, " + std::to_string(pcpus),
                   std::to_string(*domain.vcpus));
    }
    found_.refuse_scheduling(domain, pointer, "no such key under static partitioning, where nothing is scheduled");
  }

  void own(std::int64_t pcpu, const std::string& name, const std::string& pointer) {
    const auto [owner, first] = owners_.emplace(pcpu, name);
    if (first) return;
    found_.error(pointer, "pCPUs of no other domain, nor twice the same",
                 std::to_string(pcpu) + ", which is " + json::quoted(owner->second) + "'s already");
  }

  const Scenario& scenario_;
  std::map<std::int64_t, std::string> owners_;
  Findings found_;
};

}  // namespace

std::int64_t partition_cpus(const DomainConfig& domain) {
  std::int64_t sum = 0;
  for (const auto& list : domain.affinity) sum += static_cast<std::int64_t>(list.size());
  return sum;
}

std::vector<Problem> partition_problems(const Scenario& scenario) { return PartitionRules(scenario).all(); }

std::vector<Problem> color_problems(const Scenario& scenario) {
  Findings found;
  std::int64_t colors = 64;
  for (const BoardSpec::Cluster& cluster : scenario.board.spec().clusters) colors = std::min(colors, cluster.l2_colors);
  const std::string_view model = scenario.hypervisor.model.name();
  for (std::size_t i = 0; i < scenario.domains.size(); ++i) {
    const std::string pointer = json::child("/domains", i);
    const std::vector<std::int64_t>& own = scenario.domains[i].l2_colors;
    if (own.empty()) continue;
    found.refuse(model != "xen" && model != "partition", pointer, "l2_colors",
                 "no such key where no hypervisor gives memory to domains page by page");
    const std::int64_t last = *std::max_element(own.begin(), own.end());
    if (last < colors) continue;
    found.error(json::child(pointer, "l2_colors"),
                "colours that every L2 cache of the board has, 0 to " + std::to_string(colors - 1),
                std::to_string(last));
  }
  return found.take();
}

}  // namespace vecusim
