// The cost law: clocks, caches, warmth.
#include "catch.hpp"
#include "models/core.hpp"

using namespace vecusim;

namespace {

struct OneCore {
  explicit OneCore(double clock_mhz, double sigma = 0.0, double cv = 0.0)
      : core(simulation, "pcpu0", clock_mhz, 1280, costs(sigma, cv), l2, memory) {
    l2.add_code_path(kAllColors);
    core.add_code_path();
  }
  static CoreCosts costs(double sigma, double cv) {
    return {.l2_line = 15ns,
            .dram_line = 100ns,
            .evictions_per_s = 5e5,
            .jitter_sigma = sigma,
            .miss_cv = cv,
            .mmio = 150ns};
  }
  Duration again_after(Duration away) {
    simulation.queue.run_until(simulation.now() + away);
    return core.execute(code, CodePath{0});
  }

  QuantileTables tables;
  Simulation simulation{tables, 1, 0};
  SharedCache l2{16384, 16, 5e5};
  Memory memory;
  Core core;
  PathCost code{.cycles = 6000, .lines = 100, .mmio = 2};
};

}  // namespace

TEST_CASE("Cold code costs its cycles, its lines from memory and its device accesses") {
  OneCore at600(600);
  CHECK(at600.core.cold(at600.code) == 10us + 10us + 300ns);
  CHECK(at600.core.execute(at600.code, CodePath{0}) == 10us + 10us + 300ns);
}

TEST_CASE("The clock changes cycles only") {
  OneCore at1500(1500);
  CHECK(at1500.core.cold(at1500.code) == 4us + 10us + 300ns);
}

TEST_CASE("Code that has just run finds its lines") {
  OneCore core(600);
  core.again_after({});
  // The execution ends 20.3 us after it began; one that begins at that moment finds nothing evicted.
  CHECK(core.again_after(20300ns) == 10us + 300ns);
}

TEST_CASE("Code cools down with the time away, to cold") {
  OneCore core(600);
  core.again_after({});
  Duration before = 10us + 300ns;
  for (const Duration away : {1ms, 3ms, 10ms, 30ms, 100ms, 1000ms}) {
    const Duration now = core.again_after(away);
    CHECK(now > before);
    CHECK(now <= 20300ns);
    before = now;
  }
  CHECK(core.again_after(10s) == 20300ns);
}

TEST_CASE("The share of evicted lines follows 1 - exp(-time * rate / capacity)") {
  OneCore core(600);
  const Duration first = core.again_after({});
  const Duration second = core.again_after(first + 1ms);
  const double l1 = 1.0 - std::exp(-1e-3 * 5e5 / 1280);
  const double l2 = 1.0 - std::exp(-1e-3 * 5e5 / 16384);
  const double expected = 10.3 + 100 * (l2 * 0.1 + (l1 - l2) * 0.015);
  CHECK(to_us(second) == Approx(expected).margin(1e-6));
}

TEST_CASE("The spread of an execution comes from its jitter and from its misses") {
  OneCore core(600, 0.02, 0.5);
  constexpr int kRuns = 4000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kRuns; ++i) {
    const double taken = to_us(core.again_after(10s));
    sum += taken;
    squares += taken * taken;
  }
  const double mean = sum / kRuns;
  const double deviation = std::sqrt(squares / kRuns - mean * mean);
  // 2 % of 20.3 us, and half a miss (50 ns) times the root of 100 misses.
  const double expected = std::sqrt(0.406 * 0.406 + 0.5 * 0.5);
  CHECK(mean == Approx(20.3).epsilon(0.002));
  CHECK(deviation == Approx(expected).epsilon(0.05));
}

TEST_CASE("A table that lacks a cost says which, and in what unit it is wanted") {
  Costs costs;
  Cost cycles;
  cycles.value = 100.0;
  cycles.unit = "cycles";
  costs["x.cycles"] = cycles;
  costs["x.lines"] = cycles;
  CostTable table(costs);
  PathCost::from(table, "x");
  REQUIRE(table.missing().size() == 1);
  CHECK(table.missing()[0].name == "x.lines");
  CHECK(table.missing()[0].expected == "a value in lines");
}

TEST_CASE("Copies of costs share what they have in common, and what one changes is its own") {
  Costs base;
  base["a"].value = 1.0;
  base["b"].value = 2.0;
  base.share();
  Costs copy = base;
  CHECK(std::as_const(copy).find("a") == std::as_const(base).find("a"));
  copy["b"].value = 3.0;
  copy["c"].value = 4.0;
  CHECK(std::as_const(copy).find("a") == std::as_const(base).find("a"));
  CHECK(std::as_const(copy).at("b").value == 3.0);
  CHECK(std::as_const(base).at("b").value == 2.0);
  CHECK(base.find("c") == nullptr);
  CHECK(copy.names() == std::vector<std::string>{"a", "b", "c"});
  SECTION("what a copy had for itself is shared with its own copies") {
    copy.share();
    const Costs further = copy;
    CHECK(further.find("b") == std::as_const(copy).find("b"));
    CHECK(further.at("b").value == 3.0);
    CHECK(further.names() == copy.names());
  }
  SECTION("one that is emptied leaves the others as they are") {
    copy.clear();
    CHECK(copy.names().empty());
    CHECK(base.names().size() == 2);
  }
  SECTION("what is not there is not made by asking") {
    CHECK_THROWS_AS(copy.at("d"), std::out_of_range);
    CHECK_THROWS_AS(std::as_const(copy).at("d"), std::out_of_range);
    CHECK(copy.names().size() == 3);
  }
}
