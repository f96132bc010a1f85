// The measurements and cases that come with the program.
#include <filesystem>
#include <string>

#include "analysis/validate.hpp"
#include "catch.hpp"
#include "source_dir.hpp"

using namespace vecusim;

namespace {

const std::string kValidation = (source_dir() / "validation").string();

// With a model that answers nothing: what can be said all the same.
std::vector<JudgedRow> judge_without_model(const std::string& name) {
  const Simulator unanswered = [](const CaseRow&, const std::vector<std::string>&) -> Repetition {
    return [](std::int64_t n, std::uint32_t) { return Answers{{}, n}; };
  };
  return judge(load_case(kValidation + "/cases/" + name + ".json"), unanswered, {1, Parallel{1}});
}

}  // namespace

TEST_CASE("every case can be read, and its data have what it judges") {
  for (const auto& entry : std::filesystem::directory_iterator{kValidation + "/cases"}) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path());
    const LoadedCase loaded = load_case(entry.path().string());
    // Rows are looked up before anything is simulated; without repetitions nothing is.
    const Simulator refuses = [](const CaseRow&, const std::vector<std::string>&) -> Repetition {
      return [](std::int64_t n, std::uint32_t) { return Answers{{}, n}; };
    };
    CHECK(judge(loaded, refuses, {1, Parallel{1}}).size() == loaded.content.rows.size());
  }
}

TEST_CASE("the published table is kept as it was printed") {
  const BenchData data = read_bench_file(kValidation + "/data/ksae2022.csv");
  const auto& rows = std::get<std::vector<BenchRow>>(data.content);
  REQUIRE(rows.size() == 3);
  const auto figures = [&](std::size_t i) {
    return std::vector<Figure>{rows[i].figures.at(Statistic::min), rows[i].figures.at(Statistic::mean),
                               rows[i].figures.at(Statistic::max)};
  };
  CHECK(rows[0].n == 100);
  CHECK(figures(0) == std::vector<Figure>{{175us, 1us}, {182us, 1us}, {270us, 10us}});
  CHECK(figures(1) == std::vector<Figure>{{1190us, 10us}, {1250us, 10us}, {2980us, 10us}});
  CHECK(figures(2) == std::vector<Figure>{{49ms, 1ms}, {52ms, 1ms}, {1054ms, 1ms}});
}

TEST_CASE("the published QEMU row is infeasible data, as its case expects") {
  const auto rows = judge_without_model("ksae2022-tcg");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].verdict == RowVerdict::infeasible_data);
  CHECK(rows[0].expect == RowVerdict::infeasible_data);
  CHECK_THAT(rows[0].note, Catch::Contains("at least 58550 us, printed is 52000 us; it would take n >= 252"));
}
