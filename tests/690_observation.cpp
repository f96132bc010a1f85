// Observations, scenarios and a sweep's trials as bytes: what comes out again is what went in.
#include "analysis/bytes.hpp"
#include "analysis/observation.hpp"
#include "analysis/scenario_bytes.hpp"
#include "analysis/sweep.hpp"
#include "analysis/sweep_remote.hpp"
#include "catch.hpp"
#include "system/json_fields.hpp"
#include "system/json_print.hpp"

using namespace vecusim;

namespace {

RunOptions replications(std::uint64_t number) {
  RunOptions options;
  options.replications = number;
  options.parallel.threads = 1;
  return options;
}

std::vector<Dimension> varied(const std::string& text) {
  Problems problems;
  return {alone(json::parse_variation(text, problems).value())};
}

std::vector<std::string> documents(const Sweep& sweep, const SweepRunner& runner) {
  std::vector<std::string> rows;
  run_sweep(
      sweep, replications(3), nullptr, [&](const SweepRow& row) { rows.push_back(json::compact(to_json(row.result))); },
      runner);
  return rows;
}

}  // namespace

TEST_CASE("an observation that was stored tells the same") {
  Observation observed = observe(load_scenario("pi4-native", {"/interrupts/0/stimulus/count=10"}), replications(2));
  const std::string bytes = to_bytes(observed);
  const Observation again = observation_of(bytes);
  CHECK(json::pretty(to_json(again.result)) == json::pretty(to_json(observed.result)));
  CHECK(again.tally.latency[0].samples.values() == observed.tally.latency[0].samples.values());
  CHECK_THROWS_AS(observation_of(std::string_view(bytes).substr(0, bytes.size() - 1)), DamagedBytes);
}

TEST_CASE("a scenario that was stored keeps what was given unquoted") {
  const LoadedScenario loaded = load_scenario("pi4-xen-published", {"/hypervisor/version=4.19"});
  const LoadedScenario again = scenario_of(to_bytes(loaded));
  CHECK(json::pretty(json::write(again.scenario)) == json::pretty(json::write(loaded.scenario)));
  CHECK(again.inputs.size() == loaded.inputs.size());
  CHECK(again.problems.size() == loaded.problems.size());
}

TEST_CASE("trials elsewhere come to the same rows, in chunks of any size") {
  const Sweep sweep = plan_sweep(load_scenario("pi4-xen-published", {"/interrupts/0/stimulus/count=3"}),
                                 varied("/hypervisor/version=4.14,4.19,4.22"));
  const auto local = documents(sweep, {});
  REQUIRE(local.size() == 3);
  for (const std::size_t size : {1U, 2U, 9U}) {
    RemoteTrials worker(remote_base(sweep.base, replications(3)));
    const auto elsewhere = documents(sweep, [&](std::size_t count, const auto& trial, const auto& reduce) {
      CHECK(count == 9);
      for (std::size_t first = 0; first < count; first += size) {
        std::vector<SweepTrial> chunk;
        for (std::size_t i = first; i < std::min(first + size, count); ++i) chunk.push_back(trial(i));
        std::size_t next = first;
        for (Tally& tally : remote_tallies(worker.run(remote_chunk(chunk), {}))) reduce(next++, std::move(tally));
      }
    });
    CHECK(elsewhere == local);
  }
}
