// The values of --set and --vary.
#include "catch.hpp"
#include "json_example.hpp"
#include "system/json_assign.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim::json {
namespace {

std::string assigned(std::string_view text) {
  Problems problems;
  const auto assignment = parse_assignment(text, problems);
  if (!assignment) return problems.text();
  return assignment->pointer + " = " + compact(assignment->value) + " at " +
         std::to_string(assignment->value.place.column);
}

/// The texts of the values, joined by blanks; or the problems.
std::string varied(std::string_view text) {
  Problems problems;
  const auto variation = parse_variation("/x=" + std::string{text}, problems);
  if (!variation) return problems.text();
  std::string result;
  for (const Choice& choice : variation->choices) result += (result.empty() ? "" : " ") + choice.text;
  return result;
}

TEST_CASE("the value of an assignment is JSON or a bare word") {
  CHECK(assigned("/a/b=1.50") == "/a/b = 1.50 at 6");
  CHECK(assigned("/a=true") == "/a = true at 4");
  CHECK(assigned("/a=[1, \"x\"]") == "/a = [1, \"x\"] at 4");
  CHECK(assigned("/a={\"b\": 1}") == "/a = {\"b\": 1} at 4");
  CHECK(assigned("/a=trap") == "/a = \"trap\" at 4");
  CHECK(assigned("/a=4.14.6") == "/a = \"4.14.6\" at 4");
  CHECK(assigned("/a=x=y") == "/a = \"x=y\" at 4");
  CHECK(assigned("/a=two words") == "/a = \"two words\" at 4");
  CHECK(assigned("/a=\"\"") == "/a = \"\" at 4");
  CHECK(assigned("/é=1") == "/é = 1 at 4");
}

TEST_CASE("an assignment that is none says what it should be") {
  CHECK(assigned("/a") == "--set:1:1: /: expected PTR=VALUE, found \"/a\"\n");
  CHECK(assigned("/a=") == "--set:1:4: /: expected a value (\"\" for an empty text), found nothing\n");
  CHECK(assigned("a/b=1") ==
        "--set:1:1: /: expected a JSON pointer like /run/seed, found \"a/b\"; did you mean \"/a/b\"?\n");
  CHECK(assigned("run.seed=1") ==
        "--set:1:1: /: expected a JSON pointer like /run/seed, found \"run.seed\"; did you mean \"/run/seed\"?\n");
  CHECK(assigned("/a=[1, 2") == "--set:1:9: /: expected \",\" or \"]\", found the end of the text\n");
  CHECK(assigned("/a=\"x") ==
        "--set:1:4: /: expected a string with a closing quote, found none before the end of the text\n");
}

TEST_CASE("a key that nobody knows is found by the reader, in the option") {
  test::Machine machine;
  Node root = write(machine);
  Problems problems;
  const auto assignment = parse_assignment("/scheduler/ratelimt_us=200", problems);
  REQUIRE(assignment);
  set(root, assignment->pointer, assignment->value, problems);
  read(root, machine, problems);
  CHECK(problems.text() ==
        "--set:1:24: /scheduler/ratelimt_us: expected a known key, found \"ratelimt_us\"; did you mean "
        "\"ratelimit_us\"?\n");
}

TEST_CASE("a number on the command line is text where text is wanted") {
  Node root = Node::object();
  Problems problems;
  for (const char* text : {"/title=4.10", "/seed=7", "/vwfi=native"}) {
    const auto assignment = parse_assignment(text, problems);
    REQUIRE(assignment);
    set(root, assignment->pointer, assignment->value, problems);
  }
  test::Machine machine;
  read(root, machine, problems);
  CHECK(problems.text().empty());
  CHECK(machine.title == "4.10");
  CHECK(machine.seed == 7);
  CHECK(machine.vwfi == test::Vwfi::native);
}

TEST_CASE("a list of values is split at commas outside quotes and brackets") {
  CHECK(varied("1,2.50,x") == "1 2.50 x");
  CHECK(varied("[1,2],[3],{\"a\":[1,2]}") == "[1, 2] [3] {\"a\": [1, 2]}");
  CHECK(varied("\"a,b\",\"c\\\",d\"") == "a,b c\",d");
  CHECK(varied("trap, native") == "trap native");
  CHECK(varied("4.14,4.19.0") == "4.14 4.19.0");
  CHECK(varied("dom0:1") == "dom0:1");
  CHECK(varied("5") == "5");
}

TEST_CASE("each value of a list knows its column") {
  Problems problems;
  const auto variation = parse_variation("/x=10, 20,\"a\"", problems);
  REQUIRE(variation);
  CHECK(variation->choices[0].value.place.column == 4);
  CHECK(variation->choices[1].value.place.column == 8);
  CHECK(variation->choices[2].value.place.column == 11);
  CHECK(variation->choices[1].value.place.file_name() == "--vary");
}

TEST_CASE("a range includes its end if it is hit, and integers stay integers") {
  CHECK(varied("100:500:100") == "100 200 300 400 500");
  CHECK(varied("1:10:4") == "1 5 9");
  CHECK(varied("0:1:0.25") == "0 0.25 0.5 0.75 1");
  CHECK(varied("-1:1:1") == "-1 0 1");
  CHECK(varied("1e3:3e3:1000") == "1000 2000 3000");
  CHECK(varied("5:5:1") == "5");
  CHECK(varied("9007199254740993:9007199254740995:1") == "9007199254740993 9007199254740994 9007199254740995");
  CHECK(varied("-9000000000000000000:9000000000000000000:9000000000000000000") ==
        "-9000000000000000000 0 9000000000000000000");
}

TEST_CASE("a range of tenths collects no rounding error") {
  Problems problems;
  const auto variation = parse_variation("/x=0:1000:0.1", problems);
  REQUIRE(variation);
  REQUIRE(variation->choices.size() == 10'001);
  CHECK(variation->choices[3].text == "0.3");
  CHECK(variation->choices[9999].text == "999.9");
  CHECK(variation->choices.back().text == "1000");
  CHECK(variation->choices.back().value.kind == Kind::integer);
  CHECK(variation->choices[1].value.kind == Kind::floating);
}

TEST_CASE("a logarithmic range steps by one factor") {
  CHECK(varied("log:1:1000:4") == "1 10 100 1000");
  CHECK(varied("log:100:100000:7") == "100 316 1000 3162 10000 31623 100000");
  CHECK(varied("log:1:4:9") == "1 2 3 4");
  CHECK(varied("log:1.0:10:3") == "1.0 3.16228 10");
  CHECK(varied("log:0.001:0.1:3") == "0.001 0.01 0.1");
  CHECK(varied("log:1.5:1500000.0:3") == "1.5 1500 1500000.0");
}

TEST_CASE("nonsense in a range is told part by part") {
  CHECK(varied("1:10:0") == "--vary:1:9: /: expected STEP above 0, found \"0\"\n");
  CHECK(varied("1:10:-1") == "--vary:1:9: /: expected STEP above 0, found \"-1\"\n");
  CHECK(varied("10:1:1") == "--vary:1:7: /: expected HI of at least LO (10), found \"1\"\n");
  CHECK(varied("1:x:y") ==
        "--vary:1:6: /: expected a number, found \"x\"\n--vary:1:8: /: expected a number, found \"y\"\n");
  CHECK(varied("1:10") == "--vary:1:4: /: expected LO:HI:STEP, found \"1:10\"\n");
  CHECK(varied("1:10:") == "--vary:1:9: /: expected a number, found nothing\n");
  CHECK(varied("0:1:1e-6").substr(0, 2) == "--");
  CHECK(varied("0:999999:1").size() > 6'000'000);
  CHECK(varied("0:1000000:1") == "--vary:1:14: /: expected STEP for at most 1000000 values, found \"1\"\n");
  CHECK(varied("0:1e300:1") == "--vary:1:4: /: expected LO, HI and STEP of at most 18 digits, found \"0\"\n");
  CHECK(varied("0:1:1e-300") == "--vary:1:4: /: expected LO, HI and STEP of at most 18 digits, found \"0\"\n");
}

TEST_CASE("nonsense in a logarithmic range is told too") {
  CHECK(varied("log:0:10:3") == "--vary:1:8: /: expected LO above 0, found \"0\"\n");
  CHECK(varied("log:10:10:3") == "--vary:1:11: /: expected HI above LO (10), found \"10\"\n");
  CHECK(varied("log:1:10:1") == "--vary:1:13: /: expected N from 2 to 1000000, found \"1\"\n");
  CHECK(varied("log:1:10:2.5") == "--vary:1:13: /: expected N from 2 to 1000000, found \"2.5\"\n");
  CHECK(varied("log:1:10") == "--vary:1:4: /: expected log:LO:HI:N, found \"log:1:10\"\n");
  CHECK(varied("log:a:10:3") == "--vary:1:8: /: expected a number, found \"a\"\n");
}

TEST_CASE("a list with a bad value gives none") {
  CHECK(varied("1,,2") == "--vary:1:6: /: expected a value (\"\" for an empty text), found nothing\n");
  CHECK(varied("1,[2") == "--vary:1:8: /: expected \",\" or \"]\", found the end of the text\n");
  CHECK(varied("") == "--vary:1:4: /: expected a value (\"\" for an empty text), found nothing\n");
}

}  // namespace
}  // namespace vecusim::json
