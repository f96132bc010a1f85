// Hypercalls that Xen does not preempt: how long they take, and who waits for them.
#include <map>

#include "catch.hpp"
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

// All costs are zero but those of allocating: 10 us, and 0.1 us a page, 0.5 us with the flush.
Recorded simulate_allocations(const char* preset, const Settings& settings) {
  LoadedScenario loaded = load_scenario(preset, settings);
  make_ideal(loaded.scenario);
  loaded.scenario.costs.at("xen.allocate").value = 10.0;
  loaded.scenario.costs.at("xen.allocate_page").value = 100.0;
  loaded.scenario.costs.at("xen.flush_page").value = 400.0;
  QuantileTables tables;
  Replication run(loaded.scenario, tables, loaded.scenario.run.seed, 0);
  Recorded recorded;
  run.attach(recorded);
  run.run();
  return recorded;
}

Settings tool(const std::string& hypercall, Settings more = {}) {
  Settings settings = {
      R"(/domains/0/tasks=[{"name":"tool","model":"periodic","period_us":5000,"work_us":0,"hypercall":)" + hypercall +
          "}]",
      "/domains/0/budget_us=1000000000",  // its deadline is never before domU's
      "/domains/0/period_us=1000000000",
      R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":20,"count":3000})"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

}  // namespace

TEST_CASE("A hypercall takes its own time and that of each page") {
  const auto time = [](const char* order, const char* flush) {
    const Recorded recorded = simulate_allocations(
        "h3-dom0",
        {std::string(
             R"(/domains/0/tasks/0={"name":"tool","model":"interrupt","interrupt":"tmu","interface":"sysfs","hypercall":{"allocate_order":)") +
             order + R"(,"flush":)" + flush + "}}",
         "/interrupts/0/measure/to=user", "/interrupts/0/stimulus/count=3", "/interrupts/0/stimulus/period_ms=500"});
    REQUIRE(recorded.flights.size() == 3);
    CHECK(recorded.min() == recorded.max());
    CHECK(recorded.waited(Wait::hypervisor) == 3 * recorded.min());
    return recorded.min();
  };
  CHECK(time("0", "true") == 10us + 500ns);
  CHECK(time("3", "true") == 14us);
  CHECK(time("9", "true") == 266us);
  CHECK(time("9", "false") == 61200ns);
  CHECK(time("18", "true") == 10us + 262144 * 500ns);
}

TEST_CASE("Whom an interrupt wakes during a hypercall waits for the end of it, in the hypervisor") {
  const Recorded recorded = simulate_allocations("h3-domu", tool(R"({"allocate_order":9})"));
  CHECK(recorded.flights.size() == 3000);
  CHECK(recorded.min() == Duration::zero());
  CHECK(recorded.max() <= 266us);
  CHECK(recorded.max() > 260us);
  Duration sum{};
  std::size_t delayed = 0;
  for (const auto& flight : recorded.flights) {
    sum += flight.latency;
    delayed += static_cast<std::size_t>(flight.latency > Duration::zero());
  }
  CHECK(recorded.waited(Wait::hypervisor) == sum);
  // A random moment falls into one for 266 us in 5 ms, and half of it is left on average.
  CHECK(static_cast<double>(delayed) / 3000.0 == Approx(0.0532).margin(0.012));
  CHECK(to_us(sum) / static_cast<double>(delayed) == Approx(133.0).epsilon(0.2));
}

TEST_CASE("Interrupts during a hypercall are taken: a level line merges only what comes before its handler") {
  const Recorded recorded =
      simulate_allocations("h3-domu", tool(R"({"allocate_order":18,"flush":true})",
                                           {R"(/interrupts/0/stimulus={"model":"periodic","period_ms":1,"count":0})",
                                            "/run/measure_ms=2000", "/domains/0/tasks/0/period_us=1000000"}));
  // 131.082 ms in each second: of the 131 or 132 edges in it the first is kept and the others merge.
  CHECK(recorded.max() > 130ms);
  CHECK(recorded.max() <= 131082us);
  CHECK(recorded.merged >= 130);
  CHECK(recorded.merged <= 2 * 131);
}

TEST_CASE("A hypercall is longer by the interrupts that it lets in, and the caller waits for all of it") {
  const auto caller = [](const char* more) {
    LoadedScenario loaded = load_scenario("h3-domu", tool(R"({"allocate_order":9})", {more}));
    make_ideal(loaded.scenario);
    loaded.scenario.costs.at("xen.allocate").value = 266.0;
    loaded.scenario.costs.at("xen.irq_spi.cycles").value = 15000.0;  // 10 us
    loaded.scenario.costs.at("xen.path_cycles_scale").value = 1.0;
    QuantileTables tables;
    Replication run(loaded.scenario, tables, 1, 0);
    Recorded recorded;
    run.attach(recorded);
    run.run();
    return recorded;
  };
  const Recorded recorded = caller("/interrupts/0/stimulus/mean_interval_ms=1");
  // At most one edge is taken in each, as the level line stays up: 266 us and 10 us of it.
  CHECK(recorded.max() <= 276us);
  CHECK(recorded.max() > 270us);
}

TEST_CASE("Only Xen has hypercalls") {
  CHECK_THROWS_AS(
      load_scenario(
          "h3-domu",
          {R"(/hypervisor={"model":"native"})",
           R"(/domains=[{"name":"rtos","os":{"model":"rtos"},"tasks":[{"name":"tmu","model":"interrupt","interrupt":"tmu","interface":"kernel"},{"name":"t","model":"periodic","period_us":1000,"work_us":1,"hypercall":{"allocate_order":1}}]}])",
           "/interrupts/0/target=rtos"}),
      InvalidInput);
}
