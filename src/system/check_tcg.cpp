// The host's Linux has the board, and QEMU runs on it with one guest.
#include "system/check_tcg.hpp"

#include <algorithm>

#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

class TcgChecker {
 public:
  explicit TcgChecker(std::span<const DomainConfig> domains) : domains_(domains) {}

  void domains() {
    const auto hosts = std::count_if(domains_.begin(), domains_.end(), [](auto& d) { return d.is_host(); });
    if (domains_.size() != 2 || hosts != 1) {
      problem("/domains", "two domains under tcg: \"host\" or \"linux\", the Linux that QEMU runs on, and one guest",
              names());
      return;
    }
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      const DomainConfig& domain = domains_[i];
      const std::string pointer = json::child("/domains", i);
      no_hypervisor_scheduler(domain, pointer);
      if (domain.os.model != OsModel::linux) {
        problem(json::child(json::child(pointer, "os"), "model"), "\"linux\" under tcg", "another system");
      }
      if (domain.is_host()) {
        refuse(domain.vcpus.has_value(), pointer, "vcpus", "no such key for the host: its CPUs are the board's");
        refuse(!domain.affinity.empty(), pointer, "affinity", "no such key for the host: its CPUs are the board's");
      } else if (domain.vcpus.value_or(1) != 1) {
        problem(json::child(pointer, "vcpus"), "1: under tcg a guest has one vCPU", std::to_string(*domain.vcpus));
      }
    }
  }

  // The relay is a program that waits for a pin.
  void interrupts(std::span<const InterruptConfig> interrupts, const BoardSpec& board) {
    for (std::size_t i = 0; i < interrupts.size(); ++i) {
      const auto source = source_of(board, interrupts[i].source);
      if (is_host(interrupts[i].target) || !source || source->kind == InterruptSource::Kind::pin) continue;
      problem(json::child(json::child("/interrupts", i), "source"),
              "a pin, as a program on the host has to wait for it and relay it to the guest",
              json::quoted(interrupts[i].source));
    }
  }

  std::vector<Problem> problems;

 private:
  void problem(std::string pointer, std::string expected, std::string found) {
    problems.push_back(
        {.place = {}, .pointer = std::move(pointer), .expected = std::move(expected), .found = std::move(found)});
  }

  void refuse(bool set, const std::string& pointer, const std::string& key, const std::string& expected) {
    if (set) problem(json::child(pointer, key), expected, json::quoted(key));
  }

  // Nothing schedules but the host's Linux.
  void no_hypervisor_scheduler(const DomainConfig& domain, const std::string& pointer) {
    const std::string expected = "no such key under tcg: QEMU's threads are in the fair class of the host's Linux";
    refuse(domain.weight.has_value(), pointer, "weight", expected);
    refuse(domain.cap_pct.has_value(), pointer, "cap_pct", expected);
    refuse(!domain.soft_affinity.empty(), pointer, "soft_affinity", expected);
    refuse(domain.budget.has_value(), pointer, "budget_us", expected);
    refuse(domain.period.has_value(), pointer, "period_us", expected);
    refuse(domain.extratime.has_value(), pointer, "extratime", expected);
    refuse(!domain.pool.empty(), pointer, "pool", expected);
  }

  bool is_host(const std::string& name) const {
    return std::any_of(domains_.begin(), domains_.end(), [&](auto& d) { return d.name == name && d.is_host(); });
  }

  std::string names() const {
    if (domains_.empty()) return "none";
    std::string list;
    for (const DomainConfig& domain : domains_) list += (list.empty() ? "" : ", ") + json::quoted(domain.name);
    return list;
  }

  std::span<const DomainConfig> domains_;
};

}  // namespace

std::vector<Problem> check_tcg(std::span<const DomainConfig> domains, std::span<const InterruptConfig> interrupts,
                               const BoardSpec& board) {
  TcgChecker checker(domains);
  checker.domains();
  checker.interrupts(interrupts, board);
  return std::move(checker.problems);
}

}  // namespace vecusim
