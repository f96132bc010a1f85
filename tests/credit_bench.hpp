// Credit on the ideal machine, with boot parameters and a machine as the test wants them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "policy_bench.hpp"
#include "system/json_fields.hpp"
#include "system/json_parse.hpp"

namespace vecusim::test {

/// Reads boot parameters as a scenario writes them.
inline std::unique_ptr<Config> credit_config(std::string_view parameters, Problems& problems) {
  std::unique_ptr<Config> config = find_policy("credit")->config();
  json::PartOf<Config> part{*config};
  if (const auto node = json::parse(parameters, "x.json", problems)) json::read(*node, part, problems);
  return config;
}

inline std::unique_ptr<Policy> make_credit(std::string_view parameters, const MachineDescription& machine) {
  Problems problems;
  const std::unique_ptr<Config> config = credit_config(parameters, problems);
  problems.throw_if_errors();
  return find_policy("credit")->make(*config, machine);
}

inline std::unique_ptr<Policy> make_credit(std::string_view parameters, std::size_t pcpus,
                                           std::string_view version = kDefaultXenVersion) {
  return make_credit(parameters, arm_machine(pcpus, resolve_version(version).behaviour));
}

/// A unit's figure; it must have it.
inline std::int64_t figure(const PolicyBench& bench, UnitId unit, std::string_view name) {
  return bench.policy().figures(unit).find(name).value();
}

/// Units of one domain on the ideal machine.
struct CreditBench : PolicyBench {
  explicit CreditBench(std::size_t pcpus, std::string_view parameters = "{}",
                       std::string_view version = kDefaultXenVersion)
      : PolicyBench(make_credit(parameters, pcpus, version), pcpus), domain_id(domain()) {}
  explicit CreditBench(const MachineDescription& machine)
      : PolicyBench(make_credit("{}", machine), machine.pcpus.size()), domain_id(domain()) {}

  UnitId add(int pcpu = 0) { return unit(domain_id, pcpu); }
  UnitId add_pinned(int pcpu) {
    const UnitId added = unit(domain_id, pcpu);
    set_hard_affinity(added, {pcpu_id(pcpu)});
    return added;
  }
  UnitId start(UnitId unit) {
    come_up(unit);
    return unit;
  }
  /// Runs `unit` for an instant when its pCPU is free, so that its next wake gives a boost.
  void run_and_block(UnitId unit) {
    come_up(unit);
    block(unit);
  }
  bool cap(std::int32_t percent) {
    return core().adjust_domain(moment(), domain_id, {std::nullopt, percent, std::nullopt});
  }
  DomainId domain_id;
};

constexpr std::int64_t kBoost = 0;
constexpr std::int64_t kUnder = -1;
constexpr std::int64_t kOver = -2;

}  // namespace vecusim::test
