// Credit2 on the ideal machine: boot parameters and topology as the test wants them, and decisions in milliseconds.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy_bench.hpp"
#include "system/json_fields.hpp"
#include "system/json_parse.hpp"

namespace vecusim::test {

/// Reads boot parameters as a scenario writes them.
inline std::unique_ptr<Config> credit2_config(std::string_view parameters, Problems& problems) {
  std::unique_ptr<Config> config = find_policy("credit2")->config();
  json::PartOf<Config> part{*config};
  if (const auto node = json::parse(parameters, "parameters", problems)) json::read(*node, part, problems);
  return config;
}

inline std::unique_ptr<Policy> make_credit2(const MachineDescription& machine, std::string_view parameters) {
  Problems problems;
  const std::unique_ptr<Config> config = credit2_config(parameters, problems);
  problems.throw_if_errors();
  return find_policy("credit2")->make(*config, machine);
}

/// Where each pCPU sits: pCPUs of equal socket and core are siblings if `smt`.
inline MachineDescription placed_machine(const std::vector<int>& sockets, const std::vector<int>& cores, bool smt,
                                         std::string_view version = kDefaultXenVersion) {
  MachineDescription machine{{}, resolve_version(version).behaviour};
  for (std::size_t p = 0; p < sockets.size(); ++p) {
    PcpuPlace place{sockets[p], cores[p], 0, {}};
    for (std::size_t q = 0; q < sockets.size(); ++q) {
      if (p == q || (smt && sockets[p] == sockets[q] && cores[p] == cores[q]))
        place.siblings.insert(static_cast<PcpuId>(q));
    }
    machine.pcpus.push_back(place);
  }
  return machine;
}

class Credit2Bench : public PolicyBench {
 public:
  explicit Credit2Bench(std::size_t pcpus, std::string_view parameters = "{}",
                        std::string_view version = kDefaultXenVersion)
      : Credit2Bench(arm_machine(pcpus, resolve_version(version).behaviour), parameters) {}
  Credit2Bench(const MachineDescription& machine, std::string_view parameters)
      : PolicyBench(make_credit2(machine, parameters), machine.pcpus.size()) {}

  /// A unit of the domain that was added last, or of the first one; initially on that pCPU, where it stays if there is
  /// one runqueue only.
  UnitId add(std::string name, int pcpu = 0, PcpuMask hard = PcpuMask::first_n(PcpuMask::kMaxPcpus)) {
    return add(std::move(name), {latest_domain(), pcpu_id(pcpu), true}, hard);
  }
  /// As the vectors insert it: with its runqueue's load readable (specification of the Xen schedulers, 1.15).
  UnitId add_unlocked(std::string name, PcpuMask hard = PcpuMask::first_n(PcpuMask::kMaxPcpus)) {
    return add(std::move(name), {latest_domain(), pcpu_id(0), false}, hard);
  }
  DomainId add_domain() {
    domain_ = domain();
    return *domain_;
  }
  DomainId latest_domain() { return domain_ ? *domain_ : add_domain(); }

  // What happens at a moment, after all that is due by then.

  void wake(HvTime at, UnitId unit) {
    until(at);
    event([&] { wake_now(unit); });
  }
  void wake_together(HvTime at, const std::vector<UnitId>& units) {
    until(at);
    event([&] {
      for (const UnitId unit : units) wake_now(unit);
    });
  }
  void block_at(HvTime at, UnitId unit) {
    until(at);
    block(unit);
  }
  void yield_at(HvTime at, UnitId unit) {
    until(at);
    event([&] { core().yield(moment(), unit); });
  }
  void poke_at(HvTime at, int pcpu) {
    until(at);
    poke(pcpu);
  }
  bool set_weight(DomainId domain, std::int32_t weight) { return adjust(domain, {weight, {}, {}}); }
  bool set_cap(DomainId domain, std::int32_t cap_pct) { return adjust(domain, {{}, cap_pct, {}}); }

  std::int64_t figure(UnitId unit, std::string_view name) const { return policy().figures(unit).find(name).value(); }
  std::int64_t credit(UnitId unit) const { return figure(unit, "credit"); }
  std::int64_t runqueue_figure(std::size_t runqueue, std::string_view name) const {
    return policy().runqueue_figures(runqueue).find(name).value();
  }
  int home(UnitId unit) const { return static_cast<int>(index(policy().pcpu_of(unit))); }
  HvTime ran(UnitId unit) { return core().totals(unit, machine().now()).in(Runstate::running); }

  static std::string ms(HvTime time) {
    std::string text = std::to_string(time / 1ms);
    const std::int64_t rest = (time % 1ms).count();
    if (rest == 0) return text;
    text += '.' + std::to_string(1'000'000 + rest).substr(1);
    return text.substr(0, text.find_last_not_of('0') + 1);
  }

 protected:
  /// "10 p0 A 8.55": moment, pCPU, who runs ("-": idle), slice in ms; then "moved" if it comes from another pCPU.
  void decided(PcpuId pcpu, UnitId previous, const Decision& decision) override {
    PolicyBench::decided(pcpu, previous, decision);
    std::string line = ms(machine().now()) + " p" + std::to_string(index(pcpu));
    line += decision.unit == kIdle ? " -" : ' ' + names_[index(decision.unit)] + ' ' + ms(decision.slice);
    if (decision.migrated) line += " moved";
    passes_.push_back(std::move(line));
  }

 public:
  /// The decisions since the last call.
  std::vector<std::string> passes() { return std::exchange(passes_, {}); }

 private:
  UnitId add(std::string name, const UnitSpec& spec, PcpuMask hard) {
    names_.push_back(std::move(name));
    return core().add_unit(moment(), spec, hard);
  }
  void wake_now(UnitId unit) {
    if (core().down(unit)) {
      core().come_up(moment(), unit);
    } else {
      core().unblock(moment(), unit);
    }
  }
  bool adjust(DomainId domain, const DomainParameters& parameters) {
    bool accepted = false;
    event([&] { accepted = core().adjust_domain(moment(), domain, parameters); });
    return accepted;
  }

  std::vector<std::string> names_;
  std::vector<std::string> passes_;
  std::optional<DomainId> domain_;
};

constexpr std::int64_t credits(HvTime time) { return time.count(); }

}  // namespace vecusim::test
