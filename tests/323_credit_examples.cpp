// Credit against the recorded traces, the worked examples and the gotchas of the specification of the Xen schedulers.
#include "catch.hpp"
#include "credit_bench.hpp"
#include "golden_files.hpp"

namespace vecusim::test {
namespace {

TEST_CASE("Credit makes every recorded decision") {
  check_golden("c1_", 51);
  check_golden("credit1-", 6);
}

TEST_CASE("Credit decides the same on the topology that Arm describes") { check_golden_on_arm("c1_", 41); }

// ---- E18 ----

TEST_CASE("Credit E18: weights 512 and 256 share a pCPU two to one, in slices of 30 ms") {
  PolicyBench bench("credit", 1);
  const DomainId heavy = bench.domain();
  const UnitId a = bench.unit(heavy);
  const UnitId b = bench.unit(bench.domain());
  CHECK(bench.core().adjust_domain(bench.moment(), heavy, {512, 0, std::nullopt}));
  bench.event([&] {
    for (const UnitId unit : {a, b}) bench.core().come_up(bench.moment(), unit);
  });
  bench.until(29ms);
  CHECK(figure(bench, a, "credit") == -200);  // charged at 10 and 20 ms
  bench.until(30ms);
  CHECK(figure(bench, a, "credit") == 0);  // only A took part: plus 300
  bench.until(60ms);
  CHECK(figure(bench, a, "credit") == 200);
  CHECK(figure(bench, b, "credit") == -200);
  CHECK(figure(bench, b, "priority") == kOver);
  bench.until(120ms);
  CHECK(figure(bench, b, "credit") == 0);
  CHECK(figure(bench, b, "priority") == kUnder);
  bench.until(240ms);
  CHECK(bench.log() == Log{"0 p0 idle>u0 30000", "30000 p0 u0>u1 30000", "60000 p0 u1>u0 30000", "90000 p0 u0>u0 30000",
                           "120000 p0 u0>u1 30000", "150000 p0 u1>u0 30000", "180000 p0 u0>u0 30000",
                           "210000 p0 u0>u1 30000", "240000 p0 u1>u0 30000"});
}

/// A hog that has run since 0, but for 12.6 to 12.8 ms, when the other unit, first woken at 12.5, has its turn.
struct Boost {
  explicit Boost(std::string_view parameters = "{}") : bench(make_credit(parameters, 1), 1) {
    const DomainId domain = bench.domain();
    hog = bench.unit(domain);
    waker = bench.unit(domain);
    bench.come_up(hog);
    bench.until(12'500us);
    bench.come_up(waker);
    first_wake = bench.running_on(0);
    bench.until(12'600us);
    bench.event([&] { bench.core().yield(bench.moment(), hog); });
    bench.until(12'800us);
    bench.block(waker);
    bench.log();
  }
  PolicyBench bench;
  UnitId hog{};
  UnitId waker{};
  UnitId first_wake = kIdle;
};

TEST_CASE("Credit E18: the first wake after the creation gives no boost and does not preempt") {
  Boost boost;
  CHECK(boost.first_wake == boost.hog);
}

TEST_CASE("Credit E18: a later wake boosts and tickles, but the hog is kept for the rest of its rate limit") {
  Boost boost;
  boost.bench.until(13'300us);
  boost.bench.unblock(boost.waker);
  CHECK(figure(boost.bench, boost.waker, "priority") == kBoost);
  boost.bench.until(13'800us);
  CHECK(boost.bench.log() == Log{"13300 p0 u0>u0 500", "13800 p0 u0>u1 30000"});
}

TEST_CASE("Credit E18: without a rate limit, or once the hog has run for it, a boosted wake preempts at once") {
  Boost unlimited(R"({"ratelimit_us":0})");
  unlimited.bench.until(13'300us);
  unlimited.bench.unblock(unlimited.waker);
  CHECK(unlimited.bench.log() == Log{"13300 p0 u0>u1 30000"});

  Boost late;
  late.bench.until(13'800us);
  late.bench.unblock(late.waker);
  CHECK(late.bench.log() == Log{"13800 p0 u0>u1 30000"});
}

// ---- Gotchas ----

/// One pCPU with units 0, 1, … of one domain; the first runs from 0.
struct OnePcpu {
  explicit OnePcpu(int units, std::string_view parameters = "{}", std::string_view version = kDefaultXenVersion)
      : bench(make_credit(parameters, 1, version), 1) {
    const DomainId domain = bench.domain();
    for (int u = 0; u < units; ++u) bench.unit(domain);
    bench.come_up(unit_id(0));
    bench.log();
  }
  /// Brings a unit up, lets it block at once and go on at `at`, when it is boosted.
  void boosted_at(UnitId unit, HvTime at) {
    bench.event([&] {
      bench.core().come_up(bench.moment(), unit);
      bench.core().block(bench.moment(), unit);
    });
    bench.until(at);
    bench.unblock(unit);
  }
  PolicyBench bench;
};

TEST_CASE("Credit gotcha 1: a pass in between moves the end of the slice") {
  OnePcpu one(1);
  one.bench.until(4ms);
  one.bench.poke(0);
  one.bench.until(34ms);
  CHECK(one.bench.log() == Log{"4000 p0 u0>u0 30000", "34000 p0 u0>u0 30000"});
}

TEST_CASE("Credit gotcha 2: a pass that keeps the unit does not restart its rate limit") {
  OnePcpu one(2);
  one.bench.until(900us);
  one.bench.poke(0);
  one.bench.until(1ms);
  CHECK(one.bench.log() == Log{"900 p0 u0>u0 100", "1000 p0 u0>u0 30000"});
  CHECK(one.bench.core().state()[unit_id(0)].entry_time == 0ms);
}

TEST_CASE("Credit gotcha 6: blocking is seen in the pass, pausing asks for one") {
  OnePcpu one(2);
  one.bench.come_up(unit_id(1));
  one.bench.until(2ms);
  one.bench.pause(unit_id(0));
  one.bench.until(3ms);
  one.bench.block(unit_id(1));
  CHECK(one.bench.log() == Log{"2000 p0 u0>u1 30000", "3000 p0 u1>idle -"});
}

TEST_CASE("Credit gotcha 6: a unit that is paused while it waits leaves the queue") {
  OnePcpu one(3);
  one.bench.come_up(unit_id(1));
  one.bench.come_up(unit_id(2));
  one.bench.pause(unit_id(1));
  one.bench.until(30ms);
  CHECK(one.bench.log() == Log{"30000 p0 u0>u2 30000"});
}

TEST_CASE("Credit gotcha 7: a wake of a unit that waits or runs already changes nothing") {
  OnePcpu one(3);
  one.bench.come_up(unit_id(1));
  one.bench.come_up(unit_id(2));
  one.bench.come_up(unit_id(1));
  one.bench.come_up(unit_id(0));
  CHECK(figure(one.bench, unit_id(1), "priority") == kUnder);
  CHECK(one.bench.log().empty());
  one.bench.until(60ms);
  CHECK(one.bench.log() == Log{"30000 p0 u0>u1 30000", "60000 p0 u1>u2 30000"});
}

TEST_CASE("Credit gotcha 11: an affinity that changes nothing deschedules the unit, and its next wake gives no boost") {
  OnePcpu one(2);
  one.bench.come_up(unit_id(1));
  one.bench.until(2ms);
  one.bench.set_hard_affinity(unit_id(0), {pcpu_id(0)});
  CHECK(one.bench.log() == Log{"2000 p0 u0>u1 30000"});
  CHECK(figure(one.bench, unit_id(0), "priority") == kUnder);
  CHECK(figure(one.bench, unit_id(0), "placed") == 0);
}

TEST_CASE("Credit gotcha 41: a unit kept within its first 100 ns gets a slice of 100 ns and another pass") {
  OnePcpu one(2);
  one.bench.come_up(unit_id(1));
  one.bench.until(5ms);
  one.bench.event([&] { one.bench.core().block(one.bench.moment(), unit_id(0)); });
  one.bench.log();
  one.bench.until(5ms + 50ns);
  one.bench.unblock(unit_id(0));
  one.bench.until(6ms);
  CHECK(one.bench.log() == Log{"5000.05 p0 u1>u1 0.1", "5000.15 p0 u1>u1 999.85", "6000 p0 u1>u0 30000"});
}

TEST_CASE("Credit gotcha 41: a credit is 100 us") {
  OnePcpu one(1, R"({"ratelimit_us":0})");
  one.bench.until(1ms);
  one.bench.poke(0);
  CHECK(figure(one.bench, unit_id(0), "credit") == -10);
  CHECK(figure(one.bench, unit_id(0), "residual") == 0);
}

std::string problems_of(std::string_view parameters) {
  Problems problems;
  credit_config(parameters, problems);
  return problems.text();
}

TEST_CASE("Credit gotcha 43: the rate limit is in us and the slice in ms, each with the bounds of Xen's tools") {
  for (const std::string_view good : {R"({"ratelimit_us":0})", R"({"ratelimit_us":100})",
                                      R"({"ratelimit_us":500000,"tslice_ms":1000})", R"({"tslice_ms":1})"}) {
    CHECK(problems_of(good).empty());
  }
  CHECK_THAT(problems_of(R"({"ratelimit_us":99})"), Catch::Contains("/ratelimit_us: expected 0 or an integer in"));
  CHECK_THAT(problems_of(R"({"ratelimit_us":500001})"), Catch::Contains("[100, 500000]"));
  CHECK_THAT(problems_of(R"({"ratelimit_us":150.5})"), Catch::Contains("integer"));
  CHECK_THAT(problems_of(R"({"tslice_ms":0})"), Catch::Contains("/tslice_ms: expected an integer in [1, 1000]"));
  CHECK_THAT(problems_of(R"({"tslice_ms":1001})"), Catch::Contains("1001"));
  CHECK_THAT(problems_of(R"({"tslice_us":5})"), Catch::Contains("tslice_ms"));
}

TEST_CASE("Credit gotcha 44: a rate limit longer than the slice counts as the slice") {
  PolicyBench bench(make_credit(R"({"tslice_ms":1,"ratelimit_us":5000})", 1), 1);
  const DomainId domain = bench.domain();
  bench.event([&] {
    for (int u = 0; u < 2; ++u) bench.core().come_up(bench.moment(), bench.unit(domain));
  });
  bench.until(1500us);
  bench.poke(0);
  bench.until(2ms);
  CHECK(bench.log() == Log{"0 p0 idle>u0 1000", "1000 p0 u0>u1 1000", "1500 p0 u1>u1 500", "2000 p0 u1>u0 1000"});
}

}  // namespace
}  // namespace vecusim::test
