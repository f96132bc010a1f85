// A task that sleeps on its kernel's timer: natively, under Xen, and what Xen's own timers make of it.
#include "catch.hpp"
#include "source_dir.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

std::string bench(const std::string& name) {
  return (source_dir() / "validation/scenarios" / ("xen417-" + name + ".json")).string();
}

constexpr const char* kOs = R"("os":{"model":"linux","tick_hz":24,"tick_phase_us":40000})";

// Nothing costs anything.
Recorded ideal(const std::string& name, const Settings& settings) {
  Scenario scenario = load_scenario(bench(name), settings).scenario;
  for (const std::string& cost_name : scenario.costs.names()) {
    Cost& cost = scenario.costs[cost_name];
    if (cost.value) cost.value = 0.0;
    if (cost.law && cost_name.rfind("linux.preempt_off", 0) != 0 && cost_name != "linux.masked_window")
      cost.law = Law{};
  }
  QuantileTables tables;
  Replication run(scenario, tables, 1, 0);
  Recorded recorded;
  run.attach(recorded);
  run.run();
  return recorded;
}

std::string sleeper(const std::string& domain, const std::string& interrupt) {
  return "{\"name\":\"" + domain + "\",\"vcpus\":1,\"affinity\":[0]," + kOs +
         R"(,"tasks":[{"name":"t","model":"interrupt","interrupt":")" + interrupt + R"(","policy":"fifo"}]})";
}

std::string wakeup(const std::string& name, const std::string& domain, const std::string& times) {
  return "{\"name\":\"" + name + R"(","source":"timer","target":")" + domain +
         R"(","stimulus":{"model":"recorded","times_us":)" + times +
         R"(},"measure":{"from":"edge","to":"user","clock":"target"}})";
}

// dom0 is woken at these times, beside a hog.
Recorded beside_hog(const std::string& times, int ratelimit_us, const std::string& affinity = "[0]") {
  return ideal("hog",
               {"/domains=[" + sleeper("dom0", "w") + R"(,{"name":"domU","vcpus":1,"affinity":[0],)" + kOs +
                    R"(,"tasks":[{"name":"hog","model":"hog"}]}])",
                "/domains/0/affinity=" + affinity, "/interrupts=[" + wakeup("w", "dom0", times) + "]",
                "/hypervisor/timer_slop_us=0", "/hypervisor/scheduler/ratelimit_us=" + std::to_string(ratelimit_us)});
}

}  // namespace

TEST_CASE("Where nothing costs anything a sleeper wakes up when it is due") {
  for (const char* name : {"native", "dom0"}) {
    const Recorded recorded = ideal(name, {"/interrupts/0/stimulus/count=50"});
    CHECK(recorded.flights.size() == 50);
    CHECK(recorded.max() == Duration::zero());
  }
}

TEST_CASE("A blocked vCPU's timer that is due soon after another one's comes with the slop, a running one's does not") {
  const Settings two = {"/domains=[" + sleeper("dom0", "w") + "," + sleeper("domU", "v") + "]",
                        "/interrupts=[" + wakeup("w", "dom0", "[20005]") + "," + wakeup("v", "domU", "[20000]") + "]"};
  Settings none = two;
  none.emplace_back("/hypervisor/timer_slop_us=0");
  CHECK(ideal("dom0", two).max() == 45us);  // due 5 us after a timer softirq that lets none expire for 50 us
  CHECK(ideal("dom0", none).max() == Duration::zero());
  Settings halted = two;
  halted.emplace_back("/hypervisor/vwfi=native");
  halted.emplace_back("/domains/1/affinity=[1]");
  CHECK(ideal("dom0", halted).max() == Duration::zero());
}

TEST_CASE("A wake refused in the last 50 us of the rate limit waits 500 us, an earlier one for the hog's slice") {
  CHECK(beside_hog("[20500]", 1000).max() == Duration::zero());
  CHECK(beside_hog("[20500,21480]", 1000).max() == 500us);
  CHECK(beside_hog("[20500,20560]", 100).max() == 500us);
  const Recorded refused = beside_hog("[20500,21000]", 1000);
  CHECK(refused.max() > 5ms);
  CHECK(refused.max() < 10ms);
  CHECK(refused.waited(Wait::ratelimit) == 500us);
  CHECK(beside_hog("[20500,21000]", 0).max() == Duration::zero());
  CHECK(beside_hog("[20500,21000]", 1000, "[0,1]").max() == Duration::zero());
}

TEST_CASE("What became due while a sleeper was late is skipped and does not count") {
  // Refused at 21 ms, it runs some milliseconds later: two of the three times are over then.
  const Recorded recorded = beside_hog("[20500,21000,22000,23000,40000]", 1000);
  CHECK(recorded.stimuli == 3);
  CHECK(recorded.flights.size() == 3);
}

TEST_CASE("A wake-up costs what was counted: asleep under Xen, in native WFI, and without Xen") {
  const Settings few = {"/interrupts/0/stimulus/count=20"};
  CHECK(simulate(bench("native"), few).min() == 4413ns);
  CHECK(simulate(bench("dom0"), few).min() == 5173ns + 4413ns);
  Settings native_wfi = few;
  native_wfi.emplace_back("/hypervisor/vwfi=native");
  CHECK(simulate(bench("dom0"), native_wfi).min() <= 1060ns + 4413ns);
}

TEST_CASE("A tick that comes while its CPU is idle is the last one; who wakes up then restarts it") {
  // Every fourth millisecond meets a tick, which comes first.
  const Recorded each = simulate(bench("native"), {"/interrupts/0/stimulus/count=40"});
  CHECK(std::count_if(each.flights.begin(), each.flights.end(), [](auto& f) { return f.latency == 4413ns; }) == 30);
  CHECK(std::count_if(each.flights.begin(), each.flights.end(), [](auto& f) { return f.latency >= 6141ns; }) == 10);
  // At 10 ms one tick has come and two or more were missed.
  const Recorded rare =
      simulate(bench("native"), {"/interrupts/0/stimulus/count=40", "/interrupts/0/stimulus/period_ms=10"});
  CHECK(rare.min() == 4413ns + 736ns + 1088ns);
}

TEST_CASE("Only the target's clock can measure what a task's own timer begins") {
  CHECK_THROWS_AS(load_scenario(bench("native"), {"/interrupts/0/measure/clock=stimulus"}), InvalidInput);
  CHECK_THROWS_AS(load_scenario("pi4-native", {"/interrupts/0/measure/to=user", "/interrupts/0/measure/clock=target"}),
                  InvalidInput);
}

TEST_CASE("A catch-up goes through one level of timers more for each eight times as many missed ticks") {
  const auto rest = [](const std::string& period_ms) {
    const Recorded recorded =
        simulate(bench("native"), {"/interrupts/0/stimulus/count=20", "/interrupts/0/stimulus/period_ms=" + period_ms});
    return recorded.flights.back().latency - 4413ns - 736ns - 1088ns;
  };
  // The tick that follows a wake-up still comes; 6, 11, 24 and 249 do not.
  CHECK(rest("28") == 0ns);
  CHECK(rest("48") == 144ns);
  CHECK(rest("100") == 144ns);
  CHECK(rest("1000") == 288ns);
}
