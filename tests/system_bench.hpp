// Runs scenarios and keeps what they tell: for tests of the whole system.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "engine/trace.hpp"
#include "system/replication.hpp"
#include "system/scenario.hpp"

namespace vecusim::test {

struct Recorded final : TraceSink {
  struct Flight {
    Time began;
    Duration latency;
    std::vector<StageTime> stages;
    InterruptId interrupt;
  };
  void on(const Stimulated&) override { ++stimuli; }
  void on(const Dropped& event) override { (event.fate == Fate::merged ? merged : lost) += 1; }
  void on(const FlightDone& event) override {
    flights.push_back(
        {event.began, event.at - event.began, {event.stages.begin(), event.stages.end()}, event.interrupt});
  }
  void on(const Occupied& event) override { occupied.push_back(event); }
  void on(const Counted& event) override {
    switches += static_cast<std::size_t>(event.what == Count::context_switch);
    interrupts += static_cast<std::size_t>(event.what == Count::interrupt);
  }

  double mean_us() const {
    double sum = 0.0;
    for (const Flight& flight : flights) sum += to_us(flight.latency);
    return sum / static_cast<double>(flights.size());
  }
  Duration min() const {
    return std::min_element(flights.begin(), flights.end(), [](auto& a, auto& b) { return a.latency < b.latency; })
        ->latency;
  }
  Duration max() const {
    return std::max_element(flights.begin(), flights.end(), [](auto& a, auto& b) { return a.latency < b.latency; })
        ->latency;
  }
  Duration waited(Wait kind) const {
    Duration sum{};
    for (const Flight& flight : flights) {
      for (const StageTime& stage : flight.stages) sum += stage.waits[static_cast<std::size_t>(kind)];
    }
    return sum;
  }

  std::vector<Flight> flights;
  std::vector<Occupied> occupied;
  std::size_t stimuli = 0;
  std::size_t merged = 0;
  std::size_t lost = 0;
  std::size_t switches = 0;
  std::size_t interrupts = 0;
};

/// One replication of a preset or file with settings.
inline Recorded simulate(const std::string& what, const Settings& settings, std::uint32_t replication = 0) {
  const LoadedScenario loaded = load_scenario(what, settings);
  QuantileTables tables;
  Replication run(loaded.scenario, tables, loaded.scenario.run.seed, replication);
  Recorded recorded;
  run.attach(recorded);
  run.run();
  return recorded;
}

/// Nothing random but the stimulus' phase: no jitter, no windows, every law a constant.
inline Settings undisturbed(Settings more = {}) {
  Settings settings = {
      "/costs/core.jitter_sigma/value=0",       "/costs/core.miss_cv/value=0",
      "/costs/linux.masked_windows/value=0",    "/costs/linux.page_faults.cycles/value=0",
      "/costs/linux.page_faults.lines/value=0", R"(/costs/bench.capture/law={"model":"constant","value_us":1})"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

}  // namespace vecusim::test
