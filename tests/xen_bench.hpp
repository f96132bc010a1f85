// Xen scenarios written by hand, and what their processors did: for tests of the simulated Xen.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "system_bench.hpp"

namespace vecusim::test {

/// A run, and how its processors and stages are called.
struct XenRun {
  Recorded recorded;
  SystemView view;
  std::vector<std::set<std::string>> blamed_for;  // by kind of wait: whom the longest waits of that kind were for
  Time end;

  std::size_t index_of(std::string_view name) const {
    std::size_t i = 0;
    while (view.cpus.at(i).name != name) ++i;
    return i;
  }
  const std::set<std::string>& blamed(Wait kind) const { return blamed_for[static_cast<std::size_t>(kind)]; }
  /// What a stage took of a flight, in microseconds of service.
  double service_us(const Recorded::Flight& flight, std::string_view stage) const {
    const auto& stages = view.interrupts[static_cast<std::size_t>(flight.interrupt)].stages;
    const auto named = std::find(stages.begin(), stages.end(), stage);
    REQUIRE(named != stages.end());
    return to_us(flight.stages[static_cast<std::size_t>(named - stages.begin())].service);
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

inline XenRun run_xen(const Scenario& scenario, std::uint32_t replication = 0) {
  QuantileTables tables;
  Replication run(scenario, tables, scenario.run.seed, replication);
  XenRun result;
  run.attach(result.recorded);
  run.run();
  result.view = run.view();
  result.end = run.end();
  result.blamed_for.resize(kWaits);
  for (const Recorded::Flight& flight : result.recorded.flights) {
    for (const StageTime& stage : flight.stages) {
      const auto most = std::max_element(stage.waits.begin(), stage.waits.end());
      if (*most == Duration::zero()) continue;
      const auto kind = static_cast<std::size_t>(most - stage.waits.begin());
      result.blamed_for[kind].emplace(run.name_of(stage.longest_wait_for));
    }
  }
  return result;
}

inline XenRun run_xen(const Settings& settings, std::uint32_t replication = 0) {
  return run_xen(load_scenario("pi4-xen-published", settings).scenario, replication);
}

/// Whether the parts of every flight add up to its latency.
inline void check_tiling(const Recorded& recorded) {
  for (const auto& flight : recorded.flights) {
    Duration sum{};
    for (const StageTime& stage : flight.stages) sum += stage.total();
    CHECK(sum == flight.latency);
  }
}

/// Code costs its cycles and device accesses only, always: no caches, no jitter, no laws.
inline void make_flat(Scenario& scenario) {
  for (const std::string& name : scenario.costs.names()) {
    Cost& cost = scenario.costs[name];
    const bool random = name == "core.jitter_sigma" || name == "core.miss_cv" || name == "linux.masked_windows";
    if (cost.value && (random || name.ends_with(".lines"))) cost.value = 0.0;
    if (cost.law && name.rfind("linux.preempt_off", 0) != 0 && name != "linux.masked_window") cost.law = Law{};
  }
}

/// What pieces of code cost in such a scenario, in microseconds.
inline double flat_us(const Scenario& scenario, const std::vector<std::string>& pieces) {
  const double mhz = static_cast<const BoardChoice&>(scenario.board.model.config()).clock_mhz(0);
  const auto value = [&](const std::string& name) {
    const Cost* found = scenario.costs.find(name);
    return found == nullptr ? 0.0 : found->value.value();
  };
  double us = 0.0;
  for (const std::string& piece : pieces) {
    if (piece == "core.wfi_exit") {
      us += value(piece) / mhz;
    } else if (piece == "gic.forward") {
      us += value(piece) * 1e-3;
    } else {
      us += value(piece + ".cycles") / mhz + value(piece + ".mmio") * value("core.mmio") * 1e-3;
    }
  }
  return us;
}

/// Every cost of code and hardware is zero, and nothing is random but what the scenario's own laws say.
inline void make_ideal(Scenario& scenario) {
  for (const std::string& name : scenario.costs.names()) {
    Cost& cost = scenario.costs[name];
    if (cost.value && name != "core.evictions") cost.value = 0.0;
    if (cost.law && name.rfind("linux.preempt_off", 0) != 0 && name != "linux.masked_window") cost.law = Law{};
  }
}

}  // namespace vecusim::test
