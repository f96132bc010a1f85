// A real-time kernel on its own and under Xen: exact times with round costs, priorities, ticks, budgets.
#include <map>
#include <numeric>

#include "catch.hpp"
#include "property.hpp"
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

constexpr double kCyclesPerUs = 1500.0;

const char* const kHandler = R"({"name":"tmu","model":"interrupt","interrupt":"tmu","interface":"kernel"})";
const char* const kTask = R"({"name":"tmu","model":"interrupt","interrupt":"tmu","interface":"task","priority":20})";

Settings bare(const std::string& tasks, Settings more = {}) {
  Settings settings = {R"(/hypervisor={"model":"native"})",
                       R"(/domains=[{"name":"rtos","os":{"model":"rtos"},"tasks":[)" + tasks + "]}]",
                       "/interrupts/0/target=rtos"};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

// All costs are zero but those named, in microseconds.
Recorded simulate_ideal(const Settings& settings, const std::map<std::string, double>& us = {}) {
  LoadedScenario loaded = load_scenario("h3-domu", settings);
  make_ideal(loaded.scenario);
  for (const auto& [name, value] : us) {
    Cost& cost = loaded.scenario.costs.at(name);
    cost.value = cost.unit == "cycles" ? value * kCyclesPerUs : cost.unit == "ns" ? value * 1000.0 : value;
  }
  QuantileTables tables;
  Replication run(loaded.scenario, tables, loaded.scenario.run.seed, 0);
  Recorded recorded;
  run.attach(recorded);
  run.run();
  return recorded;
}

const std::map<std::string, double> kRound = {
    {"gic.forward", 0.5},      {"core.wfi_exit", 1},        {"rtos.irq_entry.cycles", 2}, {"rtos.isr.cycles", 3},
    {"rtos.signal.cycles", 4}, {"rtos.irq_exit.cycles", 5}, {"rtos.dispatch.cycles", 6},  {"rtos.task.cycles", 7},
    {"rtos.answer.cycles", 8}, {"rtos.block.cycles", 9}};

void check_all(const Recorded& recorded, Duration expected) {
  REQUIRE_FALSE(recorded.flights.empty());
  for (const auto& flight : recorded.flights) CHECK(flight.latency == expected);
}

// When a task of this much work began.
std::vector<Time> begins(const Recorded& recorded, Context context) {
  std::vector<Time> times;
  for (const Occupied& event : recorded.occupied) {
    if (event.context == context) times.push_back(event.at);
  }
  return times;
}

}  // namespace

TEST_CASE("An idle kernel's handler takes what waking, entry and handler take, and answers after that") {
  const Settings few = {"/interrupts/0/stimulus/count=20"};
  check_all(simulate_ideal(bare(kHandler, few), kRound), 6500ns);
  Settings answered = few;
  answered.emplace_back("/interrupts/0/measure/to=response");
  check_all(simulate_ideal(bare(kHandler, answered), kRound), 14500ns);
}

TEST_CASE("A task behind a handler follows the end of the interrupt and a switch") {
  const Settings user = {"/interrupts/0/stimulus/count=20", "/interrupts/0/measure/to=user"};
  // 6.5 as above, then signal, exit, dispatch, task.
  check_all(simulate_ideal(bare(kTask, user), kRound), 28500ns);
}

TEST_CASE("A task's own work comes before its answer") {
  const std::string busy =
      R"({"name":"tmu","model":"interrupt","interrupt":"tmu","interface":"task","priority":20,"work_cycles":)";
  const auto answer_us = [&](const std::string& cycles) {
    return to_us(
        simulate_ideal(
            bare(busy + cycles + "}", {"/interrupts/0/stimulus/count=20", "/interrupts/0/measure/to=response"}), kRound)
            .min());
  };
  const double none = answer_us("0");
  CHECK(answer_us("60000") - none == Approx((answer_us("30000") - none) * 2.0));
  CHECK(answer_us("60000") > none + 10.0);
  CHECK_THROWS_AS(load_scenario("h3-domu", {"/domains/1/tasks/0/work_cycles=100"}), InvalidInput);
}

TEST_CASE("A less urgent task does not delay the handler's task, and saves the waking") {
  const Settings user = {"/interrupts/0/stimulus/count=20", "/interrupts/0/measure/to=user"};
  const std::string hog = std::string(kTask) + R"(,{"name":"hog","model":"hog","priority":19})";
  const Recorded recorded = simulate_ideal(bare(hog, user), kRound);
  check_all(recorded, 27500ns);
  CHECK(recorded.waited(Wait::thread) == Duration::zero());
}

TEST_CASE("An equal or more urgent task that never ends keeps the handler's task away for ever, but not the handler") {
  for (const char* priority : {"20", "21"}) {
    const std::string hog = std::string(kTask) + R"(,{"name":"hog","model":"hog","priority":)" + priority + "}";
    const Settings user = {"/interrupts/0/stimulus/count=0", "/interrupts/0/measure/to=user", "/run/measure_ms=200"};
    const Recorded starved = simulate_ideal(bare(hog, user), kRound);
    CHECK(starved.flights.empty());
    CHECK(starved.merged + 2 >= starved.stimuli);  // one is with the task, one is kept
    const Settings kernel = {"/interrupts/0/stimulus/count=20", "/interrupts/0/measure/to=kernel",
                             "/run/measure_ms=150"};
    check_all(simulate_ideal(bare(hog, kernel), kRound), 5500ns);
  }
}

TEST_CASE("A more urgent task's work is waited for, and the wait says so") {
  const std::string busy =
      std::string(kTask) + R"(,{"name":"busy","model":"periodic","priority":30,"period_us":1000,"work_us":400})";
  const Recorded recorded =
      simulate_ideal(bare(busy, {R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":7,"count":2000})",
                                 "/interrupts/0/measure/to=user"}));
  CHECK(recorded.max() > 390us);
  CHECK(recorded.max() <= 400us);
  CHECK(recorded.min() == Duration::zero());
  Duration sum{};
  for (const auto& flight : recorded.flights) sum += flight.latency;
  CHECK(recorded.waited(Wait::thread) == sum);
  // A random moment finds the task at work for 0.4 of the time, and 200 us of work left on average.
  CHECK(to_us(sum) / static_cast<double>(recorded.flights.size()) == Approx(80.0).epsilon(0.1));
}

TEST_CASE("Without a tick a periodic task is activated when it is due; with one, at the tick that follows") {
  const std::string load =
      std::string(kHandler) + R"(,{"name":"load","model":"periodic","period_us":3300,"work_us":100})";
  const Settings quiet = {"/interrupts/0/stimulus/count=0", "/interrupts/0/stimulus/period_ms=100000",
                          "/run/measure_ms=500"};
  const std::vector<Time> due = begins(simulate_ideal(bare(load, quiet)), Context::user);
  REQUIRE(due.size() > 100);
  for (std::size_t i = 1; i < due.size(); ++i) CHECK(due[i] - due[i - 1] == 3300us);

  Settings ticking = quiet;
  ticking.emplace_back("/domains/0/os/tick_hz=1000");
  const std::vector<Time> ticks = begins(simulate_ideal(bare(load, ticking)), Context::user);
  REQUIRE(ticks.size() > 100);
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const Duration apart = ticks[i] - ticks[i - 1];
    const bool on_ticks = apart == 3ms || apart == 4ms;
    CHECK(on_ticks);
  }
  CHECK(to_us(ticks.back() - ticks.front()) / static_cast<double>(ticks.size() - 1) == Approx(3300.0).epsilon(0.01));
}

TEST_CASE("A real-time domU waits for its budget like any other, and the wait says so") {
  const Settings depleted = {
      "/domains/0/tasks=[]",
      R"(/domains/1={"name":"domU","vcpus":1,"budget_us":2000,"period_us":5000,"extratime":false,"os":{"model":"rtos"},"tasks":[)" +
          std::string(kHandler) + R"(,{"name":"hog","model":"hog","priority":1}]})",
      R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":20,"count":1000})"};
  const Recorded recorded = simulate_ideal(depleted);
  CHECK(recorded.max() <= 3ms + 1us);
  CHECK(recorded.max() > 2900us);
  CHECK(recorded.min() == Duration::zero());
  // A random moment finds the budget used up for 3 of 5 ms, and half of that is left on average.
  CHECK(to_us(recorded.waited(Wait::budget)) / static_cast<double>(recorded.flights.size()) ==
        Approx(0.6 * 1500.0).epsilon(0.1));
}

TEST_CASE("Whatever runs on a real-time kernel, stages and waits tile every latency, and edges are conserved") {
  check_property(
      [] {
        const bool bare_metal = *rc::gen::arbitrary<bool>();
        std::string tasks = R"({"name":"tmu","model":"interrupt","interrupt":"tmu","priority":)" +
                            std::to_string(*rc::gen::inRange(1, 99)) + R"(,"interface":")" +
                            *rc::gen::element(std::string("kernel"), std::string("task")) + "\"}";
        const auto loads = *rc::gen::inRange(0, 4);
        for (int i = 0; i < loads; ++i) {
          tasks += R"(,{"name":"t)" + std::to_string(i) + R"(","priority":)" +
                   std::to_string(*rc::gen::inRange(1, 99)) + R"(,"model":")" +
                   *rc::gen::element(std::string("periodic"), std::string("sporadic")) + R"(","period_us":)" +
                   std::to_string(*rc::gen::inRange(50, 5000)) + R"(,"work_us":)" +
                   std::to_string(*rc::gen::inRange(0, 900)) + "}";
        }
        const std::string os = R"({"model":"rtos","tick_hz":)" +
                               *rc::gen::element(std::string("0"), std::string("1000"), std::string("250")) + "}";
        Settings settings;
        if (bare_metal) {
          settings = bare(tasks, {"/domains/0/os=" + os});
        } else {
          settings = {"/domains/1/os=" + os, "/domains/1/tasks=[" + tasks + "]",
                      "/hypervisor/vwfi=" + *rc::gen::element(std::string("trap"), std::string("native"))};
        }
        settings.push_back(R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":)" +
                           std::to_string(*rc::gen::inRange(1, 20)) + R"(,"count":0})");
        settings.emplace_back("/interrupts/0/measure/to=response");
        settings.emplace_back("/run/measure_ms=300");
        const Recorded recorded = simulate("h3-domu", settings);
        for (const auto& flight : recorded.flights) {
          Duration sum{};
          for (const StageTime& stage : flight.stages) sum += stage.total();
          RC_ASSERT(sum == flight.latency);
        }
        const std::size_t settled = recorded.flights.size() + recorded.merged + recorded.lost;
        RC_ASSERT(settled <= recorded.stimuli);
        RC_ASSERT(recorded.stimuli - settled <= 4U);  // on the line, with the handler, with the task, kept
      },
      100);
}

TEST_CASE("Only the first cores of a board are switched on, across its clusters") {
  const auto cores = [](const char* count) {
    const LoadedScenario loaded = load_scenario("h3-domu", {std::string("/board/cores=") + count});
    return loaded.scenario.board.spec();
  };
  CHECK(cores("1").cores() == 1);
  CHECK(cores("1").clusters.size() == 1);
  CHECK(cores("6").clusters.at(0).cores == 4);
  CHECK(cores("6").clusters.at(1).cores == 2);
  CHECK(cores("100").cores() == 8);
}
