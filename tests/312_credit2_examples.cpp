// Credit2's worked examples (specification of the Xen schedulers, section 8): E1 to E9 and E17. Moments and slices in
// the expected passes are milliseconds.
#include "catch.hpp"
#include "credit2_bench.hpp"

namespace vecusim::test {
namespace {

TEST_CASE("Credit2 E1a: a waker inside the hog's rate limit waits for the end of its slice") {
  Credit2Bench b(1);
  const UnitId hog = b.add("H");
  const UnitId waker = b.add("W");
  b.wake(0ms, hog);
  b.wake(500us, waker);
  b.until(10ms);
  CHECK(b.passes() == Log{"0 p0 H 10", "10 p0 W 10"});
}

TEST_CASE("Credit2 E1b: a waker just before the end of the rate limit waits for the shortest slice") {
  Credit2Bench b(1);
  const UnitId hog = b.add("H");
  const UnitId waker = b.add("W");
  b.wake(0ms, hog);
  b.wake(960us, waker);
  b.until(12ms);
  CHECK(b.passes() == Log{"0 p0 H 10", "0.96 p0 H 0.5", "1.46 p0 W 10", "11.46 p0 H 8.54"});
}

TEST_CASE("Credit2 E1c: a waker after the rate limit runs at once") {
  Credit2Bench b(1);
  const UnitId hog = b.add("H");
  const UnitId waker = b.add("W");
  b.wake(0ms, hog);
  b.wake(2ms, waker);
  b.until(12ms);
  CHECK(b.passes() == Log{"0 p0 H 10", "2 p0 W 10", "12 p0 H 8"});
}

TEST_CASE("Credit2 E2: a second wake inside the hog's fresh window waits until the hog's credit is used up") {
  Credit2Bench b(1);
  const UnitId hog = b.add("H");
  const UnitId waker = b.add("W");
  b.wake(0ms, hog);
  b.wake(2ms, waker);
  b.block_at(2100us, waker);
  b.wake(2600us, waker);
  b.until(11ms);
  CHECK(b.passes() == Log{"0 p0 H 10", "2 p0 W 10", "2.1 p0 H 8", "10.1 p0 W 9.9"});
}

TEST_CASE("Credit2 E2: a periodic waker is served at once every time, and resets clip its credit") {
  Credit2Bench b(1);
  const UnitId hog = b.add("H");
  const UnitId waker = b.add("W");
  b.wake(0ms, hog);
  for (const HvTime at : {2ms, 7ms, 12ms, 17ms, 22ms}) {
    b.until(at);
    b.passes();
    b.wake(at, waker);
    CHECK(b.passes().front().starts_with(Credit2Bench::ms(at) + " p0 W"));
    b.block_at(at + 100us, waker);
    if (at == 7ms) {
      CHECK(b.credit(waker) == credits(9800us));
      b.until(10200us);
      CHECK(b.passes().back() == "10.2 p0 H 10");
      CHECK(b.credit(hog) == credits(10ms));
      CHECK(b.credit(waker) == credits(10500us));
    }
    if (at == 17ms) {
      b.until(20399999ns);
      CHECK(b.credit(waker) == credits(10300us));
      b.until(20400us);
      CHECK(b.passes().back() == "20.4 p0 H 10");
      CHECK(b.credit(waker) == credits(10500us));
    }
  }
}

TEST_CASE("Credit2 E3: two wakers get the idle pCPUs after their own, and the queue minds who was tickled where") {
  Credit2Bench b(4);
  const UnitId hog0 = b.add("H0", 0, {pcpu_id(0)});
  const UnitId hog2 = b.add("H2", 2, {pcpu_id(2)});
  const UnitId v = b.add("V", 2);
  const UnitId u = b.add("U", 2);
  b.wake(0ms, hog0);
  b.wake(0ms, hog2);
  b.until(3ms - 1ns);
  b.passes();
  b.wake_together(3ms, {v, u});
  b.until(4ms);
  CHECK(b.passes() == Log{"3 p1 U 1 moved", "3 p3 V 10 moved", "4 p1 U 9.05"});
  CHECK(b.credit(v) == credits(10050us));
  CHECK(b.credit(u) == credits(9050us));
}

TEST_CASE("Credit2 E4: weights 512 and 256 share one pCPU two to one") {
  Credit2Bench b(1);
  CHECK(b.set_weight(b.add_domain(), 512));
  const UnitId heavy = b.add("A");
  b.add_domain();
  const UnitId light = b.add("B");
  b.wake_together(0ms, {heavy, light});
  b.until(30ms);
  CHECK(b.passes() ==
        Log{"0 p0 A 1", "1 p0 B 5", "6 p0 A 9", "15 p0 A 0.5", "15.5 p0 B 5", "20.5 p0 A 9.5", "30 p0 A 0.5"});
  CHECK(b.ran(heavy) == 20ms);
  CHECK(b.ran(light) == 10ms);
}

TEST_CASE("Credit2 E4 from Xen 4.21 on: slices mind the unit that is preempted") {
  for (const std::string_view version : {"4.19.3", "4.20.2", "4.21.0", "4.22"}) {
    Credit2Bench b(1, "{}", version);
    CHECK(b.set_weight(b.add_domain(), 512));
    const UnitId heavy = b.add("A");
    b.add_domain();
    const UnitId light = b.add("B");
    b.wake_together(0ms, {heavy, light});
    b.until(7500us);
    CHECK(b.passes() == Log{"0 p0 A 1", "1 p0 B 1", "2 p0 A 1", "3 p0 A 0.5", "3.5 p0 B 1", "4.5 p0 A 1.5",
                            "6 p0 A 0.5", "6.5 p0 B 1", "7.5 p0 A 1.5"});
  }
}

TEST_CASE("Credit2 E5: a cap of 25 % lets one vCPU run 2.5 ms in every period") {
  Credit2Bench b(1);
  const UnitId unit = b.add("A");
  CHECK(b.set_cap(b.latest_domain(), 25));
  b.wake(1ms, unit);
  b.until(40ms - 1ns);
  CHECK(b.passes() == Log{"1 p0 A 2.5", "3.5 p0 -", "10 p0 A 2.5", "12.5 p0 -", "20 p0 A 2.5", "22.5 p0 -",
                          "30 p0 A 2.5", "32.5 p0 -"});
  CHECK(b.credit(unit) == 0);
  b.until(42500us);
  CHECK(b.passes() == Log{"40 p0 A 2.5", "42.5 p0 -"});
  CHECK(b.credit(unit) == credits(7500us));
}

TEST_CASE("Credit2 E6: a cap below the shortest slice is kept by skipping periods") {
  Credit2Bench b(1);
  const UnitId unit = b.add("A");
  CHECK(b.set_cap(b.latest_domain(), 5));
  b.wake(0ms, unit);
  b.until(1ms - 1ns);
  CHECK(b.figure(unit, "budget") == credits(500us));
  b.until(41ms);
  CHECK(b.passes() == Log{"0 p0 A 1", "1 p0 -", "20 p0 A 1", "21 p0 -", "40 p0 A 1", "41 p0 -"});
}

TEST_CASE("Credit2 E7: what is left of a division is kept for the next burning") {
  Credit2Bench b(1);
  CHECK(b.set_weight(b.add_domain(), 1000));
  b.add("other");
  CHECK(b.set_weight(b.add_domain(), 300));
  const UnitId unit = b.add("B");
  b.wake(0ms, unit);
  b.poke_at(1000001ns, 0);
  CHECK(b.credit(unit) == 6'666'664);
  CHECK(b.figure(unit, "residual") == 200);
  b.poke_at(2000003ns, 0);
  CHECK(b.credit(unit) == 3'333'324);
  CHECK(b.figure(unit, "residual") == 200);
  CHECK(b.passes() == Log{"0 p0 B 3", "1.000001 p0 B 1.999999", "2.000003 p0 B 0.999997"});
}

TEST_CASE("Credit2 E8: equality with the resistance moves a unit, which then is compensated") {
  Credit2Bench b(2);
  const UnitId a = b.add("A", 1);
  const UnitId hog = b.add("B", 0);
  const UnitId c = b.add("C", 1);
  b.wake(0ms, a);
  b.wake(0ms, hog);
  b.wake(1500us, c);
  b.until(28600us);
  CHECK(b.passes() == Log{"0 p1 A 10", "0 p0 B 10", "1.5 p1 C 10", "10 p0 A 8.55 moved", "11.5 p1 C 0.5",
                          "12 p1 B 10 moved", "18.55 p0 C 9.55 moved", "22 p1 A 3.5 moved", "25.5 p1 B 1",
                          "26.5 p1 A 10", "28.1 p0 C 0.5", "28.6 p0 B 9.1 moved"});
  CHECK(b.credit(hog) == credits(9100us));
}

TEST_CASE("Credit2 E9: balancing between runqueues waits until the averages differ by an eighth, and swaps") {
  Credit2Bench b(2, R"({"runqueue": "cpu"})");
  std::vector<UnitId> units;
  for (const char* const name : {"u0", "u1", "u2", "u3"}) units.push_back(b.add_unlocked(name));
  for (int u = 0; u < 4; ++u) CHECK(b.home(units[static_cast<std::size_t>(u)]) == u % 2);
  b.wake_together(0ms, {units[0], units[2]});

  const auto balanced = [&](std::size_t runqueue) { return b.runqueue_figure(runqueue, "balanced_average"); };
  b.until(20ms);
  CHECK(balanced(0) == 267027);
  CHECK(balanced(1) == 257262);
  CHECK(b.figure(units[0], "load_average") == 133513);
  b.until(40ms);
  CHECK(balanced(0) == 271819);
  CHECK(balanced(1) == 252471);
  b.until(60ms);
  CHECK(balanced(0) == 276522);
  CHECK(balanced(1) == 247769);
  b.until(80ms - 1ns);
  b.passes();
  CHECK(b.running_on(1) == kIdle);
  b.until(80ms);
  CHECK(b.passes() == Log{"80 p0 u0 0.5", "80 p0 u2 10", "80 p1 u0 10"});
  CHECK(b.figure(units[0], "load_average") == 140568);
  CHECK(b.home(units[1]) == 0);
  CHECK(b.figure(units[1], "runqueue") == 0);
  CHECK(b.figure(units[1], "load_average") == 121307);
}

TEST_CASE("Credit2 E17a: yielding lets the other one run inside the rate limit") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(100us, other);
  b.yield_at(200us, a);
  CHECK(b.passes() == Log{"0 p0 A 10", "0.2 p0 B 10"});
  CHECK(b.credit(a) == credits(9800us));
}

TEST_CASE("Credit2 E17b: an idle pCPU refuses a unit of another one with very little credit") {
  Credit2Bench b(2);
  CHECK(b.set_weight(b.add_domain(), 19800));
  const UnitId hog = b.add("H", 0, {pcpu_id(0)});
  CHECK(b.set_weight(b.add_domain(), 1000));
  const UnitId poor = b.add("A", 0);
  b.wake(0ms, poor);
  b.wake(500us, hog);
  b.until(1ms);
  CHECK(b.credit(poor) == credits(-9800us));
  CHECK(b.passes() == Log{"0 p0 A 1", "1 p0 H 10", "1 p1 -"});
  CHECK(b.running_on(1) == kIdle);
}

TEST_CASE("Credit2 E17c: a paused unit leaves at once, and comes back with the rest of its credit") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  b.wake(0ms, a);
  b.until(300us);
  b.pause(a);
  CHECK(b.credit(a) == credits(9700us));
  b.until(400us);
  b.unpause(a);
  CHECK(b.passes() == Log{"0 p0 A 10", "0.3 p0 -", "0.4 p0 A 9.7"});
}

TEST_CASE("Credit2 E17d: soft affinity is tried before the unit's own idle pCPU") {
  Credit2Bench b(4);
  const UnitId hog2 = b.add("H2", 2, {pcpu_id(2)});
  const UnitId hog3 = b.add("H3", 3, {pcpu_id(3)});
  const UnitId a = b.add("A");
  b.set_soft_affinity(a, {pcpu_id(2), pcpu_id(3)});
  b.wake(0ms, hog2);
  b.wake(0ms, hog3);
  b.wake(100us, a);  // those it likes are busy
  CHECK(b.home(a) == 0);
  for (const UnitId unit : {a, hog2, hog3}) b.block_at(200us, unit);
  b.passes();
  b.wake(300us, a);
  CHECK(b.passes() == Log{"0.3 p2 A 10 moved"});
}

}  // namespace
}  // namespace vecusim::test
