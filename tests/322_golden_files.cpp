// Golden files that are damaged or wrong are refused with file, line and reason; differences are shown with what is
// known.
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "catch.hpp"
#include "golden_files.hpp"
#include "system/golden_vector.hpp"
#include "system/problem.hpp"

namespace vecusim::test {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;
using Catch::StartsWith;

/// A folder of its own, gone with the test.
class Folder {
 public:
  Folder() {
    static int number = 0;
    path_ =
        fs::temp_directory_path() / ("vecusim-golden-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path path() const { return path_; }
  fs::path write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  fs::path path_;
};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

/// A recorded case, and its trace as it is stored.
std::string recorded_case() { return bytes_of(golden_folder() / "cases" / "null_000_1p_1v.case.json"); }
std::string recorded_trace() { return bytes_of(golden_folder() / "cases" / "null_000_1p_1v.trace.jsonl.gz"); }

const std::string kCase =
    R"({"name":"x","scheduler":"null","pcpus":1,"duration":100,"domains":[{"id":0,"vcpus":[{"start":10,"workload":{"steps":[{"run":20}]}}]}]})";
const std::string kTrace =
    R"({"t":0,"cpu":0,"prev":"idle","next":"idle","slice":-1}
{"t":10,"ev":"start","v":"d0v0"}
{"t":10,"cpu":0,"prev":"idle","next":"d0v0","slice":-1}
{"t":30,"ev":"block","v":"d0v0"}
{"t":30,"cpu":0,"prev":"d0v0","next":"idle","slice":-1}
{"end":100,"decisions":3,"totals":{"d0v0":{"run":20,"runnable":0,"blocked":70,"offline":10,"in":1}},"idle":[80]}
)";

std::optional<golden::Difference> compare(const Folder& folder, const std::string& trace,
                                          const std::string& name = "x.trace.jsonl") {
  return golden::compare({folder.write("x.case.json", kCase), folder.write(name, trace)});
}

std::optional<golden::Difference> compare_packed(const Folder& folder, const std::string& packed) {
  return golden::compare({folder.write("y.case.json", recorded_case()), folder.write("y.trace.jsonl.gz", packed)});
}

TEST_CASE("a trace as expected, plain or packed, has no difference") {
  const Folder folder;
  CHECK_FALSE(compare(folder, kTrace));
  CHECK_FALSE(compare_packed(folder, recorded_trace()));
}

TEST_CASE("the first difference is told with its line and the state of the units that it names") {
  const Folder folder;
  std::string trace = kTrace;
  trace.replace(trace.find("\"next\":\"d0v0\""), 13, "\"next\":\"idle\"");
  const auto difference = compare(folder, trace);
  REQUIRE(difference);
  CHECK(difference->line == 3);
  CHECK(difference->expected == R"({"t":10,"cpu":0,"prev":"idle","next":"idle","slice":-1})");
  CHECK(difference->got == R"({"t":10,"cpu":0,"prev":"idle","next":"d0v0","slice":-1})");
  REQUIRE(difference->state.size() == 1);
  CHECK_THAT(difference->state.front(), StartsWith("d0v0: pCPU 0, runnable, assigned 1"));
  const std::string text = golden::to_text(*difference, "x.case.json");
  CHECK_THAT(text, StartsWith("x.case.json: line 3 of the trace differs\n  expected {"));
}

TEST_CASE("a line too many and a line too few are differences") {
  const Folder folder;
  const std::size_t last = kTrace.rfind("{\"end\"");
  const auto more =
      compare(folder, kTrace.substr(0, last) + R"({"t":99,"ev":"wake","v":"d0v0"})" + "\n" + kTrace.substr(last));
  REQUIRE(more);
  CHECK(more->line == 6);
  const std::size_t block = kTrace.find(R"({"t":30,"ev")");
  const auto fewer = compare(folder, kTrace.substr(0, block) + kTrace.substr(kTrace.find('\n', block) + 1));
  REQUIRE(fewer);
  CHECK(fewer->line == 4);
}

TEST_CASE("a trace without its end is refused") {
  const Folder folder;
  CHECK_THROWS_WITH(compare(folder, kTrace.substr(0, kTrace.rfind("{\"end\""))),
                    Contains("x.trace.jsonl:6:1: /: expected the line of totals, found the end of the file"));
  CHECK_THROWS_WITH(compare(folder, ""), Contains(":1:1: /: expected the line of totals"));
}

TEST_CASE("a line that is none of a trace is refused, not taken for a difference") {
  const Folder folder;
  std::string trace = kTrace;
  trace.replace(trace.find("{\"t\":30"), 5, "#!");
  CHECK_THROWS_WITH(compare(folder, trace), Contains("x.trace.jsonl:4:1: /: expected a line of a golden trace"));
}

TEST_CASE("packed data that end early or are none are refused") {
  const Folder folder;
  const std::string packed = recorded_trace();
  CHECK_THROWS_WITH(compare_packed(folder, packed.substr(0, packed.size() / 2)), Contains("its end is missing"));
  CHECK_THROWS_WITH(compare_packed(folder, packed.substr(0, packed.size() - 4)), Contains("its end is missing"));
  std::string damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x55);
  CHECK_THROWS_WITH(compare_packed(folder, damaged), Contains("expected intact gzip data"));
  CHECK_THROWS_WITH(compare_packed(folder, kTrace), Contains("expected gzip data"));
}

TEST_CASE("a file that is not there is refused by name") {
  CHECK_THROWS_WITH(golden::read_text("/nowhere/x.case.json"),
                    StartsWith("/nowhere/x.case.json:1:1: /: expected a readable file"));
  CHECK_THROWS_WITH(golden::read_text("/nowhere/x.gz"), StartsWith("/nowhere/x.gz:1:1: /: expected a readable file"));
}

// ---- Cases ----

std::string problem_with(std::string text, const std::string& what, const std::string& instead) {
  text.replace(text.find(what), what.size(), instead);
  try {
    golden::read_case(text, "x.case.json");
  } catch (const InvalidInput& invalid) {
    return invalid.what();
  }
  return "accepted";
}

TEST_CASE("what is wrong with a case is told with its place") {
  CHECK_THAT(problem_with(kCase, "\"null\"", "\"nul\""), Contains("x.case.json:1:25: /scheduler: expected one of "));
  CHECK_THAT(problem_with(kCase, "\"run\":20", "\"runs\":20"), Contains("/domains/0/vcpus/0/workload/steps/0"));
  CHECK_THAT(problem_with(kCase, "\"run\":20", "\"run\":20,\"block\":5"),
             Contains("expected exactly one of run, block"));
  CHECK_THAT(problem_with(kCase, "\"run\":20", "\"run\":-1"), Contains("/domains/0/vcpus/0/workload/steps/0/run"));
  CHECK_THAT(problem_with(kCase, "\"run\":20", "\"kick\":\"d0v1\""), Contains("expected a vCPU of this case"));
  CHECK_THAT(problem_with(kCase, "\"duration\":100,", ""), Contains("duration"));
  CHECK_THAT(problem_with(kCase, "\"id\":0", "\"id\":1"),
             Contains("/domains/0/id: expected 0, its place in the list, found 1"));
  CHECK_THAT(problem_with(kCase, "\"start\":10", "\"affinity\":[1]"),
             Contains("/affinity: expected a list of some of the pCPUs"));
  CHECK_THAT(problem_with(kCase, "\"pcpus\":1", "\"pcpus\":65"), Contains("/pcpus"));
  CHECK_THAT(problem_with(kCase, "\"pcpus\":1", R"("pcpus":1,"topology":{"socket":[0,0],"core":[0]})"),
             Contains("/topology/socket: expected one id per pCPU"));
  CHECK_THAT(problem_with(kCase, "\"pcpus\":1", R"("pcpus":1,"params":{"sched_ratelimit":1000})"),
             Contains("/params/sched_ratelimit: expected a boot parameter of a Xen scheduler"));
  CHECK_THAT(problem_with(kCase, "\"pcpus\":1", R"("pcpus":1,"interrupts":[{"t":5,"v":"d7v7"}])"),
             Contains("/interrupts/0/v/0: expected a vCPU of this case"));
  CHECK_THAT(problem_with(kCase, "}]}]}", "}]}]"), Contains("x.case.json:1:"));
}

TEST_CASE("a boot parameter of another scheduler is ignored, as Xen does") {
  std::string text = kCase;
  text.replace(text.find("\"pcpus\":1"), 9,
               R"("pcpus":1,"params":{"sched_ratelimit_us":100,"credit2_runqueue":"cpu"})");
  CHECK_NOTHROW(golden::read_case(text, "x.case.json"));
}

TEST_CASE("siblings are pCPUs of the same socket and core, and only with SMT") {
  const auto siblings = [](const std::string& smt) {
    std::string text = kCase;
    text.replace(text.find("\"pcpus\":1"), 9,
                 R"("pcpus":4,"topology":{"socket":[0,0,1,1],"core":[0,0,0,0],"smt":)" + smt + "}");
    std::vector<std::uint64_t> masks;
    for (const PcpuPlace& place : golden::read_case(text, "x").pcpus) masks.push_back(place.siblings.bits());
    return masks;
  };
  CHECK(siblings("true") == std::vector<std::uint64_t>{3, 3, 12, 12});
  CHECK(siblings("false") == std::vector<std::uint64_t>{1, 2, 4, 8});
}

// ---- Vectors ----

class Nothing final : public golden::LineSink {
 public:
  bool line(std::string_view) override { return true; }
};

std::string vector_problem(const std::string& scheduler, const std::string& script) {
  try {
    Nothing nothing;
    golden::replay_vector(scheduler, script, "x.in")->run(nothing);
  } catch (const InvalidInput& invalid) {
    return invalid.what();
  }
  return "accepted";
}

TEST_CASE("what is wrong with a vector is told with its line") {
  const std::string start = "1\n0 dom\n0 unit 0 0 1\n";
  CHECK(vector_problem("rtds", start + "0 wake 0\n10 block 0\n") == "accepted");
  CHECK_THAT(vector_problem("rtds", start + "0 wake 1\n"),
             StartsWith("x.in:4:1: /: expected the number of a unit, found \"1\""));
  CHECK_THAT(vector_problem("rtds", start + "5 wake 0\n4 block 0\n"),
             Contains("x.in:5:1: /: expected a time in ns, not before the last one"));
  CHECK_THAT(vector_problem("rtds", start + "5 rest 0\n"),
             Contains("expected an operation of the vector format, found \"rest\""));
  CHECK_THAT(vector_problem("rtds", start + "5 wake\n"), Contains("found \"the end of the line\""));
  CHECK_THAT(vector_problem("rtds", start + "5 wake 0 1\n"), Contains("expected the end of the line"));
  CHECK_THAT(vector_problem("rtds", start + "5 aff 0 2\n"), Contains("expected a mask with a pCPU"));
  CHECK_THAT(vector_problem("rtds", "0\n0 dom\n"), StartsWith("x.in:1:1: /: expected a number of pCPUs from 1 to 64"));
  CHECK_THAT(vector_problem("rtds", "1"), Contains("expected a header and a script"));
  CHECK_THAT(vector_problem("cfs", start), Contains("expected a vector of credit2, rtds or credit1"));
}

// ---- The verb ----

TEST_CASE("a folder is searched for pairs, and its last line counts them") {
  const Folder folder;
  fs::create_directories(folder.path() / "deep" / "er");
  folder.write("a.case.json", kCase);
  folder.write("a.trace.jsonl", kTrace);
  folder.write("deep/er/b.case.json", recorded_case());
  folder.write("deep/er/b.trace.jsonl.gz", recorded_trace());
  folder.write("alone.case.json", kCase);
  std::ostringstream out;
  CHECK(golden::run_policy(folder.path(), std::nullopt, out) == 0);
  CHECK(out.str() == "2 passed, 0 failed\n");
  folder.write("c.case.json", kCase);
  folder.write("c.trace.jsonl", kTrace.substr(10));
  folder.write("d.case.json", "{");
  folder.write("d.trace.jsonl", kTrace);
  out.str("");
  CHECK(golden::run_policy(folder.path(), std::nullopt, out) == 1);
  CHECK_THAT(out.str(),
             Contains("c.trace.jsonl:1:1") && Contains("d.case.json:1:") && Catch::EndsWith("2 passed, 2 failed\n"));
}

TEST_CASE("a single case is printed, or compared with a given trace") {
  const Folder folder;
  const fs::path input = folder.write("a.case.json", kCase);
  std::ostringstream out;
  CHECK(golden::run_policy(input, std::nullopt, out) == 0);
  CHECK(out.str() == kTrace);
  out.str("");
  CHECK(golden::run_policy(input, folder.write("t.jsonl", kTrace), out) == 0);
  CHECK(golden::run_policy(input, folder.write("u.jsonl", "{\"t\":1}\n" + kTrace), out) == 1);
  CHECK_THROWS_WITH(golden::run_policy(folder.write("a.json", kCase), std::nullopt, out),
                    Contains("NAME.case.json or NAME.in"));
  CHECK_THROWS_WITH(golden::run_policy(folder.path() / "none.in", std::nullopt, out),
                    Contains("expected a readable file"));
}

TEST_CASE("a folder without pairs is refused") {
  const Folder folder;
  std::ostringstream out;
  CHECK_THROWS_AS(golden::run_policy(folder.path(), std::nullopt, out), InvalidInput);
}

}  // namespace
}  // namespace vecusim::test
