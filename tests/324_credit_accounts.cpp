// Credit: passes, ticks, accounts and parameters, rule by rule (golden trace format, points 48 to 59), and what no
// recorded trace covers of them.
#include <utility>
#include <vector>

#include "catch.hpp"
#include "credit_bench.hpp"

namespace vecusim::test {
namespace {

// ---- Passes ----

TEST_CASE("Credit 48: any pass puts the unit that runs behind the others of its class") {
  CreditBench bench(1, R"({"ratelimit_us":0})");
  for (int u = 0; u < 3; ++u) bench.start(bench.add());
  bench.log();
  bench.until(2ms);
  bench.poke(0);
  bench.until(3ms);
  bench.poke(0);
  bench.poke(0);
  CHECK(bench.log() == Log{"2000 p0 u0>u1 30000", "3000 p0 u1>u2 30000", "3000 p0 u2>u0 30000"});
}

TEST_CASE("Credit 49: what is worth less than a credit is charged again, beside the residual") {
  CreditBench bench(1, R"({"ratelimit_us":0})");
  const UnitId unit = bench.start(bench.add());
  // By time alone 0.25 ms cost two credits and a half.
  const std::vector<std::pair<HvTime, std::pair<std::int64_t, std::int64_t>>> charged = {
      {150us, {-1, 500'000}}, {200us, {-2, 500'000}}, {250us, {-3, 0}}};
  for (const auto& [at, expected] : charged) {
    bench.until(at);
    bench.poke(0);
    CHECK(figure(bench, unit, "credit") == expected.first);
    CHECK(figure(bench, unit, "residual") == expected.second);
  }
}

TEST_CASE("Credit 49: what was not charged when the unit was switched out is added at its next turn") {
  CreditBench bench(1);
  const UnitId unit = bench.start(bench.add());
  bench.until(50us);
  bench.block(unit);
  CHECK(figure(bench, unit, "credit") == 0);
  CHECK(figure(bench, unit, "residual") == 500'000);
  bench.until(5ms);
  bench.unblock(unit);
  bench.until(5ms + 50us);
  bench.block(unit);
  CHECK(figure(bench, unit, "credit") == -1);  // 50 us kept, 50 us now, and the residual
  CHECK(figure(bench, unit, "residual") == 500'000);
}

TEST_CASE("Credit 59: the rate limit has no tolerance and ends exactly") {
  CreditBench bench(1);
  const UnitId hog = bench.add();
  const UnitId waker = bench.add();
  bench.run_and_block(waker);
  bench.start(hog);
  bench.log();
  bench.until(999'999ns);
  bench.unblock(waker);
  bench.until(1ms);
  CHECK(bench.log() == Log{"999.999 p0 u0>u0 0.001", "1000 p0 u0>u1 30000"});
}

TEST_CASE("Credit 63: a yield goes round the rate limit, and one of a lower class goes first") {
  CreditBench bench(1);
  const UnitId a = bench.start(bench.add());
  const UnitId exhausted = bench.start(bench.add());
  bench.until(60ms);
  CHECK(figure(bench, exhausted, "priority") == kOver);
  const UnitId late = bench.start(bench.add());
  bench.log();
  bench.until(60'200us);
  bench.event([&] { bench.core().yield(bench.moment(), a); });
  // The queue was: late, exhausted. Unit a is put behind both, so that the next yield lets the exhausted one run.
  bench.event([&] { bench.core().yield(bench.moment(), late); });
  CHECK(bench.log() == Log{"60200 p0 u0>u2 30000", "60200 p0 u2>u1 30000"});
}

// ---- Ticks ----

TEST_CASE("Credit 50 and 52: ticks lie on a grid, and the first that finds a unit running makes it take part") {
  CreditBench bench(1);
  const UnitId unit = bench.add();
  bench.until(13ms);
  bench.start(unit);
  bench.until(20ms - 1ns);
  CHECK(figure(bench, unit, "active") == 0);
  bench.until(20ms);
  CHECK(figure(bench, unit, "active") == 1);
  CHECK(figure(bench, unit, "credit") == -70);
  bench.until(25ms);
  bench.block(unit);
  bench.until(34ms);
  bench.unblock(unit);
  bench.until(40ms - 1ns);
  const std::int64_t before = figure(bench, unit, "credit");
  bench.until(40ms);
  CHECK(figure(bench, unit, "credit") == before - 60);
}

TEST_CASE("Credit 51: the first tick at all is one period after boot, a third of the slice") {
  for (const auto& [parameters, tick] : std::vector<std::pair<std::string_view, HvTime>>{
           {"{}", 10ms}, {R"({"tslice_ms":5})", 1'666us}, {R"({"tslice_ms":3})", 1ms}, {R"({"tslice_ms":2})", 2ms}}) {
    CreditBench bench(1, parameters);
    const UnitId unit = bench.start(bench.add());
    bench.until(tick - 1ns);
    CHECK(figure(bench, unit, "active") == 0);
    bench.until(tick);
    CHECK(figure(bench, unit, "active") == 1);
  }
}

TEST_CASE("Credit 51: a boost ends with the next tick") {
  CreditBench bench(1);
  const UnitId unit = bench.add();
  bench.run_and_block(unit);
  bench.until(12ms);
  bench.unblock(unit);
  CHECK(figure(bench, unit, "priority") == kBoost);
  bench.until(20ms);
  CHECK(figure(bench, unit, "priority") == kUnder);
}

TEST_CASE("Credit 51: a tick moves a unit from a pCPU where others wait to one that idles, without a boost") {
  CreditBench bench(2);
  const UnitId free = bench.start(bench.add(0));
  const UnitId pinned = bench.add_pinned(0);
  bench.start(pinned);
  bench.log();
  bench.until(20ms);  // it takes part since 10 ms
  CHECK(bench.log() == Log{"20000 p0 u0>u1 30000", "20000 p1 idle>u0 30000"});
  CHECK(bench.policy().pcpu_of(free) == pcpu_id(1));
  CHECK(figure(bench, free, "priority") == kUnder);
}

TEST_CASE("Credit 56: running does not change the class, accounting does") {
  CreditBench bench(1);
  const UnitId unit = bench.start(bench.add());
  const UnitId other = bench.start(bench.add());
  bench.until(59ms);
  CHECK(figure(bench, other, "credit") < 0);
  CHECK(figure(bench, other, "priority") == kUnder);
  bench.until(60ms);
  CHECK(figure(bench, other, "priority") == kOver);
  CHECK(figure(bench, unit, "priority") == kUnder);
}

// ---- Accounting and caps ----

TEST_CASE("Credit 53 and 54: a cap of 50 % parks a hog at 60 ms and releases it at 120 ms, without a boost") {
  CreditBench bench(1);
  const UnitId hog = bench.add();
  CHECK(bench.cap(50));
  bench.start(hog);
  // 150 a slice. At 30 ms: -200 charged, +150. At 60 ms: -350 and +150 is below -150. From -300: +150 at 90 and 120 ms.
  bench.until(59ms);
  CHECK(figure(bench, hog, "parked") == 0);
  bench.until(60ms);
  CHECK(figure(bench, hog, "parked") == 1);
  CHECK(bench.core().runstate(hog) == Runstate::offline);
  bench.until(119ms);
  CHECK(figure(bench, hog, "parked") == 1);
  CHECK(figure(bench, hog, "credit") == -150);
  bench.until(120ms);
  CHECK(figure(bench, hog, "priority") == kUnder);
  bench.until(240ms);
  CHECK(bench.log() == Log{"0 p0 idle>u0 30000", "30000 p0 u0>u0 30000", "60000 p0 u0>idle -",
                           "120000 p0 idle>u0 30000", "150000 p0 u0>u0 30000", "180000 p0 u0>idle -",
                           "240000 p0 idle>u0 30000"});
}

TEST_CASE("Credit 54: a parked unit that is also paused runs only when both are over") {
  CreditBench bench(1);
  const UnitId hog = bench.add();
  CHECK(bench.cap(50));
  bench.start(hog);
  bench.until(60ms);
  bench.pause(hog);
  bench.log();
  bench.until(130ms);
  CHECK(figure(bench, hog, "parked") == 0);
  CHECK(bench.log().empty());
  bench.unpause(hog);
  CHECK(bench.log() == Log{"130000 p0 idle>u0 30000"});
}

TEST_CASE("Credit 54: a parked unit waits for credit even if its cap is lifted meanwhile") {
  CreditBench bench(1);
  const UnitId hog = bench.add();
  CHECK(bench.cap(10));
  bench.start(hog);
  bench.until(40ms);
  CHECK(figure(bench, hog, "parked") == 1);
  CHECK(bench.cap(0));
  bench.log();
  bench.until(59ms);
  CHECK(bench.log().empty());
  bench.until(60ms);  // 300 a slice from now on
  CHECK(figure(bench, hog, "parked") == 0);
  CHECK(bench.log() == Log{"60000 p0 idle>u0 30000"});
}

TEST_CASE("Credit 54: a unit with more than a slice's credit takes part no longer and keeps half") {
  CreditBench bench(1);
  const UnitId unit = bench.start(bench.add());
  bench.until(11ms);
  bench.block(unit);
  CHECK(figure(bench, unit, "credit") == -110);
  bench.until(60ms);
  CHECK(figure(bench, unit, "active") == 0);
  CHECK(figure(bench, unit, "credit") == 245);  // (-110 + 300 + 300) / 2
}

TEST_CASE("Credit 53: the numbers of an accounting wrap at 32 bits") {
  CreditBench bench(4, R"({"tslice_ms":1000})");
  const UnitId one = bench.start(bench.add(0));
  const UnitId other = bench.start(bench.add(1));
  CHECK(bench.core().adjust_domain(bench.moment(), bench.domain_id, {65535, std::nullopt, std::nullopt}));
  bench.until(1s - 1ns);
  CHECK(figure(bench, one, "credit") == -10'000);  // ticks at 333.333, 666.666 and 999.999 ms: 3333, 3333 and 3334
  bench.until(1s);
  // 40 000 credits * 65535 * 2 units = 5 242 800 000, which is 947 832 704 in 32 bits; divided by the weight 131 070,
  // upwards, that is 7232: 3616 for each, instead of the 10 000 that one pCPU offers.
  CHECK(figure(bench, one, "credit") == -10'000 + 3'616);
  CHECK(figure(bench, other, "credit") == -10'000 + 3'616);
  CHECK(figure(bench, one, "priority") == kOver);
}

// ---- Parameters at run time ----

TEST_CASE("Credit: a weight set at run time counts from the next accounting") {
  CreditBench bench(1);
  const UnitId a = bench.start(bench.add());
  const DomainId second = bench.domain();
  const UnitId b = bench.start(bench.unit(second));
  const auto paid_at = [&](HvTime at) {
    bench.until(at - 1ns);
    const std::int64_t before_a = figure(bench, a, "credit");
    const std::int64_t before_b = figure(bench, b, "credit");
    bench.until(at);
    return std::pair{figure(bench, a, "credit") - before_a, figure(bench, b, "credit") - before_b};
  };
  using Paid = std::pair<std::int64_t, std::int64_t>;
  // The pass at the end of a slice charges the unit that ran for 100 credits more.
  bench.until(119ms);
  CHECK(bench.running_on(0) == b);
  CHECK(paid_at(120ms) == Paid{150, 50});
  CHECK(bench.core().adjust_domain(bench.moment(), second, {768, std::nullopt, std::nullopt}));
  bench.until(149ms);
  CHECK(bench.running_on(0) == a);
  CHECK(paid_at(150ms) == Paid{75 - 100, 225});
}

TEST_CASE("Credit: weights and caps that Xen refuses change nothing") {
  CreditBench bench(1);
  const auto accepted = [&](std::optional<std::int32_t> weight, std::optional<std::int32_t> cap) {
    return bench.core().adjust_domain(bench.moment(), bench.domain_id, {weight, cap, std::nullopt});
  };
  CHECK_FALSE(accepted(0, std::nullopt));
  CHECK_FALSE(accepted(65536, std::nullopt));
  CHECK_FALSE(accepted(std::nullopt, -1));
  CHECK_FALSE(accepted(300, 65535));
  CHECK(accepted(1, 65534));
  CHECK(accepted(65535, 0));
}

TEST_CASE("Credit: a rate limit set at run time holds from the next pass, and is never longer than the slice") {
  CreditBench bench(1, R"({"tslice_ms":2})");
  CHECK_FALSE(bench.core().adjust_ratelimit(bench.moment(), 99us));
  CHECK_FALSE(bench.core().adjust_ratelimit(bench.moment(), 2001us));
  CHECK(bench.core().adjust_ratelimit(bench.moment(), 2ms));
  CHECK(bench.core().adjust_ratelimit(bench.moment(), 0ms));
  const UnitId waker = bench.add();
  bench.run_and_block(waker);
  bench.start(bench.add());
  bench.log();
  bench.until(500us);
  bench.unblock(waker);
  CHECK(bench.log() == Log{"500 p0 u1>u0 2000"});
}

TEST_CASE("Credit: a slice set at run time holds from the next pass, tick and accounting") {
  std::unique_ptr<Policy> owned = make_credit("{}", 1);
  Policy& policy = *owned;
  PolicyBench bench(std::move(owned), 1);
  const DomainId domain = bench.domain();
  bench.event([&] {
    for (int u = 0; u < 2; ++u) bench.core().come_up(bench.moment(), bench.unit(domain));
  });
  for (const HvTime refused : {HvTime{0}, HvTime{500us}, HvTime{1001ms}, HvTime{1500us}}) {
    CHECK_FALSE(policy.adjust_tslice(bench.context(), refused));
  }
  bench.until(5ms);
  CHECK(policy.adjust_tslice(bench.context(), 6ms));
  bench.poke(0);
  bench.until(17ms);
  CHECK(bench.log() == Log{"0 p0 idle>u0 30000", "5000 p0 u0>u1 6000", "11000 p0 u1>u0 6000", "17000 p0 u0>u1 6000"});
  // The tick that was armed for 10 ms found u1, the ones since then, every 2 ms, found u0.
  CHECK(figure(bench, unit_id(1), "active") == 1);
  CHECK(figure(bench, unit_id(0), "active") == 1);
  bench.until(30ms);  // the accounting that was armed at boot, with 60 credits a slice
  CHECK(figure(bench, unit_id(0), "credit") >= -60);
}

}  // namespace
}  // namespace vecusim::test
