// Synthetic truth: costs that are known are found again, and nominal 95 % intervals hold them 95 times in 100.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analysis/fitted_costs.hpp"
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

TEST_CASE("samples at two clocks give cycles and lines back, with intervals that hold what they say", "[long]") {
  check(run(true));
}

TEST_CASE("a scatter is found from samples, with intervals that hold what they say", "[long]") {
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

namespace {

/// A bench of which one experiment in sixteen is slow in whole, as where edges meet the target's ticks.
Repetition seldom_slow(double lines, std::uint64_t seed) {
  return [=](std::int64_t n, std::uint32_t index) {
    RandomStream stream(seed, index, "whole");
    const double slow = stream.uniform() < 1.0 / 16.0 ? 1.15 : 1.0;
    return path_model(0.0, lines * slow, kSigma, 600.0, seed)(n, index);
  };
}

/// The same bench with what the model does not have: one edge in ten meets a section with interrupts off.
Repetition with_masked_sections(double lines, std::uint64_t seed) {
  return [=](std::int64_t n, std::uint32_t index) {
    RandomStream stream(seed, index, "masked");
    Answers answers;
    const Answers undisturbed = seldom_slow(lines, seed)(n, index);
    for (const Duration latency : undisturbed.latencies.values()) {
      answers.latencies.add(latency + (stream.uniform() < 0.1 ? 25us : 0us));
    }
    return answers;
  };
}

Calibration lines_of(const Answers& answers, bool samples, bool prior) {
  CalibrationProblem problem;
  problem.costs = {free_cost("lines", 300, 3000, 1000, prior)};
  problem.rows = {measured_row("row", answers, samples)};
  problem.models = {[](const std::vector<double>& values) { return seldom_slow(values[0], kModelSeed); }};
  CalibrationOptions options;
  options.repetitions = 100;
  options.parallel.threads = 1;
  const auto fitted = calibrate(problem, options);
  REQUIRE(fitted);
  return *fitted;
}

}  // namespace

TEST_CASE("a true model is called contradictory once in a hundred times, whatever the law of the figures", "[long]") {
  for (const bool samples : {false, true}) {
    std::uint64_t contradictory = 0;
    std::uint64_t below_ten_percent = 0;
    for (std::uint32_t i = 0; i < kTrials; ++i) {
      const Calibration fitted = lines_of(seldom_slow(kLines, kTruthSeed)(50, i), samples, samples);
      contradictory += fitted.verdict == CalibrationVerdict::contradictory ? 1 : 0;
      below_ten_percent += *fitted.p_value <= 0.1 ? 1 : 0;
    }
    INFO(contradictory << " contradictory, " << below_ten_percent << " below 10 % of " << kTrials);
    CHECK(1.0 - binomial_cdf(contradictory, kTrials, 0.01) > 0.001);
    CHECK(1.0 - binomial_cdf(below_ten_percent, kTrials, 0.1) > 0.001);
  }
}

TEST_CASE("a bench with a mechanism that the model lacks is called contradictory nearly always") {
  std::uint64_t contradictory = 0;
  constexpr std::uint32_t kFew = 20;
  for (std::uint32_t i = 0; i < kFew; ++i) {
    const Calibration fitted = lines_of(with_masked_sections(kLines, kTruthSeed)(100, i), true, false);
    contradictory += fitted.verdict == CalibrationVerdict::contradictory ? 1 : 0;
  }
  INFO(contradictory << " of " << kFew);
  CHECK(contradictory >= 17);
}

TEST_CASE("costs that make up for each other predict narrowly if drawn jointly, and hold what they say") {
  // Cycles and lines at two clocks that are near each other.
  constexpr double kPredicted = 650.0;
  std::uint64_t covered = 0;
  constexpr std::uint32_t kFits = 25;
  constexpr std::uint32_t kExperiments = 8;
  for (std::uint32_t i = 0; i < kFits; ++i) {
    CalibrationProblem problem;
    problem.costs = {free_cost("cycles", 5000, 150000, 50000), free_cost("lines", 200, 3000, 700)};
    for (const double clock : {600.0, 700.0}) {
      const auto seed = kTruthSeed + static_cast<std::uint64_t>(clock);
      problem.rows.push_back(
          measured_row(std::to_string(clock), path_model(kCycles, kLines, kSigma, clock, seed)(kEdges, i), true));
      problem.models.push_back([clock](const std::vector<double>& values) {
        return path_model(values[0], values[1], kSigma, clock, kModelSeed);
      });
    }
    CalibrationOptions options;
    options.repetitions = 100;
    options.parallel.threads = 1;
    const auto fitted = calibrate(problem, options);
    REQUIRE(fitted);
    CHECK(fitted->correlation[1] < -0.9);

    const auto predicted = [&](bool jointly) {
      Scenario scenario;
      for (std::size_t c = 0; c < 2; ++c) {
        const CalibratedCost& cost = fitted->costs[c];
        Cost& entry = scenario.costs[cost.cost.name];
        entry.value = cost.value;
        entry.range = {cost.interval95.lo, cost.interval95.hi};
        entry.provenance = Provenance::fitted;
        if (jointly) entry.correlations = {{fitted->costs[1 - c].cost.name, fitted->correlation[1]}};
      }
      const FittedCosts costs(scenario);
      const Repetition drawn = [&](std::int64_t n, std::uint32_t index) {
        Scenario one = scenario;
        RandomStream stream(5, index, "costs");
        costs.draw(one, stream);
        return path_model(*one.costs["cycles"].value, *one.costs["lines"].value, kSigma, kPredicted, kModelSeed)(n,
                                                                                                                 index);
      };
      return by_repetition(drawn, {kEdges, {Statistic::mean}, nullptr, 400}, Parallel{1}).front();
    };
    const Predicted joint = predicted(true);
    const Predicted apart = predicted(false);
    CHECK(joint.hi - joint.lo < 0.5 * (apart.hi - apart.lo));
    for (std::uint32_t e = 0; e < kExperiments; ++e) {
      const double mean =
          path_model(kCycles, kLines, kSigma, kPredicted, kTruthSeed)(kEdges, 1000 * i + e).latencies.mean_us();
      covered += joint.lo <= mean && mean <= joint.hi ? 1 : 0;
    }
  }
  // Experiments of one fit share its error, so that the band is that of the fits.
  INFO(covered << " of " << kFits * kExperiments);
  CHECK(binomial_cdf(covered / kExperiments, kFits, 0.95) > 0.001);
}

TEST_CASE("what is open of fitted costs goes to its ends along independent directions") {
  Scenario scenario;
  for (const std::string name : {"a", "b", "c"}) {
    Cost& cost = scenario.costs[name];
    cost.value = 1.0;
    cost.range = {0.5, 2.0};
    cost.provenance = Provenance::fitted;
  }
  scenario.costs["a"].correlations = {{"b", -1.0}, {"c", 0.5}};
  scenario.costs["b"].correlations = {{"a", -1.0}};
  // c does not name a: it has been overruled by another table since.
  CHECK(FittedCosts(scenario).ends() == std::vector<Settings>{{"/costs/a/value=0.5", "/costs/b/value=2"},
                                                              {"/costs/a/value=2", "/costs/b/value=0.5"},
                                                              {},
                                                              {},
                                                              {"/costs/c/value=0.5"},
                                                              {"/costs/c/value=2"}});
}
