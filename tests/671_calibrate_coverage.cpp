// Synthetic truth: costs that are known are found again, and nominal 95 % intervals hold them 95 times in 100.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "calibrate_bench.hpp"
#include "catch.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

constexpr double kCycles = 36000.0;
constexpr double kLines = 1000.0;
constexpr double kSigma = 0.02;
constexpr std::int64_t kEdges = 30;
constexpr int kTrials = 100;

/// Two benches, 600 and 1500 MHz; cycles and lines are free.
CalibrationProblem two_clocks(std::uint32_t trial, bool samples) {
  CalibrationProblem problem;
  problem.costs = {free_cost("cycles", 10000, 100000, 50000), free_cost("lines", 300, 3000, 700)};
  for (const double clock : {600.0, 1500.0}) {
    const Answers answers =
        path_model(kCycles, kLines, kSigma, clock, kTruthSeed + static_cast<std::uint64_t>(clock))(kEdges, trial);
    problem.rows.push_back(measured_row("at " + std::to_string(static_cast<int>(clock)), answers, samples));
    problem.models.push_back([clock](const std::vector<double>& values) {
      return path_model(values[0], values[1], kSigma, clock, kModelSeed);
    });
  }
  return problem;
}

struct Trials {
  std::array<std::uint64_t, 2> covered{};
  std::array<double, 2> widest{};
  std::uint64_t contradictory = 0;
  std::uint64_t not_identified = 0;
};

Trials run(bool samples) {
  constexpr std::array kTruth = {kCycles, kLines};
  Trials trials;
  CalibrationOptions options;
  options.repetitions = 100;
  options.parallel.threads = 1;
  for (std::uint32_t i = 0; i < kTrials; ++i) {
    const auto fitted = calibrate(two_clocks(i, samples), options);
    REQUIRE(fitted);
    for (std::size_t p = 0; p < kTruth.size(); ++p) {
      const Interval interval = fitted->costs[p].interval95;
      trials.covered[p] += interval.lo <= kTruth[p] && kTruth[p] <= interval.hi ? 1 : 0;
      trials.widest[p] = std::max(trials.widest[p], (interval.hi - interval.lo) / kTruth[p]);
    }
    trials.contradictory += fitted->verdict == CalibrationVerdict::contradictory ? 1 : 0;
    trials.not_identified += fitted->verdict == CalibrationVerdict::not_identified ? 1 : 0;
  }
  return trials;
}

void check(const Trials& trials) {
  for (const std::uint64_t covered : trials.covered) {
    INFO(covered << " of " << kTrials << " intervals cover the truth");
    // The band that right intervals leave once in 500 such tests.
    CHECK(binomial_cdf(covered, kTrials, 0.95) > 0.001);
    CHECK(1.0 - binomial_cdf(covered - 1, kTrials, 0.95) > 0.001);
  }
  // Means of 30 know 160 µs and 124 µs to σ = 0.02 / √30 = 0.365 %. Then cycles / 600 MHz = 60 µs, of which the
  // difference tells 36, to 2.05 %, and 100 µs of lines to 0.85 %; an interval is 3.92 σ wide. No wider than half as
  // much again, whatever the trial.
  INFO("widest: " << trials.widest[0] << ", " << trials.widest[1]);
  CHECK(trials.widest[0] < 1.5 * 3.92 * 0.0205);
  CHECK(trials.widest[1] < 1.5 * 3.92 * 0.0085);
  // A true model is called contradictory once in a hundred times.
  CHECK(1.0 - binomial_cdf(trials.contradictory, kTrials, 0.01) > 0.0001);
  CHECK(trials.not_identified == 0);
}

}  // namespace

TEST_CASE("n, min, mean and max at two clocks give cycles and lines back, with intervals that hold what they say") {
  check(run(false));
}

TEST_CASE("samples at two clocks give cycles and lines back, with intervals that hold what they say") {
  check(run(true));
}

TEST_CASE("a scatter is found from samples, with intervals that hold what they say") {
  constexpr double kTrue = 0.05;
  std::uint64_t covered = 0;
  CalibrationOptions options;
  options.repetitions = 100;
  options.parallel.threads = 1;
  for (std::uint32_t i = 0; i < kTrials; ++i) {
    CalibrationProblem problem;
    problem.costs = {free_cost("sigma", 0.005, 0.5, 0.02), free_cost("lines", 300, 3000, 700)};
    problem.rows = {measured_row("row", path_model(0.0, kLines, kTrue, 600.0, kTruthSeed)(100, i), true)};
    problem.models = {
        [](const std::vector<double>& values) { return path_model(0.0, values[1], values[0], 600.0, kModelSeed); }};
    const auto fitted = calibrate(problem, options);
    REQUIRE(fitted);
    const Interval interval = fitted->costs[0].interval95;
    covered += interval.lo <= kTrue && kTrue <= interval.hi ? 1 : 0;
    // σ of a standard deviation of 100 is 1/√200 = 7.1 %; quantiles know it a little less well.
    CHECK(interval.hi - interval.lo < 2.0 * 3.92 * 0.071 * kTrue);
  }
  INFO(covered << " of " << kTrials << " intervals cover the truth");
  CHECK(binomial_cdf(covered, kTrials, 0.95) > 0.001);
}
