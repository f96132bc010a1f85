// The host's Linux has the board, and QEMU runs on it with one guest.
#include "system/check_tcg.hpp"

#include <algorithm>

#include "system/findings.hpp"
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
      found.error("/domains",
                  "two domains under tcg: \"host\" or \"linux\", the Linux that QEMU runs on, and one guest", names());
      return;
    }
    for (std::size_t i = 0; i < domains_.size(); ++i) {
      const DomainConfig& domain = domains_[i];
      const std::string pointer = json::child("/domains", i);
      found.refuse_scheduling(domain, pointer,
                              "no such key under tcg: QEMU's threads are in the fair class of the host's Linux");
      if (domain.os.model != OsModel::linux) {
        found.error(json::child(json::child(pointer, "os"), "model"), "\"linux\" under tcg", "another system");
      }
      if (domain.is_host()) {
        found.refuse(domain.vcpus.has_value(), pointer, "vcpus", "no such key for the host: its CPUs are the board's");
        found.refuse(!domain.affinity.empty(), pointer, "affinity",
                     "no such key for the host: its CPUs are the board's");
      } else if (domain.vcpus.value_or(1) != 1) {
        found.error(json::child(pointer, "vcpus"), "1: under tcg a guest has one vCPU", std::to_string(*domain.vcpus));
      }
    }
  }

  // The relay is a program that waits for a pin.
  void interrupts(std::span<const InterruptConfig> interrupts, const BoardSpec& board) {
    for (std::size_t i = 0; i < interrupts.size(); ++i) {
      const auto source = source_of(board, interrupts[i].source);
      if (is_host(interrupts[i].target) || !source || source->kind == InterruptSource::Kind::pin) continue;
      found.error(json::child(json::child("/interrupts", i), "source"),
                  "a pin, as a program on the host has to wait for it and relay it to the guest",
                  json::quoted(interrupts[i].source));
    }
  }

  Findings found;

 private:
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
  return checker.found.take();
}

}  // namespace vecusim
