// Runs a scenario and finds stages and CPUs by their names: for tests.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "system_bench.hpp"

namespace vecusim::test {

struct StagedRun {
  Recorded recorded;
  std::vector<std::vector<std::string>> stages;  // by interrupt
  std::vector<std::string> cpus;
  Duration length{};
  std::uint64_t under_way = 0;  // flights, at the end

  const StageTime& stage(const Recorded::Flight& flight, std::string_view name) const {
    const auto& names = stages[static_cast<std::size_t>(flight.interrupt)];
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::logic_error("no stage " + std::string(name));
    return flight.stages[static_cast<std::size_t>(found - names.begin())];
  }
  const StageTime& stage(std::size_t flight, std::string_view name) const {
    return stage(recorded.flights[flight], name);
  }
  /// Flights of one interrupt.
  std::vector<Recorded::Flight> flights_of(std::size_t interrupt) const {
    std::vector<Recorded::Flight> own;
    for (const auto& flight : recorded.flights) {
      if (static_cast<std::size_t>(flight.interrupt) == interrupt) own.push_back(flight);
    }
    return own;
  }
  Duration max_of(std::size_t interrupt) const {
    Duration max{};
    for (const auto& flight : flights_of(interrupt)) max = std::max(max, flight.latency);
    return max;
  }
  double mean_us_of(std::size_t interrupt) const {
    double sum = 0.0;
    const auto own = flights_of(interrupt);
    for (const auto& flight : own) sum += to_us(flight.latency);
    return sum / static_cast<double>(own.size());
  }
  /// How many flights spent time in a stage.
  std::size_t through(std::size_t interrupt, std::string_view name) const {
    std::size_t count = 0;
    for (const auto& flight : flights_of(interrupt)) {
      count += static_cast<std::size_t>(stage(flight, name).total() > Duration::zero());
    }
    return count;
  }
  /// What a CPU spent in a context.
  Duration spent(std::string_view cpu, Context context) const {
    const auto id = static_cast<std::size_t>(std::find(cpus.begin(), cpus.end(), cpu) - cpus.begin());
    Duration sum{};
    const Occupied* last = nullptr;
    for (const Occupied& event : recorded.occupied) {
      if (static_cast<std::size_t>(event.cpu) != id) continue;
      if (last != nullptr && last->context == context) sum += event.at - last->at;
      last = &event;
    }
    return sum;
  }
};

inline StagedRun simulate_stages(const std::string& what, const Settings& settings, std::uint32_t replication = 0) {
  const LoadedScenario loaded = load_scenario(what, settings);
  QuantileTables tables;
  Replication run(loaded.scenario, tables, loaded.scenario.run.seed, replication);
  StagedRun result;
  for (std::size_t i = 0; i < loaded.scenario.interrupts.size(); ++i) {
    result.stages.emplace_back();
    for (const Stage& stage : run.path(i).stages()) result.stages.back().push_back(stage.name);
  }
  for (const auto& cpu : run.view().cpus) result.cpus.push_back(cpu.name);
  run.attach(result.recorded);
  run.run();
  result.length = run.end() - kStart;
  for (std::size_t i = 0; i < loaded.scenario.interrupts.size(); ++i) result.under_way += run.under_way(i);
  return result;
}

}  // namespace vecusim::test
