// Experiment 10 of the specification of the mechanisms: what polls once a millisecond cannot be what the Xen row shows.
#include "analysis/validate.hpp"
#include "analysis/validate_simulation.hpp"
#include "catch.hpp"
#include "engine/random.hpp"
#include "source_dir.hpp"

using namespace vecusim;

namespace {

// The native path, found by a poll uniformly within a millisecond, plus a constant.
Simulator polled(Duration constant) {
  return [constant](const CaseRow& row, const std::vector<std::string>&) -> Repetition {
    CaseRow unpolled = row;
    unpolled.scenario = "pi4-native";
    const Repetition edges = scenario_simulator(named_scenarios(), {}, {})(unpolled, {});
    return [edges, constant](std::int64_t n, std::uint32_t index) {
      RandomStream poll{1, index, "poll"};
      Answers answers;
      const Answers native = edges(n, index);
      for (const Duration latency : native.latencies.values()) {
        answers.latencies.add(latency + constant + from_us(1000.0 * poll.uniform()));
      }
      return answers;
    };
  };
}

}  // namespace

TEST_CASE(
    "whatever constant goes with it, a poll per millisecond is rejected: the row's minimum is too near its mean") {
  LoadedCase loaded = load_case((source_dir() / "validation/cases/ksae2022-xen.json").string());
  loaded.content.rows.resize(1);
  // The second one puts the mean right, the third one the minimum.
  for (const Duration constant : {0us, 570us, 1010us}) {
    const std::vector<JudgedRow> rows = judge(loaded, polled(constant), {400, Parallel{2}});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].verdict == RowVerdict::fail);
    bool both = true;
    for (const JudgedStatistic& statistic : rows[0].statistics) {
      if (statistic.statistic == Statistic::max) continue;
      both = both && *statistic.inside;
    }
    CHECK_FALSE(both);
  }
}
