// Recorded times in a file: found beside the scenario, reported with its own lines, and kept in results.
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "system/load_board.hpp"
#include "system/scenario.hpp"

using namespace vecusim;

namespace {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "vecusim-times") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    write("scenario.json", R"({"schema": "vecusim/scenario/1", "board": {"model": "pi4"},
      "hypervisor": {"model": "native"},
      "domains": [{"name": "linux", "os": {"model": "linux"},
                   "tasks": [{"name": "t", "model": "interrupt", "interrupt": "w"}]}],
      "interrupts": [{"name": "w", "source": "gpio17", "target": "linux",
                      "stimulus": {"model": "recorded", "file": "times.csv"}}]})");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  std::string scenario() const { return (path_ / "scenario.json").string(); }
  std::vector<Duration> times(const Settings& settings = {}) const {
    return load_scenario(scenario(), settings).scenario.interrupts.front().stimulus.times;
  }
  std::vector<Problem> problems() const {
    try {
      load_scenario(scenario());
    } catch (const InvalidInput& error) {
      return error.problems().kept();
    }
    return {};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("A file of times has one a line, in microseconds, and remarks") {
  const Folder folder;
  folder.write("times.csv", "# from the bench\n100\n250.5\n\n1000\r\n");
  CHECK(folder.times() == std::vector<Duration>{100us, 250500ns, 1ms});
  CHECK(load_scenario(folder.scenario()).inputs.size() == 3);  // scenario, times, cost table
}

TEST_CASE("A heading names the column and its unit") {
  const Folder folder;
  folder.write("times.csv", "id, time_ms, value\n1, 0.25, 7\n2, 3, 8\n");
  CHECK(folder.times() == std::vector<Duration>{250us, 3ms});
}

TEST_CASE("Every wrong line is reported with its number, and so is a missing file") {
  const Folder folder;
  CHECK(folder.problems().front().pointer == "/interrupts/0/stimulus/file");
  folder.write("times.csv", "time_us\n10\nten\n-3\n20\n");
  const std::vector<Problem> problems = folder.problems();
  REQUIRE(problems.size() == 2);
  CHECK(problems[0].place.line == 3);
  CHECK(problems[1].place.line == 4);
  CHECK(*problems[0].place.file == "times.csv");
  folder.write("times.csv", "time_us\n10\n5\n");
  CHECK(folder.problems().front().expected == "ascending times");
  folder.write("times.csv", "moment\n10\n");
  CHECK(folder.problems().front().found == "\"moment\"");
}

TEST_CASE("Another file can be set") {
  const Folder folder;
  folder.write("times.csv", "1\n");
  folder.write("other.csv", "2\n3\n");
  CHECK(folder.times({"/interrupts/0/stimulus/file=other.csv"}) == std::vector<Duration>{2us, 3us});
}

TEST_CASE("A file can be set with the stimulus, the interrupt or all interrupts that have it") {
  const Folder folder;
  folder.write("times.csv", "1\n");
  folder.write("other.csv", "2\n3\n");
  const std::vector<Duration> expected = {2us, 3us};
  const std::string stimulus = R"({"model":"recorded","file":"other.csv"})";
  const std::string interrupt = R"({"name":"w","source":"gpio17","target":"linux","stimulus":)" + stimulus + "}";
  CHECK(folder.times({"/interrupts/0/stimulus=" + stimulus}) == expected);
  CHECK(folder.times({"/interrupts/0=" + interrupt}) == expected);
  CHECK(folder.times({"/interrupts=[" + interrupt + "]"}) == expected);
  // What follows changes what has been set, and the other way round.
  const auto cpu = [&](const Settings& settings) {
    return load_scenario(folder.scenario(), settings).scenario.interrupts.front().cpu;
  };
  CHECK(cpu({"/interrupts/0=" + interrupt, "/interrupts/0/cpu=1"}) == 1);
  CHECK(!cpu({"/interrupts/0/cpu=1", "/interrupts/0=" + interrupt}));
}

TEST_CASE("A time that was read can be set, and a file cannot vary once it has been read") {
  const Folder folder;
  folder.write("times.csv", "1\n5\n");
  CHECK(folder.times({"/interrupts/0/stimulus/times_us/1=7"}) == std::vector<Duration>{1us, 7us});
  const LoadedScenario loaded = load_scenario(folder.scenario());
  CHECK_THROWS_WITH(with_values(loaded, {{"/interrupts/0/stimulus/file", json::Node::string("other.csv")}}),
                    Catch::Contains("the file has been read, vary `times_us`"));
}

TEST_CASE("Each board there is can be written as a file that describes it, but the one that is a file itself") {
  for (const BoardEntry& entry : boards()) {
    const auto file = board_file_of(entry.option.name);
    CHECK(file.has_value() == (entry.option.name != "file"));
    if (!file) continue;
    CHECK(file->find("schema")->text == "vecusim/board/1");
    CHECK(file->find("costs")->items.front().text == entry.option.name);
    CHECK(file->find("clusters")->items.size() >= 1);
  }
}
