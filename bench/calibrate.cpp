// Coverage of calibrated intervals with the simulator itself: known costs, 100 seeded benches (or as many as given),
// two clocks.
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

FreeModel at_clock(const LoadedScenario& loaded, double clock, std::uint64_t seed) {
  return [&loaded, clock, seed](const std::vector<double>& values) {
    Scenario scenario =
        with_values(loaded, {{"/board/clock_mhz", json::Node::floating(clock)},
                             {"/costs/linux.path_lines_scale/value", json::Node::floating(values[0])},
                             {"/costs/linux.path_cycles_scale/value", json::Node::floating(values[1])}});
    scenario.run.seed = seed;
    return scenario_repetition(std::move(scenario), 0, std::make_shared<QuantileTables>(), {});
  };
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t trials = argc > 1 ? static_cast<std::uint32_t>(std::stoul(argv[1])) : 100;
  const auto began = std::chrono::steady_clock::now();
  const LoadedScenario loaded = load_scenario("pi4-native");
  const double truth[] = {kLines, kCycles};
  int covered[] = {0, 0};
  double width[] = {0.0, 0.0};
  int identified = 0;
  CalibrationOptions options;
  options.repetitions = 100;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    CalibrationProblem problem;
    problem.costs = {{"/costs/linux.path_lines_scale/value", "lines", 0.3, 3.0, 1.0},
                     {"/costs/linux.path_cycles_scale/value", "cycles", 0.3, 3.0, 1.0}};
    for (const double clock : {600.0, 1500.0}) {
      const auto seed = kBenchSeed + static_cast<std::uint64_t>(clock);
      const Answers answers = at_clock(loaded, clock, seed)({kLines, kCycles})(kEdges, trial);
      const BenchSamples samples{answers.latencies.values(), 0, 100ns};
      problem.rows.push_back(fitted_row(std::to_string(clock), measurement_of(samples, {})));
      problem.models.push_back(at_clock(loaded, clock, 1));
    }
    const auto fitted = calibrate(problem, options);
    if (!fitted) return 1;
    identified += fitted->verdict == CalibrationVerdict::identified ? 1 : 0;
    for (int p = 0; p < 2; ++p) {
      const Interval interval = fitted->costs[static_cast<std::size_t>(p)].interval95;
      covered[p] += interval.lo <= truth[p] && truth[p] <= interval.hi ? 1 : 0;
      width[p] += (interval.hi - interval.lo) / truth[p] / trials;
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("%u benches of 2 × %lld edges, %.0f s: %d identified\n", trials, static_cast<long long>(kEdges), seconds,
              identified);
  std::printf("lines:  %d of %u intervals cover the truth, %.2f %% wide\n", covered[0], trials, 100.0 * width[0]);
  std::printf("cycles: %d of %u intervals cover the truth, %.2f %% wide\n", covered[1], trials, 100.0 * width[1]);
  return 0;
}
