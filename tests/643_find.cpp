// How far a value can go: crisp figures, noisy ones, and questions that have no answer.
#include "analysis/find.hpp"
#include "analysis/metric.hpp"
#include "analysis/until.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

Search search(const std::string& span, const std::string& meets, std::uint64_t replications = 1) {
  Problems problems;
  const LoadedScenario loaded =
      load_scenario("pi4-native", {"/interrupts/0/stimulus/period_ms=10", "/interrupts/0/stimulus/count=10"});
  return find_limit(loaded, parse_span(span, problems, "--find").value(), parse_limit(meets, "edge", problems).value(),
                    {.replications = replications, .parallel = {.threads = 2}});
}

std::string text_at(const Search& search, const std::optional<std::size_t>& at) {
  return at ? search.probes[*at].value.text : "none";
}

const std::string kCount = "/interrupts/0/stimulus/count=1:100";

}  // namespace

TEST_CASE("A figure without noise has its cliff between neighbouring integers") {
  const Search up = search(kCount, "latency.edge.n <= 37");
  CHECK(up.ascending);
  CHECK(text_at(up, up.last_met) == "37");
  CHECK(text_at(up, up.first_unmet) == "38");
  const Search down = search(kCount, "n > 37");
  CHECK_FALSE(down.ascending);
  CHECK(text_at(down, down.last_met) == "38");
  CHECK(text_at(down, down.first_unmet) == "37");
  CHECK(up.probes.size() < 15);
}

TEST_CASE("What all of a span meets or nothing does has no cliff") {
  const Search all = search(kCount, "n <= 100");
  CHECK(all.last_met);
  CHECK_FALSE(all.first_unmet);
  CHECK_THAT(to_text(all), Catch::Contains("All from 1 to 100 meets"));
  const Search none = search(kCount, "n > 100");
  CHECK_FALSE(none.last_met);
  CHECK_THAT(to_text(none), Catch::Contains("Nothing from 1 to 100"));
}

TEST_CASE("A noisy figure's cliff lies between what surely meets and what surely does not", "[long]") {
  const Search few = search("/board/clock_mhz=600.0:1500.0", "mean_us <= 90");
  REQUIRE(few.last_met);
  REQUIRE(few.first_unmet);
  const Probe& met = few.probes[*few.last_met];
  const Probe& unmet = few.probes[*few.first_unmet];
  CHECK(met.interval->hi <= 90.0);
  CHECK(unmet.interval->lo > 90.0);
  CHECK(met.value.value.as_double() > unmet.value.value.as_double());
  for (const Probe& probe : few.probes) {
    CHECK(probe.replications >= kFirstLook);
    CHECK((probe.replications == 32 * kFirstLook || probe.verdict != Verdict::unsure));
  }
  const Search many = search("/board/clock_mhz=600.0:1500.0", "mean_us <= 90", 4 * kFirstLook);
  // Down to the cliff both times: what surely meets the limit lies above what surely does not, of either search.
  const auto value = [](const Search& s, std::size_t at) { return s.probes[at].value.value.as_double(); };
  CHECK(value(few, *few.first_unmet) < value(many, *many.last_met));
  CHECK(value(many, *many.first_unmet) < value(few, *few.last_met));
}

TEST_CASE("An end that noise leaves open is between what meets the limit and what does not", "[long]") {
  // The limit is what the faster end has: no number of replications tells on which side of it that is.
  const Settings settings = {"/interrupts/0/stimulus/period_ms=10", "/interrupts/0/stimulus/count=10"};
  const LoadedScenario fast = load_scenario("pi4-native", {settings[0], settings[1], "/board/clock_mhz=1500"});
  const Result result = run_experiment(fast, {.replications = 32 * kFirstLook});
  const double limit = *result.latency[0].mean_us;
  const auto open_end = [&](const std::string& sign) {
    Problems problems;
    return find_limit(load_scenario("pi4-native", settings),
                      parse_span("/board/clock_mhz=600.0:1500.0", problems, "--find").value(),
                      parse_limit("mean" + sign + std::to_string(limit), "edge", problems).value(), {});
  };
  const Search below = open_end("<=");
  REQUIRE(below.probes.back().verdict == Verdict::unsure);
  CHECK_FALSE(below.ascending);
  CHECK_FALSE(below.last_met);
  REQUIRE(below.first_unmet);
  CHECK(below.probes[*below.first_unmet].value.value.as_double() > 1400.0);
  CHECK_THAT(to_text(below), Catch::Contains("surely meets"));
  const Search above = open_end(">=");
  CHECK(above.ascending);
  CHECK_FALSE(above.first_unmet);
  REQUIRE(above.last_met);
  CHECK(above.probes[*above.last_met].value.value.as_double() > 1400.0);
}

TEST_CASE("A figure without an interval is taken from the replications that were asked for") {
  for (const Probe& probe : search(kCount, "n <= 37", 2).probes) CHECK(probe.replications == 2);
}

TEST_CASE("A search asks for a figure that there is") {
  Problems problems;
  CHECK_FALSE(parse_limit("p99_us", "edge", problems));
  CHECK_FALSE(parse_limit("p99_us <= x", "edge", problems));
  CHECK_FALSE(parse_limit("<= 3", "edge", problems));
  CHECK_FALSE(parse_limit("p99_us <= 3", std::nullopt, problems));
  CHECK(problems.errors() == 4);
  CHECK(parse_limit("p99_us<=200", "edge", problems)->path == "latency.edge.p99_us");
  CHECK_FALSE(parse_limit("load.linux.pcpu_pct >= 1e1", "edge", problems)->at_most);
  CHECK(parse_limit("p99.9<=200", "edge", problems)->path == "latency.edge.p99_9_us");
  CHECK(parse_limit("latency.edge.mean<=200", std::nullopt, problems)->path == "latency.edge.mean_us");
  CHECK_THROWS_WITH(search(kCount, "nothing <= 1"), Catch::Contains("a number of the result"));
  CHECK_THROWS_WITH(search(kCount, "latency.edge.mean_ms <= 1"),
                    Catch::Contains("did you mean \"latency.edge.mean_us\""));
  CHECK_THROWS_AS(search("/interrupts/0/stimulus/count=-5:9", "n <= 1"), InvalidInput);
}
