// Validation cases: what their files may say, and what is refused.
#include <string>

#include "analysis/case.hpp"
#include "catch.hpp"
#include "system/json_fields.hpp"
#include "system/json_parse.hpp"

using namespace vecusim;

namespace {

struct Outcome {
  Case content;
  std::string problems;
};

Outcome read(const std::string& rows) {
  Problems problems;
  Outcome outcome;
  const auto node =
      json::parse(R"({"schema": "vecusim/case/1", "data": "d.csv", "rows": )" + rows + "}", "case.json", problems);
  if (node) json::read(*node, outcome.content, problems);
  outcome.problems = problems.text();
  return outcome;
}

const Judge* judge_of(const CaseRow& row, Statistic statistic) {
  const auto& judge = row.statistics.each[static_cast<std::size_t>(statistic)];
  return judge ? &*judge : nullptr;
}

}  // namespace

TEST_CASE("a row says what is judged, how, and what must fail it") {
  const Outcome outcome = read(R"([{"name": "r", "measured": "row 3", "scenario": "pi4-native", "set": ["/a=1"],
    "interrupt": "edge", "role": "fit",
    "statistics": {"mean_us": {"judge": "mark", "mark": 0.15}, "p99_9_us": {}, "lost": {"judge": "interval"}},
    "resolution_us": 0.5, "expect": "pass", "perturbation": ["/b=2"], "naive": {"why": "w", "mean_us": 7}, "note": "x"}])");
  CHECK(outcome.problems.empty());
  REQUIRE(outcome.content.rows.size() == 1);
  const CaseRow& row = outcome.content.rows.front();
  CHECK(row.measured == "row 3");
  CHECK(row.scenario == "pi4-native");
  CHECK(row.set == std::vector<std::string>{"/a=1"});
  CHECK(row.interrupt == "edge");
  CHECK(row.role == Role::fit);
  REQUIRE(judge_of(row, Statistic::mean) != nullptr);
  CHECK(judge_of(row, Statistic::mean)->mark == 0.15);
  REQUIRE(judge_of(row, Statistic::p99_9) != nullptr);
  CHECK(judge_of(row, Statistic::p99_9)->by == Judge::By::interval);
  CHECK(judge_of(row, Statistic::lost) != nullptr);
  CHECK(judge_of(row, Statistic::max) == nullptr);
  CHECK(row.resolution == 500ns);
  CHECK(row.perturbation == std::vector<std::string>{"/b=2"});
  CHECK(row.naive->values[static_cast<std::size_t>(Statistic::mean)] == 7.0);
}

TEST_CASE("a row without a scenario needs nothing but a name") {
  const Outcome outcome = read(R"([{"name": "r", "expect": "infeasible data"}])");
  CHECK(outcome.problems.empty());
  CHECK(!outcome.content.rows.front().scenario);
  CHECK(outcome.content.rows.front().expect == RowVerdict::infeasible_data);
}

TEST_CASE("a row that nothing can fail is refused, unless it is to fail itself") {
  const std::string row = R"([{"name": "r", "scenario": "s", "statistics": {"min_us": {}}, "expect": )";
  CHECK_THAT(read(row + R"("pass"}])").problems,
             Catch::Contains("/rows/0/perturbation: expected at least one: a row that nothing can fail says nothing"));
  CHECK(read(row + R"("fail", "note": "the model has no console"}])").problems.empty());
}

TEST_CASE("a miss that is expected has a reason") {
  CHECK_THAT(read(R"([{"name": "r", "scenario": "s", "statistics": {"min_us": {}}, "expect": "fail"}])").problems,
             Catch::Contains("/rows/0/note: expected why it fails, or that it is not known"));
}

TEST_CASE("a scenario without statistics and statistics without a scenario are refused") {
  CHECK_THAT(read(R"([{"name": "r", "scenario": "s", "perturbation": ["/a=1"]}])").problems,
             Catch::Contains("/rows/0/statistics: expected at least one with a `scenario`, none without"));
  CHECK_THAT(read(R"([{"name": "r", "statistics": {"min_us": {}}}])").problems,
             Catch::Contains("/rows/0/statistics: expected at least one with a `scenario`, none without"));
  CHECK_THAT(read(R"([{"name": "r", "perturbation": ["/a=1"]}])").problems,
             Catch::Contains("/rows/0/perturbation: expected none without a `scenario`"));
  CHECK_THAT(read(R"([{"name": "r", "set": ["/a=1"]}])").problems,
             Catch::Contains("/rows/0/set: expected none without a `scenario`"));
}

TEST_CASE("an unknown statistic is refused with the nearest one") {
  CHECK_THAT(read(R"([{"name": "r", "scenario": "s", "perturbation": ["/a=1"], "statistics": {"mean": {}}}])").problems,
             Catch::Contains("did you mean \"mean_us\"?"));
}

TEST_CASE("a mark belongs to its judge") {
  const auto with = [](const std::string& judge) {
    return read(R"([{"name": "r", "scenario": "s", "perturbation": ["/a=1"], "statistics": {"min_us": )" + judge +
                "}}]")
        .problems;
  };
  const std::string expected = "a number if and only if `judge` is \"mark\"";
  CHECK_THAT(with(R"({"judge": "mark"})"), Catch::Contains(expected));
  CHECK_THAT(with(R"({"mark": 0.1})"), Catch::Contains(expected));
  CHECK_THAT(with(R"({"judge": "mark", "mark": -0.1})"), Catch::Contains("/rows/0/statistics/min_us/mark"));
}

TEST_CASE("a missing case file is an invalid input") { CHECK_THROWS_AS(load_case("nowhere.json"), InvalidInput); }
