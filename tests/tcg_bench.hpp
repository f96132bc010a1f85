// Runs scenarios of QEMU without KVM and finds stages by their names: for tests.
#pragma once

#include <string>
#include <string_view>

#include "system_bench.hpp"

namespace vecusim::test {

struct TcgRun {
  Recorded recorded;
  std::vector<std::string> stages;
  std::vector<std::string> cpus;
  Duration length{};

  std::size_t index(std::string_view stage) const {
    const auto found = std::find(stages.begin(), stages.end(), stage);
    if (found == stages.end()) throw std::logic_error("no stage " + std::string(stage));
    return static_cast<std::size_t>(found - stages.begin());
  }
  const StageTime& stage(std::size_t flight, std::string_view name) const {
    return recorded.flights[flight].stages[index(name)];
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

inline TcgRun simulate_tcg(const std::string& what, const Settings& settings, std::uint32_t replication = 0) {
  const LoadedScenario loaded = load_scenario(what, settings);
  QuantileTables tables;
  Replication run(loaded.scenario, tables, loaded.scenario.run.seed, replication);
  TcgRun result;
  for (const Stage& stage : run.path(0).stages()) result.stages.push_back(stage.name);
  for (const auto& cpu : run.view().cpus) result.cpus.push_back(cpu.name);
  run.attach(result.recorded);
  run.run();
  result.length = run.end() - kStart;
  return result;
}

/// A pipe, no losses, a program that computes nothing of its own, and on both kernels ticks so rare that most answers
/// meet none.
inline Settings quiet_tcg(Settings more = {}) {
  Settings settings = undisturbed({R"(/hypervisor/relay={"kind":"pipe"})", "/domains/1/tasks/0/work_cycles=0",
                                   "/domains/0/os/tick_hz=24", "/domains/1/os/tick_hz=24"});
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

}  // namespace vecusim::test
