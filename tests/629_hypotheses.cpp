// Hypotheses side by side: which agree with a measurement, and which experiments would tell them apart.
#include <sstream>
#include <string>
#include <vector>

#include "analysis/hypotheses_text.hpp"
#include "analysis/validate.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

Predicted between(double lo, double hi) { return {0.5 * (lo + hi), lo, hi, false}; }

CaseRow row_of(const std::string& hypothesis, const std::string& scenario) {
  CaseRow row;
  row.name = "row/" + hypothesis;
  row.measured = "row";
  row.hypothesis = hypothesis;
  row.scenario = scenario;
  row.statistics.each[static_cast<std::size_t>(Statistic::mean)] = Judge{};
  return row;
}

/// Experiments in which every latency is the same: 100 µs, or as many as the scenario's name says, plus 10 µs for each
/// setting but in "deaf".
Simulator constant() {
  return [](const CaseRow& row, const std::vector<std::string>& set) -> Repetition {
    const bool deaf = row.scenario == "deaf";
    const Duration latency =
        (row.scenario == "far" ? 500us : 100us) + (deaf ? 0us : 10us) * static_cast<int>(set.size());
    return [latency](std::int64_t n, std::uint32_t) {
      Answers answers;
      for (std::int64_t i = 0; i < n; ++i) answers.latencies.add(latency);
      return answers;
    };
  };
}

BenchData bench() {
  std::istringstream text("row,n,mean_us\nrow,5,100\n");
  return read_bench_data(text, "bench");
}

HypothesisComparison compared(const std::vector<CaseRow>& rows, const std::vector<CaseExperiment>& experiments) {
  LoadedCase loaded;
  loaded.name = "case";
  loaded.content.rows = rows;
  loaded.content.experiments = experiments;
  ValidationOptions options;
  options.repetitions = 20;
  const auto judged = judge(loaded, bench(), constant(), options);
  const auto comparisons = compare_hypotheses(loaded, judged, constant(), options);
  REQUIRE(comparisons.size() == 1);
  return comparisons.front();
}

}  // namespace

TEST_CASE("intervals that overlap at once or through others are of one group, and groups ascend") {
  CHECK(overlap_groups({between(5, 6), between(1, 2), between(1.5, 3), between(2.5, 4)}) ==
        std::vector<std::size_t>{1, 0, 0, 0});
  CHECK(overlap_groups({between(1, 2), between(2, 3)}) == std::vector<std::size_t>{0, 0});
  CHECK(overlap_groups({between(1, 10), between(2, 3), between(9, 12)}) == std::vector<std::size_t>{0, 0, 0});
  CHECK(overlap_groups({}).empty());
}

TEST_CASE("a row that two hypotheses explain does not distinguish them") {
  const auto comparison = compared({row_of("one", "near"), row_of("other", "near"), row_of("third", "far")}, {});
  CHECK(comparison.verdict() == "this row cannot distinguish them: one, other agree with it");
  REQUIRE(comparison.hypotheses.size() == 3);
  CHECK(comparison.hypotheses[0].agrees == true);
  CHECK(comparison.hypotheses[2].agrees == false);
  CHECK(comparison.inseparable() == std::vector<std::pair<std::string, std::string>>{{"one", "other"}});
}

TEST_CASE("an experiment separates hypotheses whose predictions differ") {
  const CaseExperiment experiment{"more", {"/a=1"}, {}};
  const auto comparison = compared({row_of("moves", "near"), row_of("stays", "deaf")}, {experiment});
  REQUIRE(comparison.experiments.size() == 2);
  CHECK(comparison.experiments[0].name == "as measured");
  CHECK(comparison.experiments[0].group == std::vector<std::size_t>{0, 0});
  CHECK(comparison.experiments[1].mean_us[0].value == 110.0);
  CHECK(comparison.experiments[1].mean_us[1].value == 100.0);
  CHECK(comparison.experiments[1].group == std::vector<std::size_t>{1, 0});
  CHECK(comparison.inseparable().empty());
}

TEST_CASE("an experiment may mean something else, or nothing, to a hypothesis") {
  const CaseExperiment experiment{"more", {"/a=1"}, {{"other", {}}, {"twice", {"/a=1", "/b=1"}}}};
  const auto comparison =
      compared({row_of("one", "near"), row_of("other", "near"), row_of("twice", "near")}, {experiment});
  CHECK(comparison.experiments[1].mean_us[0].value == 110.0);
  CHECK(comparison.experiments[1].mean_us[1].value == 100.0);
  CHECK(comparison.experiments[1].mean_us[2].value == 120.0);
}

TEST_CASE("with one hypothesis left nothing is to be told apart, and nothing is proved") {
  const auto comparison = compared({row_of("one", "near"), row_of("third", "far")}, {{"more", {"/a=1"}, {}}});
  CHECK(comparison.verdict() == "of these, only one agrees with this row, which does not prove it");
  CHECK(comparison.experiments.empty());
}

TEST_CASE("what was fitted is counted, and a factor is called what it is") {
  CaseRow mechanism = row_of("one", "near");
  mechanism.role = Role::fit;
  mechanism.fitted = {"characters = 11"};
  CaseRow null_model = row_of("factor", "near");
  null_model.role = Role::fit;
  null_model.fitted = {"factor = 6.8"};
  null_model.factor = 6.8;
  const std::string text = to_text(compared({mechanism, null_model}, {{"more", {"/a=1"}, {}}}), Paint(false));
  CHECK(text.find("one           agrees      1 fitted to it: characters = 11") != std::string::npos);
  CHECK(text.find("a factor and no mechanism; 1 fitted to it:") != std::string::npos);
  CHECK(text.find("This row cannot distinguish them: one, factor agree with it.") != std::string::npos);
  CHECK(text.find("Not told apart by any of these: one and factor.") != std::string::npos);
}
