// Sensitivity, the stop rule, and the comparison of distributions.
#include <algorithm>
#include <string>
#include <vector>

#include "analysis/sensitivity.hpp"
#include "analysis/two_sample.hpp"
#include "analysis/until.hpp"
#include "catch.hpp"
#include "engine/random.hpp"

using namespace vecusim;

namespace {

RunOptions few() {
  RunOptions options;
  options.replications = 5;
  options.parallel.threads = 1;
  return options;
}

/// Nothing random but the stimulus' phase.
Settings undisturbed() {
  return {"/costs/core.jitter_sigma/value=0",
          "/costs/core.miss_cv/value=0",
          "/costs/linux.masked_windows/value=0",
          "/costs/linux.page_faults.cycles/value=0",
          "/costs/linux.page_faults.lines/value=0",
          "/interrupts/0/stimulus/count=10",
          R"(/costs/bench.capture/law={"model":"constant","value_us":1})"};
}

const CostEffect& effect(const Sensitivity& found, const std::string& name) {
  const auto at =
      std::find_if(found.costs.begin(), found.costs.end(), [&](const CostEffect& c) { return c.name == name; });
  REQUIRE(at != found.costs.end());
  return *at;
}

std::vector<Duration> normal(double mean, std::size_t n, std::uint32_t index) {
  RandomStream stream(6, index, "normal");
  std::vector<Duration> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(from_us(mean + 2.0 * normal_quantile(stream.uniform())));
  return values;
}

}  // namespace

TEST_CASE("a cost's effect is what the path makes of it") {
  const LoadedScenario loaded = load_scenario("pi4-native", undisturbed());
  const Sensitivity found = sensitivity(loaded, {}, Statistic::p50, few());
  // The reschedule of the program's core: 600 cycles each of two cores at 600 MHz; the range ends at 300 and 1200.
  const CostEffect& wake_up = effect(found, "core.wfi_exit");
  CHECK(wake_up.at_lo.change == Approx(-2 * 0.5).margin(0.01));
  CHECK(wake_up.at_hi.change == Approx(2 * 1.0).margin(0.01));
  CHECK(wake_up.at_hi.real());
  // Twice through the interrupt controller, 200 ns, range 50 … 300.
  CHECK(effect(found, "gic.forward").at_hi.change == Approx(2 * 0.1).margin(0.001));
  CHECK(std::is_sorted(found.costs.begin(), found.costs.end(),
                       [](const CostEffect& a, const CostEffect& b) { return a.swing() > b.swing(); }));
  CHECK(found.without_effect > 0);  // the Python program, the other interface
  CHECK(std::find(found.laws.begin(), found.laws.end(), "linux.masked_window") != found.laws.end());
}

TEST_CASE("costs that multiply are named as interacting") {
  const LoadedScenario loaded = load_scenario("pi4-native", undisturbed());
  const Sensitivity found = sensitivity(loaded, {}, Statistic::p50, few());
  const auto both = [&](const Interaction& pair) {
    return (pair.first == "core.dram_line" && pair.second == "linux.record.lines") ||
           (pair.second == "core.dram_line" && pair.first == "linux.record.lines");
  };
  const auto at = std::find_if(found.interactions.begin(), found.interactions.end(), both);
  REQUIRE(at != found.interactions.end());
  // 300 more lines of 100 ns are so much; of 180 ns they are 0.8 as much again.
  CHECK(at->beyond.change == Approx(0.8 * effect(found, "linux.record.lines").at_hi.change).epsilon(0.01));
}

TEST_CASE("too few edges for a percentile are refused") {
  const LoadedScenario loaded = load_scenario("pi4-native");
  CHECK_THROWS_WITH(sensitivity(loaded, {}, Statistic::p99, few()),
                    Catch::Contains("expected enough edges for p99_us, found 100"));
}

TEST_CASE("a run stops when its interval is as narrow as asked, and is what so many replications give") {
  const LoadedScenario loaded = load_scenario("pi4-native");
  Problems problems;
  const Claim claim = *parse_claim("mean ± 0.5%", problems, "--until");
  RunOptions options;
  options.parallel.threads = 1;
  const UntilResult until = run_until(loaded, options, claim, 4096);
  REQUIRE(until.met);
  const LatencyResult& latency = until.observed.result.latency.front();
  CHECK(latency.mean_ci95->hi - *latency.mean_us <= 0.01 * *latency.mean_us);
  CHECK_THAT(until.explanation, Catch::Contains("64 replications: edge: mean_us "));
  options.replications = until.observed.result.replications;
  CHECK(to_json(run_experiment(loaded, options)) == to_json(until.observed.result));
  const UntilResult never = run_until(loaded, {}, *parse_claim("mean ± 0.001%", problems, "--until"), 16);
  CHECK_FALSE(never.met);
  CHECK(never.observed.result.replications == 16);
}

TEST_CASE("stopping by width leaves the interval's coverage") {
  // Benches whose edges meet ticks take longer in whole; the truth from many.
  LoadedScenario loaded = load_scenario("pi4-native", {"/interrupts/0/stimulus/count=20"});
  Problems problems;
  const Claim claim = *parse_claim("mean ± 0.8%", problems, "--until");
  RunOptions options;
  options.parallel.threads = 1;
  options.replications = 4000;
  const double truth = *run_experiment(loaded, options).latency.front().mean_us;
  options.replications.reset();
  constexpr std::uint64_t kTrials = 100;
  std::uint64_t covered = 0;
  for (std::uint64_t i = 0; i < kTrials; ++i) {
    options.seed = 1000 + i;
    const UntilResult until = run_until(loaded, options, claim, 4096);
    const Interval interval = *until.observed.result.latency.front().mean_ci95;
    covered += interval.lo <= truth && truth <= interval.hi ? 1 : 0;
  }
  INFO(covered << " of " << kTrials);
  CHECK(binomial_cdf(covered, kTrials, 0.95) > 0.001);
}

TEST_CASE("samples of one law are called different once in twenty times, and of two laws nearly always") {
  constexpr std::uint64_t kTrials = 200;
  std::uint64_t false_alarms = 0;
  std::uint64_t found = 0;
  std::uint64_t covered = 0;
  for (std::uint32_t i = 0; i < kTrials; ++i) {
    const auto same = compare_distributions(normal(100, 60, i), normal(100, 50, 1000 + i), 100);
    REQUIRE(same.test);
    false_alarms += same.test->wasserstein_p_value <= 0.05 ? 1 : 0;
    const auto other = compare_distributions(normal(102, 60, i), normal(100, 50, 1000 + i), 100);
    found += other.test->wasserstein_p_value <= 0.05 ? 1 : 0;
    // Shifted by 2 µs, which is their distance.
    covered += other.test->wasserstein_interval95.lo <= 2.0 && 2.0 <= other.test->wasserstein_interval95.hi ? 1 : 0;
  }
  INFO(false_alarms << " false alarms, " << found << " found, " << covered << " covered");
  CHECK(1.0 - binomial_cdf(false_alarms, kTrials, 0.05) > 0.001);
  CHECK(found > 190);
  CHECK(binomial_cdf(covered, kTrials, 0.93) > 0.001);
}

TEST_CASE("too few samples are not compared, with the reason") {
  const auto outcome = compare_distributions(normal(100, 19, 0), normal(100, 500, 1));
  CHECK_FALSE(outcome.test);
  CHECK(outcome.refusal == "distributions are not compared: 19 samples, at least 20 are needed on either side");
}

TEST_CASE("what an interrupt rests on is its own, also if it follows another", "[long]") {
  const LoadedScenario loaded = load_scenario("pi4-xen-together", {"/interrupts/1/stimulus/count=10"});
  const Tally tally = run_trial(loaded.scenario, *std::make_unique<QuantileTables>(), 0, 0, {});
  RunOptions options = few();
  for (const std::size_t i : {0U, 1U}) {
    const Sensitivity found = sensitivity(loaded, loaded.scenario.interrupts[i].name, Statistic::mean, options);
    CHECK(found.interrupt == loaded.scenario.interrupts[i].name);
    CHECK(found.edges == 10);
    CHECK(found.base_us == Approx(tally.latency[i].samples.mean_us()).epsilon(0.1));
  }
}
