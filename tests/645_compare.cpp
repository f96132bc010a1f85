// Whether a difference is one.
#include <cmath>

#include "analysis/compare.hpp"
#include "analysis/experiment.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

Side side(const std::string& name, const Settings& settings, std::uint64_t seed,
          const std::string& scenario = "pi4-native") {
  const Result result =
      run_experiment(load_scenario(scenario, settings), {.seed = seed, .replications = 12, .parallel = {.threads = 2}});
  return {name, result.latency, result.load, result.network, result.replications};
}

Side native(std::uint64_t seed, const std::string& clock = "600") {
  return side("seed " + std::to_string(seed), {"/interrupts/0/stimulus/period_ms=10", "/board/clock_mhz=" + clock},
              seed);
}

const Difference& figure(const Comparison& comparison, const std::string& name) {
  for (const Difference& difference : comparison.latency.at(0).figures) {
    if (difference.figure == name) return difference;
  }
  throw std::logic_error("no " + name);
}

Side with_limit(const std::string& clock, const std::string& limit_us) {
  return side(
      clock,
      {"/board/clock_mhz=" + clock, "/interrupts/0/requirement={\"limit_us\":" + limit_us + ",\"percentile\":50}"}, 1);
}

}  // namespace

TEST_CASE("The interval of a difference is the intervals' own where they are symmetric") {
  const Interval interval = difference_interval(10.0, {7.0, 13.0}, 12.0, {8.0, 16.0});
  CHECK(interval.lo == Approx(2.0 - 5.0));
  CHECK(interval.hi == Approx(2.0 + 5.0));
  // Each end comes from the ends that it depends on.
  const Interval skew = difference_interval(10.0, {10.0, 13.0}, 12.0, {8.0, 12.0});
  CHECK(skew.lo == Approx(2.0 - 5.0));
  CHECK(skew.hi == Approx(2.0));
}

TEST_CASE("Equal scenarios with other seeds show a difference of the mean about once in twenty times", "[long]") {
  int shown = 0;
  std::vector<Side> sides;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) sides.push_back(native(seed));
  for (std::size_t i = 0; i + 1 < sides.size(); i += 2)
    shown += figure(compare(sides[i], sides[i + 1]), "mean_us").shown();
  // Binomial(40, 0.05): more than 6 in fewer than one of 200 tries.
  CHECK(shown <= 6);
}

TEST_CASE("A faster clock is seen in every figure that has an interval, and in the distributions") {
  const Comparison comparison = compare(native(1), native(2, "1500"));
  for (const char* name : {"mean_us", "p50_us"}) {
    CHECK(figure(comparison, name).shown());
    CHECK(figure(comparison, name).change() < 0.0);
  }
  CHECK_FALSE(figure(comparison, "max_us").interval95);
  REQUIRE(comparison.latency[0].distributions.test);
  CHECK(comparison.latency[0].distributions.test->wasserstein_p_value < 0.01);
  CHECK_FALSE(comparison.worse());
  CHECK(compare(native(2, "1500"), native(1)).worse());
}

TEST_CASE("A verdict that changed comes first, and is worse if it was met") {
  const Comparison better = compare(with_limit("600", "160"), with_limit("1500", "160"));
  REQUIRE(better.latency[0].verdict);
  CHECK(better.latency[0].verdict->before == false);
  CHECK(better.latency[0].verdict->after == true);
  CHECK_FALSE(better.worse());
  CHECK(compare(with_limit("1500", "160"), with_limit("600", "160")).worse());
  CHECK_THAT(to_text(better), Catch::Contains("requirement: not met → met"));
}

TEST_CASE("Latencies are matched by name; what only one side has is said") {
  const Side console = side("console", {}, 1, "pi4-xen-together");
  Side fewer = console;
  fewer.latency.erase(fewer.latency.begin());
  const Comparison comparison = compare(console, fewer);
  CHECK(comparison.latency.size() == fewer.latency.size());
  CHECK(comparison.only_before == std::vector<std::string>{console.latency[0].name});
  CHECK(compare(fewer, console).only_after == comparison.only_before);
}

TEST_CASE("A side with itself shows nothing") {
  const Side one = native(3);
  const Comparison comparison = compare(one, one);
  for (const Difference& difference : comparison.latency[0].figures) CHECK(difference.change() == 0.0);
  CHECK_FALSE(comparison.worse());
  CHECK_THAT(to_text(comparison), Catch::Contains("No difference that"));
}

TEST_CASE("What a gate would have judged and is gone is worse, and named") {
  const Side before = with_limit("600", "300");
  const auto only = [&](const Comparison& comparison) {
    CHECK(comparison.worse());
    REQUIRE(comparison.missing().size() == 1);
    CHECK_THAT(to_text(comparison), Catch::Contains("Missing in"));
    return comparison.missing()[0];
  };
  Side after = before;
  after.latency[0].requirement.reset();
  CHECK(only(compare(before, after)) == "the requirement of edge");
  after = before;
  after.latency[0].quantiles[0] = {};
  CHECK_THAT(only(compare(before, after)), Catch::Contains("p50_us of edge"));
  after = before;
  after.latency.clear();
  CHECK(only(compare(before, after)) == "the latency of edge");
  // What is new is no loss.
  CHECK_FALSE(compare(after, before).worse());
}

TEST_CASE("Flows are shown, and a flow that is gone is missing") {
  const auto rate = [](const std::string& mbps) {
    return side(mbps, {"/run/warmup_ms=0", "/run/measure_ms=5", "/network/flows/0/rate_mbps=" + mbps}, 1,
                "vc3-rswitch2-rx");
  };
  const Comparison comparison = compare(rate("50"), rate("100"));
  REQUIRE(comparison.network.size() == 1);
  CHECK(comparison.network[0].figures[0].figure == "goodput_mbps");
  CHECK(comparison.network[0].figures[0].change() > 40.0);
  CHECK_FALSE(comparison.judges());
  Side none = rate("100");
  none.network.clear();
  CHECK(compare(rate("50"), none).missing() == std::vector<std::string>{"the flow udp"});
}

TEST_CASE("A gate judges no figures of a handful of samples, and says what is of one replication") {
  const auto few = [](const std::string& clock) {
    const Result result = run_experiment(
        load_scenario("pi4-native", {"/interrupts/0/stimulus/count=15", "/board/clock_mhz=" + clock}), {});
    return Side{clock, result.latency, result.load, result.network, result.replications};
  };
  const Comparison slower = compare(few("1500"), few("600"));
  CHECK(figure(slower, "mean_us").shown());
  CHECK_FALSE(slower.judges());
  CHECK_FALSE(slower.worse());
  CHECK(slower.single == std::vector<std::string>{"1500", "600"});
  CHECK_THAT(to_text(slower), Catch::Contains("Of one replication: 1500, 600."));
}

TEST_CASE("No p-value is less than what so many lots can tell") {
  const std::string text = to_text(compare(native(1), native(2, "1500")));
  CHECK_THAT(text, Catch::Contains("p ≤ 0.002"));
  CHECK_THAT(text, Catch::Contains("p ≤ 0.001"));
}
