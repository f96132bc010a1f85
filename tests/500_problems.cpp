// Problems: their one-line form, their document, their order and their limit; and what counts as a near word.
#include "catch.hpp"
#include "system/json_node.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"
#include "system/problem.hpp"

namespace vecusim {
namespace {

Problem problem_at(std::string file, std::uint32_t line, std::uint32_t column) {
  return {{std::make_shared<const std::string>(std::move(file)), line, column}, "/a", "an integer", "\"x\""};
}

TEST_CASE("a problem is one line of file, place, pointer, expectation and finding") {
  Problem problem = problem_at("s.json", 12, 22);
  CHECK(to_text(problem) == "s.json:12:22: /a: expected an integer, found \"x\"");
  problem.suggestion = "weight";
  CHECK(to_text(problem) == "s.json:12:22: /a: expected an integer, found \"x\"; did you mean \"weight\"?");
  problem.severity = Severity::warning;
  problem.rule = "few-samples";
  problem.suggestion.clear();
  CHECK(to_text(problem) == "s.json:12:22: /a: expected an integer, found \"x\" [warning: few-samples]");
}

TEST_CASE("a problem of the whole document shows it as a slash") {
  Problem problem = problem_at("s.json", 1, 1);
  problem.pointer.clear();
  CHECK(to_text(problem) == "s.json:1:1: /: expected an integer, found \"x\"");
}

TEST_CASE("a problem without a place leaves it out") {
  Problem problem = problem_at("", 0, 0);
  problem.place.file = nullptr;
  CHECK(to_text(problem) == "/a: expected an integer, found \"x\"");
}

TEST_CASE("a line end in a key does not break the line") {
  Problem problem = problem_at("s.json", 1, 1);
  problem.pointer = "/a\nb\x1b";
  CHECK(to_text(problem) == "s.json:1:1: /a\\nb\\u001b: expected an integer, found \"x\"");
}

TEST_CASE("problems are shown by file, line and column") {
  Problems problems;
  problems.add(problem_at("b", 1, 1));
  problems.add(problem_at("a", 10, 1));
  problems.add(problem_at("a", 9, 7));
  problems.add(problem_at("a", 9, 5));
  CHECK(problems.text() ==
        "a:9:5: /a: expected an integer, found \"x\"\n"
        "a:9:7: /a: expected an integer, found \"x\"\n"
        "a:10:1: /a: expected an integer, found \"x\"\n"
        "b:1:1: /a: expected an integer, found \"x\"\n");
}

TEST_CASE("the document of problems has every key, and null for no suggestion") {
  Problems problems;
  problems.add(problem_at("s.json", 3, 4));
  CHECK(json::compact(problems.to_json()) ==
        R"({"schema": "vecusim/problems/1", "problems": [{"file": "s.json", "line": 3, "column": 4, "pointer": "/a", )"
        R"("expected": "an integer", "found": "\"x\"", "suggestion": null, "severity": "error", "rule": ""}]})");
}

TEST_CASE("warnings alone are no errors and throw nothing") {
  Problems problems;
  Problem warning = problem_at("s.json", 1, 1);
  warning.severity = Severity::warning;
  problems.add(warning);
  CHECK_FALSE(problems.has_errors());
  CHECK_NOTHROW(problems.throw_if_errors());
  problems.add(problem_at("s.json", 1, 1));
  CHECK(problems.has_errors());
  CHECK_THROWS_AS(problems.throw_if_errors(), InvalidInput);
}

TEST_CASE("an invalid input says all its problems") {
  const InvalidInput error{problem_at("s.json", 1, 2)};
  CHECK(std::string{error.what()} == "s.json:1:2: /a: expected an integer, found \"x\"\n");
  CHECK(error.problems().errors() == 1);
}

TEST_CASE("beyond a thousand, problems are counted and no longer kept") {
  Problems some;
  for (std::uint32_t i = 0; i < 700; ++i) some.add(problem_at("s.json", i + 1, 1));
  Problems all;
  all.append(some);
  CHECK_FALSE(all.full());
  all.append(some);
  CHECK(all.full());
  CHECK(all.kept().size() == 1000);
  CHECK(all.size() == 1400);
  CHECK(all.errors() == 1400);
  const std::string text = all.text();
  CHECK(text.substr(text.size() - 23) == "\nand 400 more problems\n");
  CHECK(all.to_json().find("more")->text == "400");
}

TEST_CASE("errors that were only counted are errors") {
  Problems problems;
  Problem warning = problem_at("s.json", 1, 1);
  warning.severity = Severity::warning;
  for (int i = 0; i < 1000; ++i) problems.add(warning);
  problems.add(problem_at("s.json", 1, 1));
  CHECK(problems.has_errors());
  Problems others;
  others.append(problems);
  CHECK(others.has_errors());
}

TEST_CASE("the nearest word has the fewest typing errors") {
  const std::vector<std::string> words{"weight", "vcpus", "period_us", "budget_us", "to"};
  CHECK(nearest("wieght", words) == "weight");   // swapped
  CHECK(nearest("weigt", words) == "weight");    // missing
  CHECK(nearest("weightt", words) == "weight");  // added
  CHECK(nearest("Weight", words) == "weight");   // case
  CHECK(nearest("period_ms", words) == "period_us");
  CHECK(nearest("period", words) == "period_us");  // the unit left out
  CHECK(nearest("vcpu", words) == "vcpus");
}

TEST_CASE("a word that shares little with all others has no nearest") {
  const std::vector<std::string> words{"weight", "vcpus", "to"};
  CHECK(nearest("height_of_tower", words).empty());
  CHECK(nearest("xy", words).empty());
  CHECK(nearest("", words).empty());
  CHECK(nearest(std::string(1'000'000, 'w'), words).empty());
  CHECK(nearest("weight", std::vector<std::string>{}).empty());
}

TEST_CASE("of two words equally near the first is taken") {
  CHECK(nearest("lot", std::vector<std::string>{"lat", "let"}) == "lat");
}

}  // namespace
}  // namespace vecusim
