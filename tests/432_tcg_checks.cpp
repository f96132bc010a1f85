// What a scenario under QEMU without KVM may say, and what it is told otherwise.
#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;

namespace {

std::string problem_of(const Settings& settings) {
  try {
    load_scenario("pi4-tcg-stall", settings);
  } catch (const InvalidInput& invalid) {
    const Problem& first = invalid.problems().kept().front();
    return first.pointer + ": expected " + first.expected + ", found " + first.found;
  }
  return "";
}

}  // namespace

TEST_CASE("Under tcg there are the host and one guest with one vCPU") {
  CHECK(problem_of({}).empty());
  CHECK(problem_of({"/domains/0/name=dom0"}) ==
        "/domains: expected two domains under tcg: \"host\" or \"linux\", the Linux that QEMU runs on, and one guest, "
        "found "
        "\"dom0\", \"guest\"");
  CHECK(problem_of({R"(/domains/-={"name":"other","os":{"model":"linux"}})"}) ==
        "/domains: expected two domains under tcg: \"host\" or \"linux\", the Linux that QEMU runs on, and one guest, "
        "found "
        "\"host\", \"guest\", \"other\"");
  CHECK(problem_of({"/domains/1/vcpus=2"}) == "/domains/1/vcpus: expected 1: under tcg a guest has one vCPU, found 2");
}

TEST_CASE("Under tcg nothing schedules but the host's Linux") {
  CHECK(problem_of({"/domains/0/vcpus=4"}) ==
        "/domains/0/vcpus: expected no such key for the host: its CPUs are the board's, found \"vcpus\"");
  CHECK(problem_of({"/domains/1/weight=512"}) ==
        "/domains/1/weight: expected no such key under tcg: QEMU's threads are in the fair class of the host's Linux, "
        "found \"weight\"");
  CHECK(problem_of({"/domains/1/affinity=[1,2]"}).empty());
  CHECK(problem_of({"/domains/1/affinity=[7]"}) ==
        "/domains/1/affinity/0: expected a pCPU of the board, 0 to 3, found 7");
}

TEST_CASE("The host's own interrupts need no relay") {
  const Settings native = {"/interrupts/0/target=host", "/domains/1/tasks=[]",
                           R"(/domains/0/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge","cpus":[1]}])"};
  CHECK(problem_of(native).empty());
  const double host = test::simulate("pi4-tcg-stall", test::undisturbed(native)).mean_us();
  const double alone = test::simulate("pi4-native", test::undisturbed({"/domains/0/tasks/0/cpus=[1]"})).mean_us();
  CHECK(host == Approx(alone).epsilon(0.005));
}
