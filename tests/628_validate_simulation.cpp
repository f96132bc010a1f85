// Validation against the simulator itself: repeated experiments are replications of a scenario.
#include <string>

#include "analysis/experiment.hpp"
#include "analysis/validate.hpp"
#include "analysis/validate_simulation.hpp"
#include "catch.hpp"
#include "source_dir.hpp"

using namespace vecusim;

namespace {

CaseRow row_of(const std::string& scenario) {
  CaseRow row;
  row.name = "row";
  row.scenario = scenario;
  return row;
}

}  // namespace

TEST_CASE("an experiment of n edges is one replication with n edges") {
  const Repetition repeat = scenario_simulator(named_scenarios(), {}, {})(row_of("pi4-native"), {});
  const Answers answers = repeat(30, 5);
  CHECK(answers.latencies.n() == 30);
  CHECK(answers.lost == 0);

  Scenario scenario = load_scenario("pi4-native").scenario;
  scenario.interrupts.front().stimulus.count = 30;
  QuantileTables tables;
  const Tally tally = run_trial(scenario, tables, 5, 0, {});
  CHECK(answers.latencies.values() == tally.latency.front().samples.values());
  CHECK(repeat(30, 6).latencies.values() != answers.latencies.values());
}

TEST_CASE("settings, seed and a run's own length are minded, and edges in the warm-up come on top") {
  const CaseRow row = row_of("pi4-native");
  const Simulator simulator = scenario_simulator(named_scenarios(), 7, {});
  CHECK(simulator(row, {})(10, 0).latencies.values() ==
        scenario_simulator(named_scenarios(), {}, {})(row, {"/run/seed=7"})(10, 0).latencies.values());
  CHECK(simulator(row, {})(10, 0).latencies.sum() > simulator(row, {"/board/clock_mhz=1500"})(10, 0).latencies.sum());
  CHECK(simulator(row, {"/run/measure_ms=3000"})(10, 0).latencies.n() == 10);
  CHECK(simulator(row, {"/run/warmup_ms=5000"})(10, 0).latencies.n() == 10);
}

TEST_CASE("a row that names no interrupt of its scenario is refused") {
  CaseRow row = row_of("pi4-native");
  row.interrupt = "egde";
  CHECK_THROWS_WITH(
      scenario_simulator(named_scenarios(), {}, {})(row, {}),
      Catch::Contains("expected an interrupt named \"egde\"") && Catch::Contains("did you mean \"edge\""));
  row.interrupt = "edge";
  CHECK_NOTHROW(scenario_simulator(named_scenarios(), {}, {})(row, {}));
}

TEST_CASE(
    "the published row without a hypervisor is predicted, and its perturbation noticed, by any number of threads") {
  const LoadedCase loaded = load_case((source_dir() / "validation/cases/ksae2022-native.json").string());
  const auto judged = [&](unsigned threads) {
    Validation validation;
    validation.rows = judge(loaded, scenario_simulator(named_scenarios(), {}, {}), {kRepetitions, Parallel{threads}});
    return validation;
  };
  const Validation one = judged(1);
  INFO(to_text(one, false));
  REQUIRE(one.rows.size() == 1);
  CHECK(one.rows[0].verdict == RowVerdict::pass);
  for (const JudgedStatistic& statistic : one.rows[0].statistics) CHECK(*statistic.better_than_naive);
  CHECK(to_json(judged(2)) == to_json(one));
}
