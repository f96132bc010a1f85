// Calibrations of the simulator by itself: how often intervals cover known costs, how often a true model is called
// contradictory, and how often one is that lacks a mechanism.
//
// bench_calibrate [TRIALS [COSTS]]: 100 seeded benches of 30 edges; with one free cost at one clock, with two (as
// without a number) at two. Of the benches with more than the model has one meets sections with interrupts off five
// times as often, the other carries the load of pi4-native-busy.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>

#include "analysis/calibrate_scenario.hpp"
#include "analysis/validate_measurement.hpp"
#include "analysis/validate_simulation.hpp"

namespace {

using namespace vecusim;

constexpr std::int64_t kEdges = 30;
constexpr std::uint64_t kBenchSeed = 1000;
constexpr double kLines = 1.09;
constexpr double kCycles = 1.0;

constexpr std::array kTruth = {kLines, kCycles};

/// Of as many costs as there are values; the others have the tables' values, which are the truth.
FreeModel at_clock(const LoadedScenario& loaded, double clock, std::uint64_t seed) {
  return [&loaded, clock, seed](const std::vector<double>& values) {
    constexpr std::array kPointers = {"/costs/linux.path_lines_scale/value", "/costs/linux.path_cycles_scale/value"};
    std::vector<std::pair<std::string, json::Node>> set = {{"/board/clock_mhz", json::Node::floating(clock)}};
    for (std::size_t i = 0; i < values.size(); ++i) set.emplace_back(kPointers[i], json::Node::floating(values[i]));
    Scenario scenario = with_values(loaded, set);
    scenario.run.seed = seed;
    return scenario_repetition(std::move(scenario), 0, std::make_shared<QuantileTables>(), {});
  };
}

struct Outcome {
  std::array<int, 2> covered{};
  std::array<double, 2> width{};
  std::array<int, 3> verdicts{};
};

/// Benches of `nature`, fitted by the model `loaded`.
Outcome fit_benches(const LoadedScenario& nature, const LoadedScenario& loaded, std::uint32_t trials,
                    std::size_t costs) {
  Outcome outcome;
  CalibrationOptions options;
  options.repetitions = 100;
  const std::vector<double> clocks = costs == 1 ? std::vector{600.0} : std::vector{600.0, 1500.0};
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    CalibrationProblem problem;
    problem.costs = {{"/costs/linux.path_lines_scale/value", "lines", 0.3, 3.0, 1.0},
                     {"/costs/linux.path_cycles_scale/value", "cycles", 0.3, 3.0, 1.0}};
    problem.costs.resize(costs);
    for (const double clock : clocks) {
      const auto seed = kBenchSeed + static_cast<std::uint64_t>(clock);
      const Answers answers = at_clock(nature, clock, seed)({kTruth.begin(), kTruth.begin() + costs})(kEdges, trial);
      const BenchSamples samples{answers.latencies.values(), 0, 100ns};
      problem.rows.push_back(fitted_row(std::to_string(clock), measurement_of(samples, {})));
      problem.models.push_back(at_clock(loaded, clock, 1));
    }
    const auto fitted = calibrate(problem, options);
    if (!fitted) continue;
    ++outcome.verdicts[static_cast<std::size_t>(fitted->verdict)];
    for (std::size_t p = 0; p < costs; ++p) {
      const Interval interval = fitted->costs[p].interval95;
      outcome.covered[p] += interval.lo <= kTruth[p] && kTruth[p] <= interval.hi ? 1 : 0;
      outcome.width[p] += (interval.hi - interval.lo) / kTruth[p] / trials;
    }
  }
  return outcome;
}

void tell(const char* what, const Outcome& outcome, std::uint32_t trials, std::size_t costs) {
  std::printf("%s, %u benches:", what, trials);
  for (std::size_t v = 0; v < outcome.verdicts.size(); ++v) {
    const std::string name{name_of(static_cast<CalibrationVerdict>(v))};
    std::printf("%s %d %s", v == 0 ? "" : ",", outcome.verdicts[v], name.c_str());
  }
  for (std::size_t p = 0; p < costs; ++p) {
    std::printf("; %s: %d intervals cover the truth, %.2f %% wide", p == 0 ? "lines" : "cycles", outcome.covered[p],
                100.0 * outcome.width[p]);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t trials = argc > 1 ? static_cast<std::uint32_t>(std::stoul(argv[1])) : 100;
  const std::size_t costs = argc > 2 ? std::min<std::size_t>(2, std::max<std::size_t>(1, std::stoul(argv[2]))) : 2;
  const auto began = std::chrono::steady_clock::now();
  const LoadedScenario loaded = load_scenario("pi4-native");
  const double windows = *loaded.scenario.costs.at("linux.masked_windows").value;
  const LoadedScenario more =
      load_scenario("pi4-native", {"/costs/linux.masked_windows/value=" + std::to_string(5.0 * windows)});
  tell("the model is true", fit_benches(loaded, loaded, trials, costs), trials, costs);
  const std::uint32_t fewer = std::max(1U, trials / 5);
  tell("sections with interrupts off five times as often", fit_benches(more, loaded, fewer, costs), fewer, costs);
  const LoadedScenario busy = load_scenario("pi4-native-busy");
  tell("a load that the model does not have", fit_benches(busy, loaded, fewer, costs), fewer, costs);
  std::printf("%.0f s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  return 0;
}
