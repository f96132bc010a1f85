// Results: which figures there are for how many samples, what a requirement's verdict is, and the document.
#include <algorithm>
#include <vector>

#include "analysis/result.hpp"
#include "analysis/summary.hpp"
#include "catch.hpp"
#include "system/json_print.hpp"

using namespace vecusim;

namespace {

constexpr std::size_t kRunqueue = static_cast<std::size_t>(Wait::runqueue);

SystemView::InterruptView edge() { return {"edge", "edge", "response", {"gpio edge", "wake"}}; }

/// 1 µs, 2 µs, … n µs, in an order in which neighbours do not resemble each other; a quarter is service of the first
/// stage, the rest a wait in the second.
LatencyTally ramp(std::uint64_t n) {
  LatencyTally tally;
  tally.stages.resize(2);
  for (std::uint64_t i = 1; i <= n; ++i) {
    const Duration latency = 1us * static_cast<std::int64_t>(37 * i % (n + 1));
    tally.samples.add(latency);
    tally.batches.add(latency);
    tally.stages[0].service += latency / 4;
    tally.stages[1].waits[kRunqueue] += latency - latency / 4;
  }
  return tally;
}

RequirementConfig within(Duration limit, double percentile) {
  RequirementConfig requirement;
  requirement.limit = limit;
  requirement.percentile = percentile;
  return requirement;
}

RequirementResult judged(std::uint64_t n, std::uint64_t misses, double percentile, std::uint64_t lost = 0,
                         bool lost_is_miss = true) {
  LatencyTally tally = ramp(n);
  tally.misses = misses;
  tally.lost = lost;
  return *summarize(edge(), tally, within(1ms, percentile), lost_is_miss).requirement;
}

Result with(LatencyResult latency) {
  Result result;
  result.scenario = json::Node::object();
  result.latency.push_back(std::move(latency));
  result.load.push_back({"dom0", {0, 1.5, 2.5, 0.25, 0, 0}, 4.25, 1.0625});
  result.load.push_back({"idle", {395.75, 0, 0, 0, 0, 0}, 395.75, 98.9375});
  return result;
}

const json::Node& at(const json::Node& node, std::string_view pointer_part) {
  const json::Node* found = node.find(pointer_part);
  INFO(pointer_part);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("a percentile is given if the samples are enough for it, and with an interval between samples") {
  const LatencyResult few = summarize(edge(), ramp(100), {}, true);
  CHECK(*few.quantiles[0].value == 50us);
  CHECK(few.quantiles[0].ci95->lo == 40us);
  CHECK(few.quantiles[0].ci95->hi == 61us);
  CHECK(*few.quantiles[1].value == 90us);
  CHECK_FALSE(few.quantiles[2].value);
  CHECK_FALSE(few.quantiles[2].ci95);

  CHECK_FALSE(summarize(edge(), ramp(298), {}, true).quantiles[2].value);
  const LatencyResult enough = summarize(edge(), ramp(299), {}, true);
  CHECK(*enough.quantiles[2].value == 297us);
  const LatencyResult many = summarize(edge(), ramp(3000), {}, true);
  CHECK(many.quantiles[2].ci95->lo < 2970us);
  CHECK(many.quantiles[2].ci95->hi > 2970us);
  CHECK_FALSE(enough.quantiles[3].value);
}

TEST_CASE("without samples there are no figures, and a requirement cannot be judged") {
  const LatencyResult nothing = summarize(edge(), ramp(0), within(1ms, 100.0), true);
  CHECK_FALSE(nothing.mean_us);
  CHECK_FALSE(nothing.std_us);
  CHECK_FALSE(nothing.max);
  CHECK_FALSE(nothing.mean_ci95);
  CHECK_FALSE(nothing.quantiles[0].value);
  CHECK_FALSE(nothing.requirement->met);
  CHECK(nothing.requirement->miss_ppm_upper95 == 1e6);
  CHECK(requirements_met(with(nothing)));
}

TEST_CASE("a requirement on all answers is met until one misses") {
  CHECK(*judged(10, 0, 100.0).met);
  CHECK_FALSE(*judged(10, 1, 100.0).met);
}

TEST_CASE("a requirement on a percentile is met if its nearest rank is within the limit") {
  CHECK(*judged(100, 5, 95.0).met);
  CHECK_FALSE(*judged(100, 6, 95.0).met);
  CHECK_FALSE(judged(298, 298, 99.0).met);  // too few to tell
  CHECK_FALSE(*judged(299, 3, 99.0).met);
  CHECK(*judged(299, 2, 99.0).met);
}

TEST_CASE("misses are told in ppm with their upper limit") {
  const RequirementResult result = judged(1000, 3, 99.0);
  CHECK(result.miss_ppm == Approx(3000.0));
  CHECK(result.miss_ppm_upper95 == Approx(7735.244718).epsilon(1e-9));
}

TEST_CASE("a stimulus without an answer is a miss, unless it already shows as a long answer") {
  const RequirementResult apart = judged(99, 0, 95.0, 1);
  CHECK(apart.misses == 1);
  CHECK(apart.trials == 100);
  CHECK(*apart.met);
  CHECK_FALSE(*judged(99, 0, 100.0, 1).met);
  const RequirementResult counted = judged(99, 1, 95.0, 1, false);
  CHECK(counted.misses == 1);
  CHECK(counted.trials == 99);
}

TEST_CASE("a violated requirement is told by the exit status, one without a verdict is not") {
  CHECK_FALSE(requirements_met(with(summarize(
      edge(),
      [] {
        LatencyTally tally = ramp(20);
        tally.misses = 2;
        return tally;
      }(),
      within(1ms, 100.0), true))));
  CHECK(requirements_met(with(summarize(edge(), ramp(20), within(1ms, 99.0), true))));
  CHECK(requirements_met(with(summarize(edge(), ramp(20), {}, true))));
}

TEST_CASE("the document has the contract's keys in its order") {
  const json::Node document = to_json(with(summarize(edge(), ramp(100), within(95us, 95.0), true)));
  const auto keys = [](const json::Node& node) {
    std::vector<std::string> result;
    for (const json::Member& member : node.members) result.push_back(member.key);
    return result;
  };
  CHECK(keys(document) == std::vector<std::string>{"schema", "version", "inputs", "scenario", "seed", "replications",
                                                   "simulated_s", "events", "latency", "load", "network", "counters"});
  CHECK(document.find("schema")->text == "vecusim/result/1");
  CHECK(document.find("version")->text == tool_version());
  const json::Node& latency = document.find("latency")->items[0];
  CHECK(keys(latency) == std::vector<std::string>{"name",        "from",   "to",       "n",         "lost",   "merged",
                                                  "late",        "sum_ps", "mean_us",  "std_us",    "min_us", "p50_us",
                                                  "p90_us",      "p99_us", "p99_9_us", "p99_99_us", "max_us", "ci95",
                                                  "requirement", "stages", "histogram"});
  CHECK(keys(at(latency, "ci95")) ==
        std::vector<std::string>{"mean_us", "p50_us", "p90_us", "p99_us", "p99_9_us", "p99_99_us"});
  CHECK(keys(at(latency, "requirement")) ==
        std::vector<std::string>{"limit_us", "percentile", "misses", "miss_ppm", "miss_ppm_upper95", "met"});
  CHECK(keys(at(latency, "stages").items[0]) ==
        std::vector<std::string>{"name", "service_ps", "waits_ps", "service_us", "waits_us"});
  CHECK(keys(document.find("load")->items[0]) ==
        std::vector<std::string>{"name", "pcpu_pct", "machine_pct", "contexts_pct"});
  CHECK(keys(*document.find("counters")) ==
        std::vector<std::string>{"context_switches_per_s", "interrupts_per_s", "migrations_per_s", "decisions_per_s"});
}

TEST_CASE("the document's integers tile, and its values are exact decimals of them") {
  const json::Node document = to_json(with(summarize(edge(), ramp(101), within(1234567ns, 95.0), true)));
  const json::Node& latency = document.find("latency")->items[0];
  std::int64_t sum = 0;
  for (const json::Node& stage : at(latency, "stages").items) {
    sum += *at(stage, "service_ps").as_int64();
    for (const json::Member& wait : at(stage, "waits_ps").members) sum += *wait.value.as_int64();
  }
  CHECK(sum == *at(latency, "sum_ps").as_int64());
  CHECK(sum == 5151000000);
  CHECK(at(latency, "mean_us").as_double() == 51.0);
  CHECK(at(at(latency, "requirement"), "limit_us").text == "1234.567");
  CHECK(at(latency, "max_us").text == "101");
  CHECK(at(latency, "p99_us").kind == json::Kind::null);
  CHECK(at(at(latency, "ci95"), "p99_us").kind == json::Kind::null);
  const json::Node& wait = at(at(latency, "stages").items[1], "waits_us");
  CHECK(wait.members.size() == 1);
  CHECK(at(wait, "runqueue").as_double() == Approx(0.75 * 51.0));
}

TEST_CASE("the document's histogram holds every sample") {
  const json::Node document = to_json(with(summarize(edge(), ramp(3000), {}, true)));
  const json::Node& bins = at(document.find("latency")->items[0], "histogram");
  CHECK(bins.items.size() <= LatencyResult::kMostBins);
  std::int64_t n = 0;
  for (const json::Node& bin : bins.items) n += *bin.items[2].as_int64();
  CHECK(n == 3000);
  CHECK(bins.items.front().items[0].as_double() <= 1.0);
  CHECK(bins.items.back().items[1].as_double() > 3000.0);
}

TEST_CASE("columns are the document's numbers by their paths, with names for indices") {
  const std::vector<Column> columns = to_columns(with(summarize(edge(), ramp(100), within(95us, 95.0), true)));
  const auto value = [&](std::string_view path) {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.path == path; });
    INFO(path);
    REQUIRE(found != columns.end());
    return json::compact(found->value);
  };
  CHECK(value("latency.edge.mean_us") == "50.5");
  CHECK(value("latency.edge.n") == "100");
  CHECK(value("latency.edge.p50_us") == "50");
  CHECK(value("latency.edge.p99_us") == "null");
  CHECK(value("latency.edge.ci95.p50_us.lo") == "40");
  CHECK(value("latency.edge.ci95.p50_us.hi") == "61");
  CHECK(value("latency.edge.ci95.p99_us.lo") == "null");
  CHECK(value("latency.edge.requirement.met") == "true");
  CHECK(value("latency.edge.stages.wake.waits_ps.runqueue") == "3787500000");
  CHECK(value("latency.edge.stages.gpio edge.service_us") == "12.625");
  CHECK(value("load.dom0.pcpu_pct") == "4.25");
  CHECK(value("load.dom0.contexts_pct.kernel") == "2.5");
  CHECK(value("load.idle.machine_pct") == "98.9375");
  CHECK(value("counters.decisions_per_s") == "0");
  CHECK(value("seed") == "1");
  for (const Column& column : columns) {
    CHECK(column.path.find("scenario") == std::string::npos);
    CHECK(column.path.find("histogram") == std::string::npos);
    CHECK(column.value.kind != json::Kind::string);
  }
}
