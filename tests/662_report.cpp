// Reports: what each kind of document becomes, and that nothing of an input can leave its place in the page.
#include <filesystem>
#include <fstream>

#include "analysis/experiment.hpp"
#include "analysis/report.hpp"
#include "analysis/result.hpp"
#include "analysis/sweep.hpp"
#include "analysis/sweep_store.hpp"
#include "catch.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

using namespace vecusim;
using json::Node;

namespace {

/// A folder that is gone afterwards.
struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / ("vecusim-report-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const Node& document) const {
    write_file(path / name, json::pretty(document));
    return (path / name).string();
  }
  std::filesystem::path path;
};

Node result(Settings settings = {}) {
  settings.insert(settings.begin(), {"/interrupts/0/stimulus/count=400", "/interrupts/0/stimulus/period_ms=10"});
  return to_json(run_experiment(load_scenario("pi4-native", settings), {}));
}

Node parsed(const std::string& text) {
  Problems problems;
  return json::parse(text, "test", problems).value();
}

Node report_on(const Folder& folder, const Node& document, const ReportOptions& options = {}) {
  return make_report({folder.write("document.json", document)}, options);
}

/// A part by its identifier, wherever it is.
const Node* part(const Node& model, const std::string& id) {
  for (const Node& source : model.find("sources")->items) {
    for (const Node& section : source.find("sections")->items) {
      for (const Node& candidate : section.find("parts")->items) {
        if (candidate.find("id")->text == id) return &candidate;
      }
    }
  }
  return nullptr;
}

std::size_t column(const Node& part, const std::string& key) {
  const auto& columns = part.find("columns")->items;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].find("key")->text == key) return i;
  }
  FAIL("no column " << key);
  return 0;
}

double sum(const Node& part, const std::string& key) {
  const std::size_t at = column(part, key);
  double all = 0.0;
  for (const Node& row : part.find("rows")->items) all += row.items[at].as_double();
  return all;
}

std::string answer(const Node& model) { return json::compact(*model.find("sources")->items[0].find("answer")); }

std::string refusal(const std::vector<std::string>& files) {
  try {
    make_report(files, {});
  } catch (const InvalidInput& invalid) {
    return invalid.what();
  }
  return {};
}

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("nothing in a model can end its script, and it reads back as it was") {
  const std::string title = "</script><script>alert(1)</script> & <!-- \u2028\u2029";
  const Node model = Node::object({{"title", Node::string(title)}});
  const std::string text = embedded(model);
  for (const char* forbidden : {"<", ">", "&", "\u2028", "\u2029"}) CHECK_FALSE(says(text, forbidden));
  CHECK(parsed(text).find("title")->text == title);
  CHECK(to_page("a @MODEL@ b", model) == "a " + text + " b");
}

TEST_CASE("a title that is a script stays a title") {
  const Folder folder;
  const Node model = report_on(folder, result({"/title=\"<script>alert(1)</script>\""}));
  CHECK(model.find("title")->text == "<script>alert(1)</script>");
  CHECK_FALSE(says(to_page("@MODEL@", model), "<script"));
}

TEST_CASE("a result's report has its figures, its samples and where the time went") {
  const Folder folder;
  const Node document = result({R"(/interrupts/0/requirement={"limit_us": 500, "percentile": 99, "asil": "B"})"});
  const Node model = report_on(folder, document);
  const Node& latency = document.find("latency")->items[0];

  const Node* histogram = part(model, "document-edge-histogram");
  REQUIRE(histogram != nullptr);
  CHECK(sum(*histogram, "n") == latency.find("n")->as_double());
  CHECK(histogram->find("limit")->as_double() == 500.0);

  const Node* stages = part(model, "document-edge-stage-times");
  REQUIRE(stages != nullptr);
  CHECK(sum(*stages, "mean") == Approx(latency.find("mean_us")->as_double()).epsilon(1e-4));
  CHECK(sum(*stages, "worst") == Approx(latency.find("max_us")->as_double()).epsilon(1e-4));
  CHECK(sum(*stages, "tail") > sum(*stages, "mean"));
  CHECK(sum(*stages, "tail") < sum(*stages, "worst"));

  const Node* requirements = part(model, "document-requirement-table");
  REQUIRE(requirements != nullptr);
  const Node& row = requirements->find("rows")->items.at(0);
  CHECK(row.items[column(*requirements, "asil")].text == "B");
  CHECK(row.items[column(*requirements, "verdict")].find("text")->text == "met");
  CHECK(says(answer(model), "That 99 % of the answers of edge come within 500.0 µs is met"));

  const Node* costs = part(model, "document-costs");
  REQUIRE(costs != nullptr);
  CHECK(costs->find("rows")->items.size() == json::find(document, "/scenario/costs")->members.size());
}

TEST_CASE("a result of another version, or one that was changed, is not run again") {
  const Folder folder;
  Node document = result();
  document.set("version", Node::string("0.0.1"));
  Node model = report_on(folder, document);
  CHECK(says(answer(model), "This result is of vecusim 0.0.1"));
  CHECK(part(model, "document-edge-slowest") == nullptr);
  CHECK(sum(*part(model, "document-edge-histogram"), "n") == 400);  // of the document

  document = result();
  json::find(document, "/latency/0/sum_ps")->text = "1";
  CHECK(says(answer(report_on(folder, document)), "gave other figures"));
}

TEST_CASE("a result without an answer says so") {
  const Folder folder;
  const Node model =
      report_on(folder, result({"/interrupts/0/requirement={\"limit_us\": 500}", "/run/warmup_ms=1000000"}));
  CHECK(says(answer(model), "there was not one answer"));
  CHECK(part(model, "document-edge-histogram")->find("rows")->items.empty());
}

TEST_CASE("what a bench has measured stands beside what was simulated") {
  const Folder folder;
  ReportOptions options;
  BenchSamples samples;
  samples.latencies = {180us, 181us, 190us};
  options.bench = BenchData{"bench.csv", samples, {}};
  const Node model = report_on(folder, result(), options);
  const Node* histogram = part(model, "document-edge-histogram");
  CHECK(sum(*histogram, "n") == 403);
  CHECK(histogram->find("rows")->items.back().items[0].text == "measured: bench.csv");
}

TEST_CASE("a sweep's report has a line, a box and a row for each point") {
  const Folder folder;
  Problems problems;
  const std::string path = (folder.path / "sweep.sqlite").string();
  const auto keep = [&](const std::vector<std::string>& texts) {
    std::vector<Dimension> dimensions;
    for (const std::string& text : texts) dimensions.push_back(alone(json::parse_variation(text, problems).value()));
    const Sweep sweep = plan_sweep(load_scenario("pi4-native", {"/interrupts/0/stimulus/count=20"}), dimensions);
    std::filesystem::remove(path);
    SweepStore store(path, sweep, {}, false);
    run_sweep(sweep, {}, &store, [](const SweepRow&) {});
  };
  keep({"/board/clock_mhz=1500,600"});
  const Node one = make_report({path}, {});
  const Node* lines = part(one, "sweep-edge-over-clock");
  REQUIRE(lines != nullptr);
  REQUIRE(lines->find("rows")->items.size() == 2);
  CHECK(lines->find("rows")->items[0].items[0].as_double() == 600.0);  // ascending
  CHECK(part(one, "sweep-edge-boxes")->find("rows")->items.size() == 2);
  CHECK(part(one, "sweep-points-table")->find("rows")->items.size() == 2);
  CHECK(part(one, "sweep-front")->find("rows")->items.size() == 2);
  CHECK(part(one, "sweep-edge-map") == nullptr);

  keep({"/board/clock_mhz=600,1500", "/domains/0/tasks/0/policy=fifo,other"});
  const Node two = make_report({path}, {});
  CHECK(part(two, "sweep-edge-map")->find("rows")->items.size() == 4);
  CHECK(part(two, "sweep-edge-over-policy")->find("rows")->items.size() == 2);
}

TEST_CASE("a validation's fitted rows stand apart from the predicted ones") {
  const Folder folder;
  const Node model = report_on(folder, parsed(R"({"schema": "vecusim/validation/1", "rows": [
    {"case": "c", "row": "one", "role": "fit", "n": 100, "verdict": "pass", "expect": "pass", "note": "",
     "statistics": [{"name": "mean_us", "measured": 100, "predicted": 110, "interval95": [90, 120], "inside": true}]},
    {"case": "c", "row": "two", "role": "predicted", "n": 100, "verdict": "fail", "expect": "fail", "note": "why",
     "statistics": [{"name": "max_us", "measured": 100, "predicted": 210, "interval95": [190, 220], "inside": false}]}],
    "comparisons": [], "passed": 2, "failed": 0})"));
  CHECK(part(model, "document-fitted-rows")->find("rows")->items.size() == 1);
  const Node* predicted = part(model, "document-predicted");
  REQUIRE(predicted->find("rows")->items.size() == 1);
  CHECK(predicted->find("rows")->items[0].items[column(*predicted, "note")].text == "why");
  const Node* ratios = part(model, "document-ratios");
  CHECK(sum(*ratios, "ratio") == Approx(1.1 + 2.1));
  CHECK(says(answer(model), "agrees with 0 and misses 1"));
}

TEST_CASE("calibrations and sensitivities are drawn") {
  const Folder folder;
  const Node calibration = report_on(folder, parsed(R"({"schema": "vecusim/calibration/1", "scenario": "s", "rows": [],
    "costs": [{"name": "a", "bounds": [1, 9], "before": 2, "value": 3, "interval95": [2.5, 4], "open_below": false,
               "open_above": true}, {"name": "b", "bounds": [1, 9], "before": 2, "value": 3, "interval95": [2.5, 4]}],
    "correlation": [[1, 0.5], [0.5, 1]], "verdict": "not identified", "reasons": ["Because."]})"));
  CHECK(part(calibration, "document-fitted")->find("rows")->items.size() == 2);
  CHECK(part(calibration, "document-correlation")->find("rows")->items.size() == 4);
  CHECK(says(answer(calibration), "Because."));

  const Node sensitivity = report_on(folder, parsed(R"({"schema": "vecusim/sensitivity/1", "interrupt": "edge",
    "statistic": "mean_us", "base_us": 180, "together_us": 20, "interactions": [],
    "costs": [{"name": "a", "range": [1, 2], "unit": "ns", "provenance": "estimated", "source": "x", "swing_us": 30,
               "at_lo": {"change_us": -10}, "at_hi": {"change_us": 20}}]})"));
  const Node* tornado = part(sensitivity, "document-tornado");
  CHECK(sum(*tornado, "lo") == -10.0);
  CHECK(sum(*tornado, "hi") == 20.0);
}

TEST_CASE("identifiers of parts are those of their file, and never twice the same") {
  const Folder folder;
  const std::string path = folder.write("Run 1.json", result());
  const Node model = make_report({path, path}, {});
  CHECK(part(model, "run-1-edge-histogram") != nullptr);
  CHECK(part(model, "run-1-2-edge-histogram") != nullptr);
}

TEST_CASE("the same documents make the same report, on any number of threads") {
  const Folder folder;
  const std::string path = folder.write("result.json", result({"/run/replications=4"}));
  ReportOptions one;
  one.parallel.threads = 1;
  ReportOptions three;
  three.parallel.threads = 3;
  CHECK(json::compact(make_report({path}, one)) == json::compact(make_report({path}, three)));
}

TEST_CASE("what is no document of a report is refused with what would be") {
  const Folder folder;
  CHECK(says(refusal({(folder.path / "none.json").string()}), "none of that name"));
  CHECK(says(refusal({folder.path.string()}), "a folder"));
  CHECK(says(refusal({folder.write("s.json", load_scenario("pi4-native").document)}), "run"));
  CHECK(says(refusal({folder.write("o.json", parsed(R"({"schema": "other/1"})"))}), "found \"other/1\""));
  CHECK(says(refusal({folder.write("v.json", parsed(R"({"schema": "vecusim/validation/1", "rows": 3})"))}),
             "/rows: expected an array, as in vecusim/validation/1, found 3"));
  write_file(folder.path / "broken.sqlite", "SQLite format 3\0and no more");
  CHECK(says(refusal({(folder.path / "broken.sqlite").string()}), "a sweep"));
}
