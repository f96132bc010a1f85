// cyclictest: what it is short for, timer slack, and what nothing can preempt.
#include <cmath>

#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

// cyclictest on a Pi 4, with whatever runs beside it.
Recorded cyclictest(const std::string& rest, const std::string& beside = "", Settings more = {}) {
  more.insert(more.begin(), {"/domains/0/tasks=[{\"name\":\"t\",\"model\":\"cyclictest\"," + rest + "}" + beside + "]",
                             "/interrupts=[]"});
  return simulate("pi4-native", undisturbed(more));
}

std::string x11(const std::string& stall, const std::string& more) {
  return R"(,{"name":"x11","model":"periodic","policy":"fifo","priority":1,"work_us":0,"stall":{)" + stall + "}," +
         more + "}";
}

constexpr const char* kFifo = R"("policy":"fifo","priority":80,"cpus":[1],"loops":500,"interval_us":1010)";

}  // namespace

TEST_CASE("A cyclictest is a task and an interrupt for each of its threads") {
  const LoadedScenario loaded = load_scenario(
      "pi4-native",
      {R"(/domains/0/tasks=[{"name":"c","model":"cyclictest","policy":"fifo","priority":80,"threads":3,"interval_us":200,"distance_us":50,"loops":7,"cpus":[1,2]},{"name":"h","model":"hog"}])",
       "/interrupts=[]"});
  const Scenario& scenario = loaded.scenario;
  REQUIRE(scenario.interrupts.size() == 3);
  REQUIRE(scenario.domains[0].tasks.size() == 4);
  CHECK(scenario.domains[0].tasks[1].name == "h");
  CHECK(scenario.interrupts[2].name == "c/2");
  CHECK(scenario.interrupts[2].stimulus.period == 300us);
  CHECK(scenario.domains[0].tasks[3].cpus == std::vector<std::int64_t>{1});
  CHECK(simulate("pi4-native", {R"(/domains/0/tasks=[{"name":"c","model":"cyclictest","policy":"fifo","loops":7}])",
                                "/interrupts=[]"})
            .flights.size() == 7);
}

namespace {

// Wakes up every 4 ms, so much after a tick; both have the kernel's clock.
Recorded beside_ticks(const std::string& policy, const std::string& phase_us) {
  return simulate(
      "pi4-native",
      undisturbed(
          {R"(/interrupts=[{"name":"w","source":"timer","target":"linux","stimulus":{"model":"periodic","period_ms":4,"phase_us":)" +
               phase_us +
               R"(,"clock_error_ppm":0,"count":50},"measure":{"from":"edge","to":"user","clock":"target"}}])",
           R"(/domains/0/tasks=[{"name":"t","model":"interrupt","interrupt":"w","cpus":[1],"policy":")" + policy +
               R"("},{"name":"h","model":"hog","cpus":[1]}])",
           "/domains/0/os/tick_phase_us=0", "/costs/gic.forward/value=0"}));
}

}  // namespace

TEST_CASE("Timer slack adds 50 us to a task of the fair class and nothing to a real-time one") {
  const Recorded other = beside_ticks("other", "2000");
  CHECK(other.waited(Wait::moderation) == 50 * 50us);
  CHECK(other.min() > 50us + beside_ticks("fifo", "2000").min() - 1us);
  CHECK(beside_ticks("fifo", "2000").waited(Wait::moderation) == Duration::zero());
}

TEST_CASE("An interrupt within the slack takes the sleeper along") {
  CHECK(beside_ticks("other", "3980").waited(Wait::moderation) == 50 * 20us);  // 20 us before a tick
}

TEST_CASE("What nothing can preempt holds up its own CPU, or all of them") {
  const Duration alone = cyclictest(kFifo).max();
  const auto beside = [](const std::string& stall, const std::string& cpu) {
    return cyclictest(
               kFifo, x11(stall, R"("period_us":3000,"cpus":[)" + cpu + "]"),
               {R"(/costs/core.invalidate_line={"value":0,"unit":"ns","provenance":"estimated","source":"test"})",
                R"(/costs/core.writeback_line={"value":18.31,"unit":"ns","provenance":"estimated","source":"test"})"})
        .max();
  };
  for (const std::string stall :
       {R"("model":"cli","least_us":300,"most_us":300)", R"("model":"posted_writes","least_us":300,"most_us":300)"}) {
    CHECK(beside(stall, "1") > alone + 200us);
    CHECK(beside(stall, "1") < alone + 330us);
    CHECK(beside(stall, "2") < alone + 5us);
  }
  // 16384 lines of 18.31 ns: 300 us, and then everything is cold.
  const std::string wbinvd = R"("model":"wbinvd","least_dirty_pct":100)";
  CHECK(beside(wbinvd, "1") > alone + 200us);
  CHECK(beside(wbinvd, "2") > alone + 200us);
  CHECK(beside(wbinvd, "2") < alone + 400us);
  const std::string off = R"("period_us":3000,"enabled":false)";
  CHECK(cyclictest(kFifo, x11(R"("model":"cli","least_us":300,"most_us":300)", off)).max() == alone);
}

TEST_CASE("In a guest what reaches beyond its CPU is emulated and holds up nobody") {
  const auto dom0 = [](const std::string& stall) {
    return simulate(
        "pi4-xen-published",
        {R"(/domains/1/tasks=[{"name":"x11","model":"periodic","period_us":5000,"work_us":100)" + stall + "}]",
         "/interrupts/0/stimulus/count=20"});
  };
  const Recorded without = dom0("");
  CHECK(dom0(R"(,"stall":{"model":"wbinvd"})").mean_us() == without.mean_us());
  CHECK(dom0(R"(,"stall":{"model":"posted_writes","least_us":300,"most_us":300})").mean_us() == without.mean_us());
}

namespace {

// Every loop is a thread on an idle CPU and costs nothing; the windows of x11 come 10 times a second.
double exceeded(Duration threshold, int experiments) {
  Scenario scenario =
      load_scenario(
          "core2-rt",
          {"/domains/0/tasks/0/interval_us=10000", "/domains/0/tasks/0/loops=500",
           R"(/domains/0/tasks/1={"name":"x11","model":"sporadic","policy":"fifo","priority":1,"period_us":100000,"work_us":0,"stall":{"model":"wbinvd","most_dirty_pct":20}})"})
          .scenario;
  for (const std::string& name : scenario.costs.names()) {
    Cost& cost = scenario.costs[name];
    const bool stall = name == "core.invalidate_line" || name == "core.writeback_line";
    const bool law = name.starts_with("linux.preempt_off") || name == "linux.masked_window";
    if (cost.value && !stall) cost.value = 0.0;
    if (cost.law && !law) cost.law = Law{};
  }
  QuantileTables tables;
  int over = 0;
  for (int i = 0; i < experiments; ++i) {
    Replication run(scenario, tables, 1, static_cast<std::uint32_t>(i));
    Recorded recorded;
    run.attach(recorded);
    run.run();
    over += static_cast<int>(recorded.max() > threshold);
  }
  return static_cast<double>(over) / experiments;
}

}  // namespace

TEST_CASE("The greatest of N wake-ups exceeds x with probability 1 - exp(-N r E[(B - x)+])") {
  // B is uniform from 65536 lines at 0.5 ns to 20 % of them at 16 ns more.
  const double least = 65536 * 0.5e-3;
  const double most = least + 0.2 * 65536 * 16e-3;
  constexpr int kExperiments = 500;
  for (const double x : {60.0, 130.0, 200.0}) {
    const double beyond = (most - x) * (most - x) / (2.0 * (most - least));  // E[(B - x)+] in us
    const double expected = 1.0 - std::exp(-500 * 10e-6 * beyond);
    const double error = std::sqrt(expected * (1.0 - expected) / kExperiments);
    CHECK(exceeded(from_us(x), kExperiments) == Approx(expected).margin(3.5 * error));
  }
}

TEST_CASE("OSADL's four cells: X11 decides, KVM does not") {
  const auto greatest = [](const char* hypervisor, const char* x11, const char* more = "/run/seed=1") {
    const Recorded recorded = simulate(
        "core2-rt", {std::string("/hypervisor/model=") + hypervisor, std::string("/domains/0/tasks/1/enabled=") + x11,
                     "/domains/0/tasks/0/loops=100000", more});
    Duration most{};
    for (const Recorded::Flight& flight : recorded.flights) {
      if (flight.began > kStart + 20ms) most = std::max(most, flight.latency);  // the first loop finds cold caches
    }
    return to_us(most);
  };
  const double host = greatest("native", "false");
  const double host_x11 = greatest("native", "true");
  CHECK(host > 25.0);
  CHECK(host < 35.0);
  CHECK(host_x11 > 110.0);
  CHECK(host_x11 < 300.0);
  CHECK(std::abs(greatest("kvm", "false") - host) < 5.0);
  // An X server that never does what nothing can preempt is none; that it is there moves threads to other CPUs.
  const double harmless = greatest("native", "true", "/domains/0/tasks/1/period_us=1000000000");
  CHECK(harmless > 25.0);
  CHECK(harmless < 35.0);
  // An exit and a heavy switch with cold caches: 4800 cycles and 55 lines of 80 ns, 6.6 us; less than the bands' width.
  CHECK(std::abs(greatest("kvm", "true") - host_x11) < 10.0);
}
