// Xen scenarios written by hand, and what their processors did: for tests of the simulated Xen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system_bench.hpp"

namespace vecusim::test {

/// A run and the names of its processors.
struct XenRun {
  Recorded recorded;
  std::vector<SystemView::CpuView> cpus;
  Time end;

  std::size_t index_of(std::string_view name) const {
    std::size_t i = 0;
    while (cpus.at(i).name != name) ++i;
    return i;
  }
  /// How long a processor worked in some context but idle.
  Duration busy(std::string_view name) const {
    const std::size_t cpu = index_of(name);
    Duration sum{};
    Time since = kStart;
    bool works = false;
    for (const Occupied& event : recorded.occupied) {
      if (static_cast<std::size_t>(event.cpu) != cpu) continue;
      if (works) sum += event.at - since;
      since = event.at;
      works = event.context != Context::idle;
    }
    return works ? sum + (end - since) : sum;
  }
  double share(std::string_view name) const { return to_s(busy(name)) / to_s(end - kStart); }
};

inline XenRun run_xen(const Settings& settings, std::uint32_t replication = 0) {
  const LoadedScenario loaded = load_scenario("pi4-xen-published", settings);
  QuantileTables tables;
  Replication run(loaded.scenario, tables, loaded.scenario.run.seed, replication);
  XenRun result;
  run.attach(result.recorded);
  run.run();
  result.cpus = run.view().cpus;
  result.end = run.end();
  return result;
}

/// Every cost of code and hardware is zero, and nothing is random but what the scenario's own laws say.
inline void make_ideal(Scenario& scenario) {
  for (auto& [name, cost] : scenario.costs) {
    if (cost.value && name != "core.evictions") cost.value = 0.0;
    if (cost.law && name.rfind("linux.preempt_off", 0) != 0 && name != "linux.masked_window") cost.law = Law{};
  }
}

}  // namespace vecusim::test
