// Sweeps: the grid's order, its check before anything runs, and rows as CSV and JSON lines.
#include <string>
#include <vector>

#include "analysis/sweep.hpp"
#include "analysis/sweep_csv.hpp"
#include "catch.hpp"
#include "system/json_parse.hpp"
#include "system/json_print.hpp"

using namespace vecusim;

namespace {

Dimension variation(const std::string& text) {
  Problems problems;
  auto parsed = json::parse_variation(text, problems);
  REQUIRE_FALSE(problems.has_errors());
  return alone(*parsed);
}

LoadedScenario brief() {
  return load_scenario("pi4-native", {"/interrupts/0/stimulus/count=20", "/interrupts/0/stimulus/period_ms=10"});
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::string text_of(CsvTable& table) {
  std::string text;
  Pieces pieces([&](std::string_view piece) { text += piece; });
  table.write(pieces);
  pieces.flush();
  return text;
}

/// A table of the whole sweep, on so many threads.
std::string csv(const Sweep& sweep, unsigned threads) {
  RunOptions options;
  options.parallel.threads = threads;
  options.replications = 3;
  CsvTable table(sweep);
  run_sweep(sweep, options, nullptr, [&](const SweepRow& row) { table.add(row); });
  return text_of(table);
}

}  // namespace

TEST_CASE("CSV fields are quoted as RFC 4180 asks") {
  CHECK(csv_field("plain text") == "plain text");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"no\"") == "\"say \"\"no\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_field("") == "");
}

TEST_CASE("the last variation changes fastest") {
  const Sweep sweep = plan_sweep(
      brief(), {variation("/board/clock_mhz=600,1500"), variation("/interrupts/0/stimulus/period_ms=1,10,100")});
  REQUIRE(sweep.points.size() == 6);
  CHECK(sweep.at(sweep.points[0]).texts == std::vector<std::string>{"600", "1"});
  CHECK(sweep.at(sweep.points[1]).texts == std::vector<std::string>{"600", "10"});
  CHECK(sweep.at(sweep.points[3]).texts == std::vector<std::string>{"1500", "1"});
  CHECK(sweep.points[5].index == 5);
  CHECK(sweep.at(sweep.points[5]).values[1].first == "/interrupts/0/stimulus/period_ms");
}

TEST_CASE("every wrong point is named before anything is run") {
  try {
    plan_sweep(brief(), {variation("/board/clock_mhz=600,1,2"), variation("/run/seed=1,2")});
    FAIL("accepted");
  } catch (const InvalidInput& invalid) {
    CHECK(invalid.problems().errors() == 4);
    const std::string text = invalid.what();
    CHECK(text.find("/board/clock_mhz=1, /run/seed=2") != std::string::npos);
    CHECK(text.find("/board/clock_mhz=2, /run/seed=1") != std::string::npos);
    CHECK(text.find("/board/clock_mhz=600") == std::string::npos);
  }
}

TEST_CASE("an unknown pointer, one varied twice, and a grid too large are refused") {
  CHECK_THROWS_AS(plan_sweep(brief(), {variation("/board/clock=600")}), InvalidInput);
  CHECK_THROWS_AS(plan_sweep(brief(), {variation("/run/seed=1,2"), variation("/run/seed=3")}), InvalidInput);
  CHECK_THROWS_AS(plan_sweep(brief(), {variation("/run/seed=1:2000:1"), variation("/board/clock_mhz=600:1500:1")}),
                  InvalidInput);
}

TEST_CASE("a sweep's CSV does not depend on the number of threads") {
  const Sweep sweep = plan_sweep(brief(), {variation("/board/clock_mhz=600,1000,1500")});
  const std::string one = csv(sweep, 1);
  CHECK(one == csv(sweep, 2));
  CHECK(one == csv(sweep, 5));
  const std::vector<std::string> rows = lines(one);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].rfind("/board/clock_mhz,replications,seed,simulated_s,events,latency.edge.n,", 0) == 0);
  CHECK(rows[1].rfind("600,3,1,", 0) == 0);
  CHECK(rows[3].rfind("1500,3,1,", 0) == 0);
}

TEST_CASE("a row is what run makes of the same point") {
  const Sweep sweep = plan_sweep(brief(), {variation("/board/clock_mhz=600,1500")});
  std::vector<std::vector<Column>> rows;
  run_sweep(sweep, {}, nullptr, [&](const SweepRow& row) { rows.push_back(row.columns()); });
  const LoadedScenario alone = load_scenario(
      "pi4-native",
      {"/interrupts/0/stimulus/count=20", "/interrupts/0/stimulus/period_ms=10", "/board/clock_mhz=1500"});
  REQUIRE(rows.size() == 2);
  const std::vector<Column> same = to_columns(run_experiment(alone, {}));
  REQUIRE(rows[1].size() == same.size());
  for (std::size_t i = 0; i < same.size(); ++i) {
    CHECK(rows[1][i].path == same[i].path);
    CHECK(json::compact(rows[1][i].value) == json::compact(same[i].value));
  }
}

TEST_CASE("the seed is the same at every point, and replications may be varied") {
  const Sweep sweep = plan_sweep(brief(), {variation("/run/replications=1,2")});
  std::vector<std::uint64_t> n;
  run_sweep(sweep, {}, nullptr, [&](const SweepRow& row) {
    CHECK(row.result.seed == 1);
    CHECK(row.result.replications == row.point.index + 1);
    n.push_back(row.result.latency[0].n + row.result.latency[0].merged + row.result.latency[0].lost);
  });
  CHECK(n == std::vector<std::uint64_t>{20, 40});
}

TEST_CASE("a JSON row has the varied pointers first") {
  const Sweep sweep = plan_sweep(brief(), {variation("/board/clock_mhz=600")});
  run_sweep(sweep, {}, nullptr, [&](const SweepRow& row) {
    const std::string line = "{" + json_members(row) + "}";
    CHECK(line.rfind("{\"/board/clock_mhz\": 600, \"replications\": 1, \"seed\": 1, ", 0) == 0);
    Problems problems;
    const auto parsed = json::parse(line, "line", problems);
    REQUIRE(parsed);
    CHECK(parsed->find("latency.edge.mean_us")->as_double() == *row.result.latency[0].mean_us);
  });
}

TEST_CASE("columns of different results are united, and a wait that did not happen is 0") {
  const Sweep sweep = plan_sweep(brief(), {variation("/run/seed=1,2")});
  Result result;
  result.scenario = json::Node::object();
  result.latency.resize(1);
  result.latency[0].name = "edge";
  result.latency[0].n = 1;
  result.latency[0].stages.push_back({"wake", 1us, {}});
  CsvTable table(sweep);
  const Tally none;
  table.add({sweep.at(sweep.points[0]), result, none});
  result.latency[0].stages[0].waits[static_cast<std::size_t>(Wait::cap)] = 2us;
  result.latency[0].stages.push_back({"switch", 3us, {}});
  table.add({sweep.at(sweep.points[1]), result, none});
  const std::vector<std::string> rows = lines(text_of(table));
  REQUIRE(rows.size() == 3);
  const auto cell = [&](std::size_t row, const std::string& path) {
    const auto split = [](const std::string& line) {
      std::vector<std::string> cells(1);
      for (const char c : line) {
        if (c == ',') {
          cells.emplace_back();
        } else {
          cells.back() += c;
        }
      }
      return cells;
    };
    const std::vector<std::string> header = split(rows[0]);
    const std::vector<std::string> cells = split(rows[row]);
    CHECK(cells.size() == header.size());
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (header[i] == path) return cells[i];
    }
    FAIL("no column " << path);
    return std::string{};
  };
  CHECK(cell(1, "latency.edge.stages.wake.waits_ps.cap") == "0");
  CHECK(cell(2, "latency.edge.stages.wake.waits_ps.cap") == "2000000");
  CHECK(cell(1, "latency.edge.stages.switch.service_ps") == "");
  CHECK(cell(2, "latency.edge.stages.switch.service_ps") == "3000000");
  CHECK(cell(1, "latency.edge.mean_us") == "");
}
