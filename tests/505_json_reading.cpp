// Reading a configuration: every kind of problem, to the character.
#include "catch.hpp"
#include "json_example.hpp"
#include "system/json_print.hpp"

namespace vecusim::test {
namespace {

std::string problems_of(std::string_view text) { return read_machine(text).problems; }

TEST_CASE("every kind of field is read") {
  const auto [machine, problems] = read_machine(R"({
    "trace": true, "title": "brake", "seed": -5, "speed": 2.25, "cycle_ns": 0.5, "tick_ms": 10, "vwfi": "native",
    "arrivals_s": [0, 0.5, 1e-12], "tags": ["x", "y"],
    "scheduler": {"model": "rtds", "budget_us": 2000, "period_us": 5000, "extratime": true},
    "domains": [{"name": "dom0", "vcpus": 2, "affinity": [0, 1]},
                {"name": "domU", "affinity": [[2], [2, 3]], "cap_pct": 50}],
    "costs": {"b": {"value": 1}, "a": {"value": 0.5, "range": [0.25, 2]}}
  })");
  CHECK(problems.empty());
  Machine expected;
  expected.trace = true;
  expected.title = "brake";
  expected.seed = -5;
  expected.speed = 2.25;
  expected.cycle = Duration{500};
  expected.tick = 10ms;
  expected.vwfi = Vwfi::native;
  expected.arrivals = {Duration{0}, 500ms, Duration{1}};
  expected.tags = {"x", "y"};
  expected.scheduler.model = 1;
  expected.scheduler.rtds = {2ms, 5ms, true};
  expected.domains = {{"dom0", 2, {{0, 1}}, {}}, {"domU", 1, {{2}, {2, 3}}, 50.0}};
  expected.costs = {{"a", {0.5, {0.25, 2}}}, {"b", {1, {0, 1}}}};
  CHECK(machine == expected);
}

TEST_CASE("what is not given keeps its default") {
  CHECK(read_machine("{}").machine == Machine{});
  CHECK(read_machine("{}").problems.empty());
}

TEST_CASE("a list that is given replaces the default list, element by element from new") {
  Machine machine;
  machine.domains = {{"old", 7, {{1}}, 3.0}};
  machine.costs = {{"old", {}}};
  Problems problems;
  const auto node = json::parse(R"({"domains": [{"name": "new"}], "costs": {}, "tags": []})", "m.json", problems);
  json::read(*node, machine, problems);
  CHECK(machine.domains == std::vector<Domain>{{"new", 1, {}, {}}});
  CHECK(machine.costs.empty());
  CHECK(machine.tags.empty());
}

TEST_CASE("a value of the wrong type says what was expected") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"trace": 1})", R"(m.json:1:11: /trace: expected true or false, found 1)"},
      {R"({"title": 4.19})", R"(m.json:1:11: /title: expected a string, found 4.19)"},
      {R"({"seed": "1"})", R"(m.json:1:10: /seed: expected an integer, found "1")"},
      {R"({"seed": 1.5})", R"(m.json:1:10: /seed: expected an integer, found 1.5)"},
      {R"({"seed": null})", R"(m.json:1:10: /seed: expected an integer, found null)"},
      {R"({"speed": [1]})", R"(m.json:1:11: /speed: expected a number in [0.001, 1000], found an array)"},
      {R"({"cycle_ns": "1ns"})", R"(m.json:1:14: /cycle_ns: expected a number of at least 0.001, found "1ns")"},
      {R"({"vwfi": 3})", R"(m.json:1:10: /vwfi: expected one of "trap", "native", found 3)"},
      {R"({"arrivals_s": 3})", R"(m.json:1:16: /arrivals_s: expected an array of numbers in [0, 3600], found 3)"},
      {R"({"arrivals_s": [1, "x"]})", R"(m.json:1:20: /arrivals_s/1: expected a number in [0, 3600], found "x")"},
      {R"({"tags": "x"})", R"(m.json:1:10: /tags: expected an array of strings, found "x")"},
      {R"({"tags": ["x", 1]})", R"(m.json:1:16: /tags/1: expected a string, found 1)"},
      {R"({"scheduler": "credit2"})", R"(m.json:1:15: /scheduler: expected an object, found "credit2")"},
      {R"({"domains": {}})", R"(m.json:1:13: /domains: expected an array of objects, found an object)"},
      {R"({"domains": [1]})", R"(m.json:1:14: /domains/0: expected an object, found 1)"},
      {R"({"costs": ["pi4"]})", R"(m.json:1:11: /costs: expected an object of objects, found an array)"},
      {R"({"costs": {"a/b": 1}})", R"(m.json:1:19: /costs/a~1b: expected an object, found 1)"},
      {R"({"costs": {"a": {"value": 1, "range": [1, "x"]}}})",
       R"(m.json:1:43: /costs/a/range/1: expected a number of at least 0, found "x")"},
      {R"([])", R"(m.json:1:1: /: expected an object, found an array)"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(problems_of(text) == expected + "\n");
  }
}

TEST_CASE("a value out of its range states the range in the unit of its key") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"speed": 0})", R"(m.json:1:11: /speed: expected a number in [0.001, 1000], found 0)"},
      {R"({"seed": 9223372036854775808})", R"(m.json:1:10: /seed: expected an integer, found 9223372036854775808)"},
      {R"({"cycle_ns": 0})", R"(m.json:1:14: /cycle_ns: expected a number of at least 0.001, found 0)"},
      {R"({"cycle_ns": 1e16})", R"(m.json:1:14: /cycle_ns: expected a number of at least 0.001, found 1e16)"},
      {R"({"tick_ms": 1000.5})", R"(m.json:1:13: /tick_ms: expected a number in [0.000000001, 1000], found 1000.5)"},
      {R"({"arrivals_s": [-1]})", R"(m.json:1:17: /arrivals_s/0: expected a number in [0, 3600], found -1)"},
      {R"({"domains": [{"name": "a", "vcpus": 65}]})",
       R"(m.json:1:37: /domains/0/vcpus: expected an integer in [1, 64], found 65)"},
      {R"({"domains": [{"name": "a", "vcpus": 4294967297}]})",
       R"(m.json:1:37: /domains/0/vcpus: expected an integer in [1, 64], found 4294967297)"},
      {R"({"domains": [{"name": "a", "affinity": [0, 8]}]})",
       R"(m.json:1:44: /domains/0/affinity/1: expected an integer in [0, 7], found 8)"},
      {R"({"domains": [{"name": "a", "affinity": [[0], 1]}]})",
       R"(m.json:1:46: /domains/0/affinity/1: expected an array of integers in [0, 7], found 1)"},
      {R"({"domains": [{"name": "a", "affinity": 1}]})",
       R"(m.json:1:40: /domains/0/affinity: expected an array of integers in [0, 7], or an array of such arrays, found 1)"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(problems_of(text) == expected + "\n");
  }
}

TEST_CASE("a time that is off or whole is told as in the design") {
  const std::string expected = "/scheduler/ratelimit_us: expected 0 or an integer in [100, 500000], found ";
  CHECK(problems_of(R"({"scheduler": {"ratelimit_us": "1ms"}})") == "m.json:1:32: " + expected + "\"1ms\"\n");
  CHECK(problems_of(R"({"scheduler": {"ratelimit_us": 50}})") == "m.json:1:32: " + expected + "50\n");
  CHECK(problems_of(R"({"scheduler": {"ratelimit_us": 1000.5}})") == "m.json:1:32: " + expected + "1000.5\n");
  CHECK(problems_of(R"({"scheduler": {"ratelimit_us": 500001}})") == "m.json:1:32: " + expected + "500001\n");
  CHECK(problems_of(R"({"scheduler": {"ratelimit_us": 1e300}})") == "m.json:1:32: " + expected + "1e300\n");
  CHECK(read_machine(R"({"scheduler": {"ratelimit_us": 0}})").machine.scheduler.credit2.ratelimit == 0us);
  CHECK(read_machine(R"({"scheduler": {"ratelimit_us": 200.0}})").machine.scheduler.credit2.ratelimit == 200us);
}

TEST_CASE("a time with a fraction is rounded to the nearest picosecond") {
  CHECK(read_machine(R"({"cycle_ns": 0.6666666})").machine.cycle == Duration{667});
  CHECK(read_machine(R"({"cycle_ns": 1.0005})").machine.cycle == Duration{1001});
  CHECK(read_machine(R"({"tick_ms": 0.1})").machine.tick == 100us);
  CHECK(read_machine(R"({"cycle_ns": 9223372036854775.807})").machine.cycle == Duration::max());
  CHECK_FALSE(problems_of(R"({"cycle_ns": 9223372036854775.8075})").empty());
}

TEST_CASE("an unknown key names the nearest known one, or all") {
  CHECK(problems_of(R"({"domains": [{"name": "a", "vcpu": 1}]})") ==
        "m.json:1:28: /domains/0/vcpu: expected a known key, found \"vcpu\"; did you mean \"vcpus\"?\n");
  CHECK(problems_of(R"({"domains": [{"name": "a", "colour": 1}]})") ==
        "m.json:1:28: /domains/0/colour: expected a known key (one of \"name\", \"vcpus\", \"affinity\", \"cap_pct\"), "
        "found \"colour\"\n");
  CHECK(problems_of(R"({"tick": 4})") ==
        "m.json:1:2: /tick: expected a known key, found \"tick\"; did you mean \"tick_ms\"?\n");
  const std::string name(50, 'k');
  CHECK(problems_of("{\"" + name + "\": 4}").find("found \"" + name.substr(0, 40) + "…\"") != std::string::npos);
}

TEST_CASE("a missing key is reported where its object begins, unless it is there mistyped") {
  CHECK(problems_of("{\"domains\": [\n  {}]}") == "m.json:2:3: /domains/0/name: expected a string, found nothing\n");
  CHECK(problems_of(R"({"costs": {"a": {}}})") ==
        "m.json:1:17: /costs/a/value: expected a number of at least 0, found nothing\n");
  CHECK(problems_of(R"({"domains": [{"nmae": "a"}]})") ==
        "m.json:1:15: /domains/0/nmae: expected a known key, found \"nmae\"; did you mean \"name\"?\n");
}

TEST_CASE("an unknown word lists the known ones") {
  CHECK(problems_of(R"({"vwfi": "trp"})") ==
        "m.json:1:10: /vwfi: expected one of \"trap\", \"native\", found \"trp\"; did you mean \"trap\"?\n");
  CHECK(problems_of(R"({"vwfi": "idle"})") ==
        "m.json:1:10: /vwfi: expected one of \"trap\", \"native\", found \"idle\"\n");
}

TEST_CASE("an unknown alternative is one problem, whatever else the object says") {
  CHECK(
      problems_of(R"({"scheduler": {"model": "rtd", "budget_us": 1, "anything": 2}})") ==
      "m.json:1:25: /scheduler/model: expected one of \"credit2\", \"rtds\", found \"rtd\"; did you mean \"rtds\"?\n");
}

TEST_CASE("a key of another alternative is unknown") {
  CHECK(problems_of(R"({"scheduler": {"model": "credit2", "budget_us": 4000}})") ==
        "m.json:1:36: /scheduler/budget_us: expected a known key (one of \"model\", \"ratelimit_us\"), found "
        "\"budget_us\"\n");
}

TEST_CASE("a rule over several fields is reported at its key") {
  CHECK(problems_of(R"({"scheduler": {"model": "rtds", "budget_us": 4000, "period_us": 3000}})") ==
        "m.json:1:46: /scheduler/budget_us: expected at most period_us, found 4000\n");
  CHECK(problems_of(R"({"scheduler": {"model": "rtds", "period_us": 3000}})") ==
        "m.json:1:15: /scheduler/budget_us: expected at most period_us, found nothing\n");
}

TEST_CASE("a rule is not judged over values that could not be read") {
  CHECK(problems_of(R"({"scheduler": {"model": "rtds", "budget_us": "x", "period_us": 3000}})") ==
        "m.json:1:46: /scheduler/budget_us: expected a number of at least 10, found \"x\"\n");
}

TEST_CASE("all problems are reported at once, in the order of the file") {
  CHECK(problems_of("{\"vwfi\": \"idle\",\n \"domains\": [{\"vcpus\": 0}, 3],\n \"seed\": \"x\", \"sed\": 1,\n"
                    " \"scheduler\": {\"ratelimit_us\": 1}, \"seed\": 2}") ==
        "m.json:1:10: /vwfi: expected one of \"trap\", \"native\", found \"idle\"\n"
        "m.json:2:14: /domains/0/name: expected a string, found nothing\n"
        "m.json:2:24: /domains/0/vcpus: expected an integer in [1, 64], found 0\n"
        "m.json:2:28: /domains/1: expected an object, found 3\n"
        "m.json:3:10: /seed: expected an integer, found \"x\"\n"
        "m.json:3:15: /sed: expected a known key, found \"sed\"; did you mean \"seed\"?\n"
        "m.json:4:32: /scheduler/ratelimit_us: expected 0 or an integer in [100, 500000], found 1\n"
        "m.json:4:36: /seed: expected each key once, found \"seed\" again (first at 3:2)\n");
}

TEST_CASE("a part of a document is read under its pointer") {
  Problems problems;
  const auto node = json::parse(R"({"ratelimit_us": 1})", "m.json", problems);
  Scheduler scheduler;
  json::read(*node, scheduler, problems, "/hypervisor/scheduler");
  CHECK(problems.kept().front().pointer == "/hypervisor/scheduler/ratelimit_us");
  CHECK(problems.kept().front().rule == "range");
}

TEST_CASE("nodes spliced from several files are reported each in its own") {
  Problems problems;
  auto root = json::parse(R"({"domains": [{"name": 1}]})", "a.json", problems);
  const auto other = json::parse("\n {\"nam\": \"x\"}", "b.json", problems);
  root->find("domains")->push_back(*other);
  Machine machine;
  json::read(*root, machine, problems);
  CHECK(problems.text() ==
        "a.json:1:23: /domains/0/name: expected a string, found 1\n"
        "b.json:2:3: /domains/1/nam: expected a known key, found \"nam\"; did you mean \"name\"?\n");
}

TEST_CASE("a list of small values does not become gigabytes of parts") {
  std::string text = "{\"domains\": [1";
  for (int i = 0; i < 100'000; ++i) text += ",1";
  CHECK(problems_of(text + "]}") == "m.json:1:13: /domains: expected at most 100000 objects, found 100001\n");
}

}  // namespace
}  // namespace vecusim::test
