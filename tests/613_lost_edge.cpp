// One lost edge, as a bench without sequence numbers sees it.
#include <algorithm>

#include "analysis/latency_sink.hpp"
#include "catch.hpp"
#include "system/replication.hpp"
#include "system/scenario.hpp"

using namespace vecusim;

namespace {

LatencyTally tally(const char* late_answer, std::uint32_t replication) {
  const LoadedScenario loaded =
      load_scenario("pi4-tcg-stall", {std::string("/interrupts/0/measure/late_answer=") + late_answer, "/run/seed=1"});
  QuantileTables tables;
  Replication run(loaded.scenario, tables, 1, replication);
  LatencySink sink({LatencyRule{run.path(0).size(), loaded.scenario.interrupts[0].measure.late_answer, {}}}, kStart);
  run.attach(sink);
  run.run();
  return std::move(sink.take().front());
}

/// A replication in which exactly one edge is lost, and another one comes after it.
std::uint32_t with_one_loss() {
  for (std::uint32_t replication = 0;; ++replication) {
    if (tally("separate", replication).lost == 1 && tally("counted", replication).late == 1) return replication;
  }
}

}  // namespace

TEST_CASE("Experiment 12: one lost edge gives exactly one sample of a period and a normal latency") {
  const std::uint32_t replication = with_one_loss();
  const LatencyTally separate = tally("separate", replication);
  const LatencyTally counted = tally("counted", replication);
  CHECK(separate.samples.values().size() == 99);
  CHECK(counted.samples.values().size() == 99);
  CHECK(separate.late == 0);

  // The samples of both ways to count differ in one: by the time between two edges.
  std::vector<Duration> normal = separate.samples.values();
  std::vector<Duration> bench = counted.samples.values();
  std::sort(normal.begin(), normal.end());
  std::sort(bench.begin(), bench.end());
  const Duration late = bench.back();
  bench.pop_back();
  std::vector<Duration> differ;
  std::set_difference(normal.begin(), normal.end(), bench.begin(), bench.end(), std::back_inserter(differ));
  REQUIRE(differ.size() == 1);
  // The generator's clock is off by 30 ppm at most.
  CHECK(to_us(late - differ.front()) == Approx(1e6).margin(30.0));
  CHECK(bench.back() < 200ms);

  // And it is no time of the system's: a relay is what the bench can only blame.
  Duration relay{};
  Duration sum{};
  for (const StageSum& stage : counted.stages) {
    relay += stage.waits[static_cast<std::size_t>(Wait::relay)];
    sum += stage.total();
  }
  Duration stall{};
  for (const StageSum& stage : separate.stages) stall += stage.waits[static_cast<std::size_t>(Wait::relay)];
  CHECK(relay - stall == late - differ.front());
  CHECK(sum == counted.samples.sum());
}
