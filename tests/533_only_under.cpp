// Domains that exist under some hypervisors only, so that one scenario runs with and without them.
#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

// Without a hypervisor; the guest is for QEMU on the same Linux.
const Settings kGuest = {R"(/domains/-={"name":"guest","only_under":["tcg"],"os":{"model":"linux"}})"};

Settings with(Settings more) {
  more.insert(more.begin(), kGuest.begin(), kGuest.end());
  return more;
}

// A line for each.
std::string problems_of(const Settings& settings) {
  std::string lines;
  try {
    load_scenario("pi4-native", settings);
  } catch (const InvalidInput& invalid) {
    for (const Problem& problem : invalid.problems().kept()) {
      lines += problem.pointer + ": expected " + problem.expected + ", found " + problem.found + "\n";
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("A domain that does not exist under the hypervisor changes nothing") {
  const Recorded without = simulate("pi4-native", undisturbed());
  const Recorded with_guest = simulate("pi4-native", undisturbed(kGuest));
  CHECK(with_guest.mean_us() == without.mean_us());
  CHECK(with_guest.max() == without.max());
}

TEST_CASE("The first domain that exists has the network's device, whatever stands before it") {
  const Settings shorter = {"/run/warmup_ms=0", "/run/measure_ms=5"};
  Settings settings = {R"(/domains=[{"name":"absent","only_under":["kvm"],"os":{"model":"linux"}},)"
                       R"({"name":"dom0","vcpus":1,"os":{"model":"linux","preempt":"full","tick_hz":250}},)"
                       R"({"name":"domU","vcpus":1,"os":{"model":"linux","preempt":"full","tick_hz":250}}])"};
  settings.insert(settings.end(), shorter.begin(), shorter.end());
  CHECK(simulate("vc3-bridge-rx", settings).interrupts == simulate("vc3-bridge-rx", shorter).interrupts);
}

TEST_CASE("The same scenario runs natively and with a host whose name stays \"linux\"") {
  const Settings tcg = with({R"(/costs=["pi4","tcg"])", "/hypervisor/model=tcg"});
  CHECK(problems_of(tcg).empty());
  const LoadedScenario loaded = load_scenario("pi4-native", tcg);
  QuantileTables tables;
  Replication run(loaded.scenario, tables, 1, 0);
  CHECK(run.view().cpus.front().domain == "linux");
  CHECK(run.view().cpus.back().domain == "guest");
}

TEST_CASE("Problems are located where the document has them, and absent domains are told from unknown ones") {
  CHECK_THAT(problems_of(with({"/interrupts/0/target=guest"})),
             Catch::Contains("/interrupts/0/target: expected a domain that exists under \"native\", found \"guest\""));
  CHECK_THAT(problems_of({"/interrupts/0/target=guest"}),
             Catch::Contains("/interrupts/0/target: expected the name of a domain, found \"guest\""));
  CHECK_THAT(
      problems_of({R"(/domains/0/only_under=["kwm"])"}),
      Catch::Contains(
          "/domains/0/only_under: expected names of hypervisors, as in `vecusim list hypervisors`, found an array"));
  CHECK_THAT(problems_of({R"(/domains=[{"name":"guest","only_under":["tcg"],"os":{"model":"linux"}},
                                 {"name":"linux","vcpus":2,"os":{"model":"linux"},
                                  "tasks":[{"name":"gpio","model":"interrupt","interrupt":"edge"}]}])"}),
             Catch::Contains("/domains/1/vcpus: expected no such key without a hypervisor, found \"vcpus\""));
}
