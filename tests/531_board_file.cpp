// A board that a file describes: found beside the scenario, reported with its own places, and kept in results.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "system/json_print.hpp"
#include "system/scenario.hpp"

using namespace vecusim;

namespace {

class Folder {
 public:
  explicit Folder(const std::string& name = "own")
      : path_(std::filesystem::temp_directory_path() / ("vecusim-board-" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "boards");
    write("scenario.json", R"({"schema": "vecusim/scenario/1", "board": {"model": "file", "path": "boards/own.json"},
      "hypervisor": {"model": "native"},
      "domains": [{"name": "linux", "os": {"model": "linux"},
                   "tasks": [{"name": "t", "model": "interrupt", "interrupt": "w"}]}],
      "interrupts": [{"name": "w", "source": "timer", "target": "linux",
                      "stimulus": {"model": "periodic", "period_ms": 1, "count": 3},
                      "measure": {"to": "user", "clock": "target"}}]})");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  void board(const std::string& more) const {
    write("boards/own.json", "{\"schema\": \"vecusim/board/1\",\n \"costs\": [\"xen417-icount\"],\n" + more + "}");
  }
  std::string scenario() const { return (path_ / "scenario.json").string(); }

 private:
  std::filesystem::path path_;
};

std::vector<Problem> problems_of(const std::string& scenario, const Settings& settings = {}) {
  try {
    load_scenario(scenario, settings);
  } catch (const InvalidInput& error) {
    return error.problems().kept();
  }
  return {};
}

constexpr const char* kTwo =
    R"( "clusters": [{"cores": 2, "min_clock_mhz": 200, "max_clock_mhz": 900, "default_clock_mhz": 400}])";

}  // namespace

TEST_CASE("A board's file is looked for beside the scenario, noted with its hash, and brings its cost tables") {
  const Folder folder;
  folder.board(kTwo);
  const LoadedScenario loaded = load_scenario(folder.scenario());
  const auto& board = static_cast<const BoardChoice&>(loaded.scenario.board.model.config());
  CHECK(board.spec().cores() == 2);
  CHECK(board.clock_mhz(0) == 400.0);
  CHECK(loaded.scenario.costs.find("xen.save.cycles") != nullptr);
  REQUIRE(loaded.inputs.size() == 3);
  CHECK(loaded.inputs[1].name == "boards/own.json");
  CHECK(loaded.inputs[1].sha256.size() == 64);
}

TEST_CASE("Every problem of a board's file is reported with its own name and place") {
  const Folder folder;
  folder.board(R"( "clusters": [{"cores": 0}],
 "counter_mhz": "fast",
 "pins": 3)");
  const std::vector<Problem> found = problems_of(folder.scenario());
  REQUIRE(found.size() >= 3);
  for (const Problem& problem : found) {
    if (problem.pointer.starts_with("/board")) continue;  // without its file the scenario has no board
    REQUIRE(problem.place.file != nullptr);
    CHECK(problem.place.file->ends_with("boards/own.json"));
  }
  const auto reported = [&](const std::string& pointer, std::uint32_t line) {
    return std::any_of(found.begin(), found.end(),
                       [&](const Problem& p) { return p.pointer == pointer && p.place.line == line; });
  };
  CHECK(reported("/clusters/0/cores", 3));
  CHECK(reported("/counter_mhz", 4));
  CHECK(reported("/pins", 5));
}

TEST_CASE("A file that is not there is a problem of the scenario") {
  const Folder folder;
  const std::vector<Problem> found = problems_of(folder.scenario());
  REQUIRE(!found.empty());
  CHECK(found.front().pointer == "/board/path");
}

TEST_CASE("What a file says of a board can be set, its clock only to what the board can have") {
  const Folder folder;
  folder.board(kTwo);
  const auto clock = [&](const Settings& settings) {
    const LoadedScenario loaded = load_scenario(folder.scenario(), settings);
    return static_cast<const BoardChoice&>(loaded.scenario.board.model.config()).clock_mhz(0);
  };
  CHECK(clock({"/board/clock_mhz=900"}) == 900.0);
  CHECK(problems_of(folder.scenario(), {"/board/clock_mhz=901"}).size() == 1);
  CHECK(clock({"/board/spec/clusters/0/default_clock_mhz=500"}) == 500.0);
  folder.write(
      "boards/other.json",
      R"({"schema": "vecusim/board/1", "costs": ["xen417-icount"], "clusters": [{"cores": 1, "default_clock_mhz": 700}]})");
  CHECK(clock({"/board/path=boards/other.json"}) == 700.0);
}

TEST_CASE("A result's scenario has the board in it and needs no file") {
  const Folder folder;
  folder.board(kTwo);
  const LoadedScenario loaded = load_scenario(folder.scenario());
  const Folder elsewhere("elsewhere");  // the board's file is gone
  elsewhere.write("result.json", "{\"schema\": \"vecusim/result/1\", \"seed\": 5, \"scenario\": " +
                                     json::compact(loaded.document) + "}");
  const LoadedScenario again =
      load_scenario((std::filesystem::path(elsewhere.scenario()).parent_path() / "result.json").string());
  CHECK(static_cast<const BoardChoice&>(again.scenario.board.model.config()).spec().cores() == 2);
  CHECK(again.scenario.run.seed == 5);
}
