// Experiments on a real scenario: bytes that do not depend on threads, replications that differ, stopping.
#include <string>

#include "analysis/experiment.hpp"
#include "catch.hpp"
#include "system/json_print.hpp"

using namespace vecusim;

namespace {

LoadedScenario brief(const Settings& more = {}) {
  Settings settings = {"/interrupts/0/stimulus/count=30", "/interrupts/0/stimulus/period_ms=10"};
  settings.insert(settings.end(), more.begin(), more.end());
  return load_scenario("pi4-native", settings);
}

RunOptions options(unsigned threads, std::uint64_t replications) {
  RunOptions result;
  result.parallel.threads = threads;
  result.replications = replications;
  return result;
}

std::string document(const LoadedScenario& loaded, const RunOptions& run) {
  return json::pretty(to_json(run_experiment(loaded, run)));
}

}  // namespace

TEST_CASE("a result's bytes are the same on any number of threads") {
  const LoadedScenario loaded = brief();
  const std::string one = document(loaded, options(1, 12));
  CHECK(one == document(loaded, options(2, 12)));
  CHECK(one == document(loaded, options(7, 12)));
}

TEST_CASE("replications are counted together") {
  const Result result = run_experiment(brief(), options(2, 4));
  CHECK(result.replications == 4);
  CHECK(result.latency[0].n + result.latency[0].lost + result.latency[0].merged == 120);
  CHECK(result.latency[0].min < result.latency[0].max);
  Duration sum{};
  for (const StageResult& stage : result.latency[0].stages) sum += stage.total();
  CHECK(sum == result.latency[0].sum);
  double machine = 0.0;
  for (const LoadResult& load : result.load) machine += load.machine_pct;
  CHECK(machine == Approx(100.0).epsilon(1e-12));
}

TEST_CASE("the seed of the options is the one in the result's scenario, so that the result can be repeated") {
  RunOptions run = options(1, 2);
  run.seed = 77;
  const Result result = run_experiment(brief(), run);
  CHECK(result.seed == 77);
  CHECK(*result.scenario.find("run")->find("seed")->as_int64() == 77);
  CHECK(*result.scenario.find("run")->find("replications")->as_int64() == 2);
  CHECK(document(brief({"/run/seed=77", "/run/replications=2"}), {}) == json::pretty(to_json(result)));
  run.seed = 78;
  CHECK(run_experiment(brief(), run).latency[0].sum != result.latency[0].sum);
}

TEST_CASE("what begins in the warm-up is not counted") {
  const Result whole = run_experiment(brief(), options(1, 1));
  const Result later = run_experiment(brief({"/run/warmup_ms=100"}), options(1, 1));
  CHECK(later.latency[0].n + 10 >= whole.latency[0].n);
  CHECK(later.latency[0].n < whole.latency[0].n);
  CHECK(later.simulated_s == whole.simulated_s);
}

TEST_CASE("a stop ends an experiment within a replication") {
  std::stop_source source;
  RunOptions run = options(1, 1);
  run.parallel.stop = source.get_token();
  source.request_stop();
  CHECK_THROWS_AS(run_experiment(brief(), run), Interrupted);
  const LoadedScenario loaded = brief();
  QuantileTables tables;
  CHECK_THROWS_AS(run_trial(loaded.scenario, tables, 0, 0, source.get_token()), Interrupted);
}
