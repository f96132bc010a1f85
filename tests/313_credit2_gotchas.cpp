// The gotchas of the specification of the Xen schedulers, section 7, as Credit2 shows them: who is tickled, who is
// chosen, for how long. Moments and slices in the expected passes are milliseconds.
#include "catch.hpp"
#include "credit2_bench.hpp"

namespace vecusim::test {
namespace {

constexpr std::string_view kNoRatelimit = R"({"ratelimit_us": 0})";

// ---- Of all policies ----

TEST_CASE("Credit2, gotcha 1: a pass for no reason makes a new slice from now") {
  Credit2Bench b(1);
  b.wake(0ms, b.add("A"));
  b.poke_at(3ms, 0);
  b.until(10ms);
  CHECK(b.passes() == Log{"0 p0 A 10", "3 p0 A 7", "10 p0 A 10"});
}

TEST_CASE("Credit2, gotcha 2: a unit that is kept has been running since it was switched in") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.poke_at(900us, 0);
  CHECK(b.core().state()[a].entry_time == 0ms);
  b.wake(1100us, other);  // only 0.2 ms after the last pass
  CHECK(b.passes() == Log{"0 p0 A 10", "0.9 p0 A 9.1", "1.1 p0 B 10"});
}

TEST_CASE("Credit2, gotcha 3: a preempted unit does not shorten the slice of its successor") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(2ms, other);
  CHECK(b.passes().back() == "2 p0 B 10");  // not the 2 ms that it is ahead
  b.poke_at(3ms, 0);
  CHECK(b.passes().back() == "3 p0 B 1");  // now it is queued
}

TEST_CASE("Credit2, gotcha 6: a wake before the pass of a block costs one pass, which keeps the unit") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  b.wake(0ms, a);
  b.until(2ms);
  b.event([&] {
    b.core().block(b.moment(), a);
    b.core().unblock(b.moment(), a);
  });
  CHECK(b.passes() == Log{"0 p0 A 10", "2 p0 A 8"});
  CHECK(b.runqueue_figure(0, "load") == 1);
}

TEST_CASE("Credit2, gotcha 6: a block ends the load at the switch, a pause of a queued unit at once") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(0ms, other);
  CHECK(b.runqueue_figure(0, "load") == 2);
  b.pause(other);
  CHECK(b.runqueue_figure(0, "load") == 1);
  CHECK(b.runqueue_figure(0, "queued") == 0);
  b.core().block(b.moment(), a);
  CHECK(b.runqueue_figure(0, "load") == 1);
  b.event([] {});
  CHECK(b.runqueue_figure(0, "load") == 0);
}

TEST_CASE("Credit2, gotcha 7: an event for a unit that waits or runs changes nothing") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(500us, other);
  b.passes();
  b.wake(2ms, a);
  b.wake(2ms, other);
  CHECK(b.passes().empty());
  CHECK(b.runqueue_figure(0, "load") == 2);
}

TEST_CASE("Credit2, gotcha 9: a pass that tickles its own pCPU is followed by another one at once") {
  Credit2Bench b(1);
  const UnitId capped = b.add("A");
  CHECK(b.set_cap(b.latest_domain(), 5));
  b.add_domain();
  const UnitId hog = b.add("B");
  const UnitId other = b.add("C");
  b.wake(0ms, hog);
  b.wake(9400us, other);
  b.block_at(9500us, other);  // B goes on with 0.6 ms of credit
  b.wake(10460us, capped);
  b.until(10960us);
  CHECK(b.passes().back() == "10.96 p0 A 1");
  // A is parked, but still the current one when the choice of B, in debt, resets all credits: its pCPU is tickled.
  b.until(11960us);
  CHECK(b.passes() == Log{"11.96 p0 B 9.14", "11.96 p0 B 9.14"});
}

TEST_CASE("Credit2, gotcha 10: a domain's replenishment is handled by the first pCPU") {
  Credit2Bench b(3);
  b.add_domain();
  b.add_domain();
  REQUIRE(b.policy().timers().size() == 2);
  for (const TimerInfo& timer : b.policy().timers()) {
    CHECK(timer.name == "replenishment");
    CHECK(timer.pcpu == pcpu_id(0));
  }
}

TEST_CASE("Credit2, gotcha 11: any change of affinity takes the unit off its pCPU and places it anew") {
  Credit2Bench b(2);
  const UnitId a = b.add("A");
  b.wake(0ms, a);
  b.until(2ms);
  b.set_hard_affinity(a, PcpuMask::first_n(2));  // as before
  b.set_soft_affinity(a, PcpuMask::first_n(2));
  CHECK(b.passes() == Log{"0 p0 A 10", "2 p0 -", "2 p1 A 8", "2 p1 -", "2 p0 A 8"});
}

// ---- Tickling ----

TEST_CASE("Credit2, gotcha 12: a wake early in the stint neither tickles nor shortens the running slice") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(100us, other);
  CHECK(b.passes() == Log{"0 p0 A 10"});
  b.until(10ms - 1ns);
  CHECK(b.passes().empty());
  b.until(10ms);
  CHECK(b.passes() == Log{"10 p0 B 10"});
}

TEST_CASE("Credit2, gotcha 13: a wake in the last 50 us tickles in vain, and the new slice is 500 us") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(990us, other);
  b.until(1490us);
  CHECK(b.passes() == Log{"0 p0 A 10", "0.99 p0 A 0.5", "1.49 p0 B 10"});
}

TEST_CASE("Credit2, gotcha 14: at exactly the rate limit the unit can be replaced") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(1ms, other);
  CHECK(b.passes() == Log{"0 p0 A 10", "1 p0 B 10"});
}

TEST_CASE(
    "Credit2, gotcha 14: at exactly 50 us before the rate limit nobody is tickled, a nanosecond later somebody is") {
  for (const HvTime at : {HvTime{950us}, HvTime{950001ns}}) {
    Credit2Bench b(1);
    const UnitId a = b.add("A");
    const UnitId other = b.add("B");
    b.wake(0ms, a);
    b.wake(at, other);
    CHECK(b.passes().size() == (at == 950us ? 1 : 2));
  }
}

TEST_CASE("Credit2, gotcha 15: equal credit keeps the running unit") {
  Credit2Bench b(1, kNoRatelimit);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake_together(0ms, {a, other});
  b.poke(0);
  CHECK(b.passes() == Log{"0 p0 A 0.5", "0 p0 A 0.5"});
  b.poke_at(1ns, 0);
  CHECK(b.passes() == Log{"0.000001 p0 B 10"});
}

TEST_CASE("Credit2, gotcha 15: a unit of another pCPU is taken when it is ahead by exactly the resistance") {
  for (const HvTime at : {HvTime{500us} - 1ns, HvTime{500us}}) {
    Credit2Bench b(2, kNoRatelimit);
    const UnitId hog0 = b.add("H0", 0, {pcpu_id(0)});
    const UnitId hog1 = b.add("H1", 1, {pcpu_id(1)});
    const UnitId waits = b.add("A", 1);
    b.wake(0ms, hog0);
    b.wake(0ms, hog1);
    b.wake(0ms, waits);
    b.passes();
    b.poke_at(at, 0);
    CHECK(b.passes().back() == (at == 500us ? "0.5 p0 A 10 moved" : "0.499999 p0 H0 0.5"));
  }
}

/// H0 runs on pCPU 0 since 0, H1 on pCPU 1 since `started`, when A with home 1 wakes `later`.
Log wake_beside_two(HvTime started, HvTime later) {
  Credit2Bench b(2, kNoRatelimit);
  const UnitId hog0 = b.add("H0", 0, {pcpu_id(0)});
  const UnitId hog1 = b.add("H1", 1, {pcpu_id(1)});
  const UnitId a = b.add("A", 1);
  b.wake(0ms, hog0);
  b.wake(started, hog1);
  b.passes();
  b.wake(started + later, a);
  return b.passes();
}

TEST_CASE("Credit2, gotcha 16: another pCPU is tickled for more than the resistance, the own one for anything") {
  CHECK(wake_beside_two(500us, 0us).empty());
  CHECK(wake_beside_two(500us + 1ns, 0us) == Log{"0.500001 p0 A 10 moved"});
  CHECK(wake_beside_two(100us, 1ns) == Log{"0.100001 p1 A 10"});
}

TEST_CASE("Credit2, gotcha 17: the own pCPU is taken although another one runs something with less credit") {
  CHECK(wake_beside_two(2ms, 1ms) == Log{"3 p1 A 10"});
}

TEST_CASE("Credit2, gotcha 17: the own pCPU is not taken at once if the unit does not like it") {
  Credit2Bench b(2, kNoRatelimit);
  const UnitId hog0 = b.add("H0", 0, {pcpu_id(0)});
  const UnitId hog1 = b.add("H1", 1, {pcpu_id(1)});
  const UnitId a = b.add("A");
  b.set_soft_affinity(a, {pcpu_id(0)});
  b.wake(0ms, hog0);
  b.wake(0ms, a);  // pCPU 0 is busy: it goes to pCPU 1
  REQUIRE(b.home(a) == 1);
  b.block_at(100us, a);
  b.wake(2ms, hog1);
  b.passes();
  b.wake(3ms, a);
  CHECK(b.passes().front().starts_with("3 p0 A"));
}

TEST_CASE("Credit2, gotcha 18: examining a pCPU burns its unit's credit, whoever is tickled") {
  Credit2Bench b(2, kNoRatelimit);
  const UnitId hog0 = b.add("H0", 0, {pcpu_id(0)});
  const UnitId hog1 = b.add("H1", 1, {pcpu_id(1)});
  const UnitId a = b.add("A", 1);
  b.wake(0ms, hog0);
  b.wake(400us, hog1);
  CHECK(b.credit(hog0) == credits(10ms));
  b.wake(400us, a);
  CHECK(b.passes() == Log{"0 p0 H0 10", "0.4 p1 H1 10"});
  CHECK(b.credit(hog0) == credits(9600us));
}

TEST_CASE("Credit2, gotcha 19: of idle pCPUs the own one comes first, then those above it, cyclically") {
  Credit2Bench b(4);
  for (const int busy : {2, 3, 0}) b.add("H" + std::to_string(busy), busy, {pcpu_id(busy)});
  const std::vector<UnitId> hogs = {unit_id(0), unit_id(1), unit_id(2)};
  const UnitId a = b.add("A", 2);
  b.wake(0ms, a);
  CHECK(b.passes() == Log{"0 p2 A 10"});
  b.block(a);
  b.wake(0ms, hogs[0]);
  b.passes();
  b.wake(0ms, a);
  CHECK(b.passes() == Log{"0 p3 A 10 moved"});
}

TEST_CASE("Credit2, gotcha 19: of idle pCPUs the lowest one follows the highest") {
  Credit2Bench b(4);
  for (const int busy : {2, 3}) b.wake(0ms, b.add("H" + std::to_string(busy), busy, {pcpu_id(busy)}));
  b.passes();
  b.wake(0ms, b.add("A", 2));
  CHECK(b.passes() == Log{"0 p0 A 10 moved"});
}

TEST_CASE("Credit2, gotcha 19: of busy pCPUs the best one counts, the lowest on equality") {
  for (const bool equal : {true, false}) {
    Credit2Bench b(3, kNoRatelimit);
    std::vector<UnitId> hogs;
    for (int p = 0; p < 3; ++p) hogs.push_back(b.add("H" + std::to_string(p), p, {pcpu_id(p)}));
    const UnitId a = b.add("A", 2);
    if (equal) {
      b.wake_together(0ms, {hogs[0], hogs[1]});
    } else {
      b.wake(0ms, hogs[1]);
      b.wake(1us, hogs[0]);
    }
    b.wake(1ms, hogs[2]);
    b.passes();
    b.wake(1ms, a);
    CHECK(b.passes() == Log{equal ? "1 p0 A 10 moved" : "1 p1 A 10 moved"});
  }
}

TEST_CASE(
    "Credit2, gotcha 20: a tickled idle pCPU is no target until its pass, and its unit is left to it until then") {
  Credit2Bench b(3);
  const UnitId first = b.add("A", 1);
  const UnitId second = b.add("B", 1);
  const UnitId third = b.add("C", 1);
  b.wake_together(0ms, {first, second, third});
  // A tickles 1, B 2 and C 0, which passes first: A and B are left to their pCPUs though they are ahead in the queue.
  CHECK(b.passes() == Log{"0 p0 C 1 moved", "0 p1 A 1", "0 p2 B 10 moved"});
}

TEST_CASE("Credit2, gotcha 21: a unit whose pCPU took another one may be taken by any pCPU") {
  Credit2Bench b(2);
  const UnitId hog = b.add("H", 0, {pcpu_id(0)});
  const UnitId a = b.add("A", 1);
  const UnitId pinned = b.add("B", 1, {pcpu_id(1)});
  b.wake(0ms, a);
  b.block_at(2ms, a);
  b.wake(3ms, hog);
  b.until(5ms);
  b.passes();
  b.event([&] {
    b.core().unblock(b.moment(), a);       // tickles pCPU 1
    b.core().come_up(b.moment(), pinned);  // finds it tickled already
  });
  CHECK(b.passes() == Log{"5 p1 B 2"});
  b.block_at(6ms, hog);
  CHECK(b.passes() == Log{"6 p0 A 8.05 moved"});
}

// ---- Slices ----

TEST_CASE("Credit2, gotcha 22: the head of the queue limits the slice wherever it may run") {
  for (const bool waiting : {true, false}) {
    Credit2Bench b(2);
    const UnitId first = b.add("A", 1, {pcpu_id(1)});
    const UnitId second = b.add("B", 1, {pcpu_id(1)});
    const UnitId other = b.add("C", 0, {pcpu_id(0)});
    b.wake(0ms, first);
    if (waiting) b.wake(0ms, second);
    b.passes();
    b.wake(2ms, other);
    CHECK(b.passes() == Log{waiting ? "2 p0 C 1" : "2 p0 C 10"});
  }
}

TEST_CASE("Credit2, gotcha 22: two hogs get slices of about 10 ms, from Xen 4.21 on of about 1 ms") {
  const auto slices = [](std::string_view version) {
    Credit2Bench b(1, "{}", version);
    b.wake_together(0ms, {b.add("A"), b.add("B")});
    b.until(4ms);
    return b.passes();
  };
  CHECK(slices("4.14.6") == Log{"0 p0 A 1", "1 p0 B 10"});
  CHECK(slices("4.21.0") == Log{"0 p0 A 1", "1 p0 B 1", "2 p0 B 0.5", "2.5 p0 A 1", "3.5 p0 B 1"});
}

TEST_CASE("Credit2, gotcha 23: the rate limit as shortest slice beats the longest slice") {
  Credit2Bench b(1, R"({"ratelimit_us": 30000})");
  b.wake(0ms, b.add("A"));
  b.until(30ms);
  CHECK(b.passes() == Log{"0 p0 A 30", "30 p0 A 10"});
}

TEST_CASE("Credit2, gotcha 23: the shortest slice beats the budget, which is overdrawn") {
  Credit2Bench b(1, R"({"ratelimit_us": 2000})");
  const UnitId a = b.add("A");
  CHECK(b.set_cap(b.latest_domain(), 5));
  b.wake(0ms, a);
  b.until(2ms);
  // 1.5 ms too much: three periods are skipped, and the fourth brings the budget above 0.
  b.until(40ms);
  CHECK(b.passes() == Log{"0 p0 A 2", "2 p0 -", "40 p0 A 2"});
}

TEST_CASE("Credit2, gotcha 24: what is left of the rate limit is the floor for a unit that is kept only") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(0ms, other);
  b.poke_at(200us, 0);
  b.until(1ms);
  CHECK(b.passes() == Log{"0 p0 A 10", "0.2 p0 A 0.8", "1 p0 B 10"});
}

// ---- Resets ----

TEST_CASE("Credit2, gotcha 25: credits are reset before a moved unit is compensated") {
  Credit2Bench b(2, R"({"ratelimit_us": 2000})");
  const UnitId a = b.add("A", 0);
  const UnitId hog = b.add("H", 0, {pcpu_id(0)});
  b.wake(0ms, a);
  b.block_at(9020us, a);
  b.wake(9020us, a);       // 0.98 ms of credit, but at least 2 ms of slice
  b.block_at(10040us, a);  // 1.02 ms later
  CHECK(b.credit(a) == credits(-40us));
  b.wake(10040us, hog);
  b.passes();
  b.wake(10040us, a);
  CHECK(b.passes() == Log{"10.04 p1 A 10 moved"});
  CHECK(b.credit(a) == credits(-40us + 10ms + 50us));
}

TEST_CASE("Credit2, gotcha 25: the credit of the head of the queue is enough against a reset, 0 is not") {
  Credit2Bench b(1, kNoRatelimit);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(1ms, other);
  b.until(19ms - 1ns);
  b.passes();
  CHECK(b.credit(a) == credits(9ms));
  b.until(20ms);
  // At 11 ms B has none left and A 9 ms; at 20 ms A has none either.
  CHECK(b.passes() == Log{"20 p0 A 0.5"});
  CHECK(b.credit(a) == credits(10ms));
  CHECK(b.credit(other) == credits(10ms));
}

TEST_CASE("Credit2, gotcha 26: a reset also credits units that block, and clips") {
  Credit2Bench b(1);
  const UnitId hog = b.add("H");
  const UnitId sleeper = b.add("S");
  b.wake(0ms, sleeper);
  b.block_at(2ms, sleeper);
  b.wake(2ms, hog);
  b.until(12ms);
  CHECK(b.credit(hog) == credits(10ms));
  CHECK(b.credit(sleeper) == credits(10500us));
}

TEST_CASE("Credit2, gotcha 27: a reset is doubled if the chosen unit has exactly the least credit") {
  for (const bool least : {true, false}) {
    Credit2Bench b(1);
    CHECK(b.set_weight(b.add_domain(), least ? 65520 : 65519));
    const UnitId blocked = b.add("heavy");
    CHECK(b.set_weight(b.add_domain(), 3276));
    const UnitId a = b.add("A");
    b.wake(0ms, a);
    b.until(1ms);  // which costs 20 ms of credit, or 306 ns less
    CHECK(b.credit(a) == (least ? credits(10ms) : 306));
    CHECK(b.credit(blocked) == credits(10500us));
  }
}

TEST_CASE("Credit2, gotcha 28: an idle heavy unit makes the others burn faster") {
  Credit2Bench b(1);
  CHECK(b.set_weight(b.add_domain(), 512));
  b.add("heavy");
  b.add_domain();
  const UnitId a = b.add("A");
  b.wake(0ms, a);
  b.until(10ms);
  CHECK(b.passes() == Log{"0 p0 A 5", "5 p0 A 5", "10 p0 A 5"});
  CHECK(b.runqueue_figure(0, "max_weight") == 512);
}

TEST_CASE("Credit2, gotcha 29: a unit with very little credit is refused by an idle pCPU other than its own") {
  for (const std::int32_t weight : {19500, 19501}) {
    Credit2Bench b(2);
    CHECK(b.set_weight(b.add_domain(), weight));
    const UnitId hog = b.add("H", 0, {pcpu_id(0)});
    CHECK(b.set_weight(b.add_domain(), 1000));
    const UnitId poor = b.add("A", 0);
    b.wake(0ms, poor);
    b.wake(500us, hog);
    b.until(1ms);
    const bool taken = weight == 19500;
    CHECK((b.running_on(1) == poor) == taken);
    CHECK(b.credit(poor) == (taken ? credits(-9500us + 10ms + 50us) : credits(-9501us)));
  }
}

// ---- Yield ----

TEST_CASE("Credit2, gotcha 30: yielding passes over credits and the rate limit") {
  Credit2Bench b(1);
  const UnitId rich = b.add("A");
  const UnitId poor = b.add("B");
  b.wake(0ms, poor);
  b.wake(5ms, rich);
  b.yield_at(5100us, rich);
  CHECK(b.passes() == Log{"0 p0 B 10", "5 p0 A 10", "5.1 p0 B 5"});
}

TEST_CASE("Credit2, gotcha 30: yielding does not pass over the resistance") {
  Credit2Bench b(2, kNoRatelimit);
  const UnitId hog0 = b.add("H0", 0, {pcpu_id(0)});
  const UnitId hog1 = b.add("H1", 1, {pcpu_id(1)});
  const UnitId waits = b.add("A", 1);
  for (const UnitId unit : {hog0, hog1, waits}) b.wake(0ms, unit);
  b.passes();
  b.yield_at(100us, hog0);
  CHECK(b.passes() == Log{"0.1 p0 H0 0.5"});
  b.yield_at(500us, hog0);
  CHECK(b.passes() == Log{"0.5 p0 A 10 moved"});
}

TEST_CASE("Credit2, gotcha 30: with nobody waiting the yielding unit goes on, and has yielded once") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.yield_at(100us, a);
  b.wake(200us, other);
  b.poke_at(300us, 0);
  CHECK(b.passes() == Log{"0 p0 A 10", "0.1 p0 A 9.9", "0.3 p0 A 0.7"});
}

// ---- Placement ----

TEST_CASE("Credit2, gotcha 31: moving to another runqueue moves on its bias twice") {
  Credit2Bench b(placed_machine({0, 0, 1, 1, 1}, {0, 0, 0, 0, 0}, false), "{}");
  const UnitId a = b.add("A");
  const int start = b.home(a);  // the other runqueue, as its own cannot be read at insertion
  REQUIRE(start == 3);
  b.set_hard_affinity(a, {pcpu_id(0), pcpu_id(1)});
  CHECK(b.home(a) == 0);  // picked 1, then moved on to 0
  b.set_hard_affinity(a, {pcpu_id(2), pcpu_id(3), pcpu_id(4)});
  CHECK(b.home(a) == 2);  // picked 4, then moved on to 2
  CHECK(b.runqueue_figure(1, "bias") == 2);
}

TEST_CASE("Credit2, gotcha 31: where the load can be read the first vCPUs do not start on pCPU 0") {
  Credit2Bench b(4);
  for (const int pcpu : {1, 2, 3, 0}) CHECK(b.home(b.add_unlocked("A")) == pcpu);
  Credit2Bench product(4);
  for (const int pcpu : {0, 1, 2, 3}) CHECK(product.home(product.add("A", pcpu)) == pcpu);
}

TEST_CASE("Credit2, gotcha 32: an idle pCPU with a runqueue of its own never pulls") {
  Credit2Bench b(2, R"({"runqueue": "cpu", "balance_over": 9, "balance_under": 9})");
  std::vector<UnitId> units;
  for (int u = 0; u < 4; ++u) units.push_back(b.add_unlocked("u" + std::to_string(u)));
  b.wake_together(0ms, {units[0], units[2]});
  b.until(1s);
  b.poke_at(1s, 1);
  CHECK(b.running_on(1) == kIdle);
  CHECK(b.ran(units[0]) + b.ran(units[2]) == 1s);
}

TEST_CASE("Credit2, gotcha 32: the last parked is released first, and tickles first") {
  Credit2Bench b(2);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  CHECK(b.set_cap(b.latest_domain(), 20));
  b.add_domain();
  const UnitId hog = b.add("H", 1, {pcpu_id(1)});
  b.wake(0ms, hog);
  b.wake(0ms, a);
  b.wake(100us, other);
  b.block_at(5ms, hog);
  // A takes both milliseconds, so that B is parked at 1 and A at 2 ms.
  CHECK(b.passes() == Log{"0 p1 H 10", "0 p0 A 1", "1 p0 A 1", "2 p0 -", "5 p1 -"});
  b.until(10ms);
  CHECK(b.passes() == Log{"10 p0 A 1", "10 p1 B 1 moved"});
}

}  // namespace
}  // namespace vecusim::test
