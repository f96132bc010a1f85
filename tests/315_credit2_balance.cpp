// Credit2's placement and balancing between runqueues: which difference counts, what is moved, and how (golden trace
// format, points 15 to 21).
#include "catch.hpp"
#include "credit2_bench.hpp"

namespace vecusim::test {
namespace {

constexpr std::int64_t kOneUnit = std::int64_t{1} << 18;

MachineDescription sockets(const std::vector<int>& of_pcpus) {
  return placed_machine(of_pcpus, std::vector<int>(of_pcpus.size()), false);
}

std::int64_t balanced(const Credit2Bench& b, std::size_t runqueue) {
  return b.runqueue_figure(runqueue, "balanced_average");
}

int runqueue_of(const Credit2Bench& b, UnitId unit) { return static_cast<int>(b.figure(unit, "runqueue")); }

// ---- Placement ----

TEST_CASE("Credit2: at creation the runqueue of the initial pCPU is avoided while there is another") {
  Credit2Bench b(sockets({0, 0, 1, 1, 2}), "{}");
  const UnitId a = b.add("A", 0);
  CHECK(b.home(a) == 3);  // after the bias of the first other one
  CHECK(b.home(b.add("B", 2)) == 1);
  CHECK(b.home(b.add("C", 0)) == 4);
  CHECK(b.home(b.add("D", 4)) == 0);
  CHECK(balanced(b, 0) == kOneUnit);
  CHECK(balanced(b, 1) == kOneUnit / 2);
}

TEST_CASE("Credit2: later the least loaded runqueue is taken, without the unit's own share in it") {
  Credit2Bench b(sockets({0, 1}), "{}");
  const UnitId a = b.add("A", 0);
  const UnitId other = b.add("B", 0);
  CHECK(runqueue_of(b, a) == 1);
  CHECK(runqueue_of(b, other) == 1);
  b.set_hard_affinity(a, PcpuMask::first_n(2));  // 0 there, one half here
  CHECK(runqueue_of(b, a) == 0);
  b.set_hard_affinity(other, PcpuMask::first_n(2));  // one half there, 0 here
  CHECK(runqueue_of(b, other) == 1);
  CHECK(balanced(b, 0) == kOneUnit / 2);
  CHECK(balanced(b, 1) == kOneUnit / 2);
}

TEST_CASE("Credit2: a place for soft affinity moves the bias of the least loaded runqueue of all, not of its own") {
  Credit2Bench b(sockets({0, 0, 1, 1}), "{}");
  const UnitId a = b.add("A", 0);
  REQUIRE(b.home(a) == 3);
  b.add("B", 2);
  b.add("C", 2);
  REQUIRE(b.runqueue_figure(0, "bias") == 0);
  REQUIRE(b.runqueue_figure(1, "bias") == 3);
  b.set_soft_affinity(a, {pcpu_id(0), pcpu_id(1)});
  CHECK(b.runqueue_figure(1, "bias") == 0);  // a pCPU that is not even its own
  CHECK(b.runqueue_figure(0, "bias") == 1);  // moved on by the move
  CHECK(b.home(a) == 1);
}

// ---- When runqueues are balanced ----

/// Two hogs share runqueue 0, which has one pCPU; the others have a blocked unit each. The first moment, in steps of
/// 10 ms, at which a unit has left.
HvTime first_move(const std::vector<int>& of_pcpus, HvTime until) {
  Credit2Bench b(sockets(of_pcpus), "{}");
  std::vector<UnitId> units;
  for (int u = 0; u < 4; ++u) units.push_back(b.add_unlocked("u" + std::to_string(u)));
  REQUIRE(runqueue_of(b, units[0]) == 0);
  REQUIRE(runqueue_of(b, units[3]) == 0);
  b.wake_together(0ms, {units[0], units[3]});
  for (HvTime at = 10ms; at <= until; at += 10ms) {
    b.until(at);
    if (runqueue_of(b, units[0]) != 0 || runqueue_of(b, units[3]) != 0) return at;
  }
  return HvTime::max();
}

TEST_CASE("Credit2: whether the machine is overloaded is judged by the pCPUs of this and of the last runqueue") {
  // The first other runqueue is the one that a unit may go to; the last one decides how much it takes. With one pCPU in
  // it and here, a load above 1.0 is an overload, and an eighth of a unit is enough.
  CHECK(first_move({0, 1, 1, 2}, 1s) == 20ms);
  // With two pCPUs in it a load below 2.0 is none, and it takes a whole unit: 2 - 1.5 exp(-t / 1.074 s) >= 1.
  const HvTime later = first_move({0, 1, 2, 2}, 1s);
  CHECK(later >= 430ms);
  CHECK(later <= 450ms);
}

TEST_CASE("Credit2: the last runqueue may be the own one") {
  Credit2Bench b(sockets({0, 0, 1}), "{}");
  const UnitId a = b.add("A", 0);
  const UnitId other = b.add("B", 0);
  b.add_unlocked("C");
  REQUIRE(runqueue_of(b, a) == 1);
  REQUIRE(runqueue_of(b, other) == 1);
  b.wake_together(0ms, {a, other});
  b.until(20ms);
  CHECK(runqueue_of(b, a) + runqueue_of(b, other) == 1);
}

TEST_CASE("Credit2: the load of the last runqueue counts even if another one is chosen") {
  // Runqueue 0 is at about a half, 1 at 0 and 2 at `far_units` / 4: 1 differs most, by less than a whole unit.
  for (const int far_units : {3, 4}) {
    Credit2Bench b(sockets({0, 1, 2}), "{}");
    const UnitId movable = b.add("M", 1);
    REQUIRE(runqueue_of(b, movable) == 0);
    const UnitId hog = b.add("H");
    b.set_hard_affinity(hog, {pcpu_id(0)});
    for (int u = 0; u < far_units; ++u) b.set_hard_affinity(b.add("K" + std::to_string(u)), {pcpu_id(2)});
    b.wake(500ms, hog);
    b.until(510ms);
    CHECK(b.passes().back() == "510 p0 H 10");  // with a reset
    const bool overloaded = far_units == 4;
    CHECK((balanced(b, 2) > kOneUnit) == overloaded);
    CHECK(runqueue_of(b, movable) == (overloaded ? 1 : 0));
  }
}

// ---- What is moved ----

/// At 10 ms runqueue 0, with a pinned hog, and a blocked unit that may go elsewhere if `movable`, resets and balances.
/// Runqueue 1 has three free hogs, of which the second has been running.
struct PullScene {
  explicit PullScene(bool movable) : b(2, R"({"runqueue": "cpu", "ratelimit_us": 10000})") {
    const UnitId local = b.add("L", 1);
    b.set_hard_affinity(local, {pcpu_id(0)});
    if (movable) b.add("M", 1);
    for (const char* const name : {"R0", "R1", "R2"}) far.push_back(b.add(name, 0));
    for (const UnitId unit : far) REQUIRE(runqueue_of(b, unit) == 1);
    b.wake(0ms, local);
    b.wake_together(0ms, {far[1], far[0], far[2]});
    b.until(10ms - 1ns);
    REQUIRE(b.running_on(1) == far[1]);
    b.passes();
    b.until(10ms);
    CHECK(b.passes().front() == "10 p0 L 0.5");
    CHECK(runqueue_of(b, far[0]) == 0);  // the first of several that help as much
    CHECK(runqueue_of(b, far[2]) == 1);
  }
  Credit2Bench b;
  std::vector<UnitId> far;
};

TEST_CASE("Credit2: if no local unit may go, the averages of the far ones are not brought up to date") {
  const PullScene scene(false);
  CHECK(scene.b.figure(scene.far[0], "load_average") == kOneUnit / 2);  // as at its wake
  CHECK(scene.b.figure(scene.far[2], "load_average") == kOneUnit / 2);
}

TEST_CASE("Credit2: if a local unit may go, the averages of the far ones are brought up to date") {
  const PullScene scene(true);
  const std::int64_t elapsed = 10'000'000 >> 10;
  const std::int64_t average = kOneUnit / 2 + ((elapsed * kOneUnit) >> 20) - ((elapsed * (kOneUnit / 2)) >> 20);
  CHECK(scene.b.figure(scene.far[0], "load_average") == average);
  CHECK(scene.b.figure(scene.far[2], "load_average") == average);
}

TEST_CASE("Credit2: a queued unit moves at once, and its load with it") {
  const PullScene scene(false);
  CHECK(scene.b.runqueue_figure(0, "load") == 2);
  CHECK(scene.b.runqueue_figure(1, "load") == 2);
  CHECK(scene.b.runqueue_figure(0, "queued") == 1);
  CHECK(scene.b.runqueue_figure(1, "queued") == 1);
}

TEST_CASE("Credit2: a running unit is switched out, placed with its target and woken there") {
  Credit2Bench b(2, R"({"runqueue": "cpu"})");
  const UnitId a = b.add("A", 1);
  const UnitId other = b.add("B", 1);
  REQUIRE(runqueue_of(b, a) == 0);
  b.wake_together(0ms, {a, other});
  b.until(20ms - 1ns);
  REQUIRE(b.running_on(0) != kIdle);
  b.passes();
  b.until(20ms);
  const Log passes = b.passes();
  REQUIRE(passes.size() == 3);
  CHECK(passes[0].starts_with("20 p0 "));  // the choice, whose reset balances
  CHECK(passes[1].starts_with("20 p0 "));
  CHECK(passes[2].starts_with("20 p1 "));
  CHECK(runqueue_of(b, a) + runqueue_of(b, other) == 1);
  CHECK(b.runqueue_figure(0, "load") == 1);
  CHECK(b.runqueue_figure(1, "load") == 1);
}

TEST_CASE("Credit2: a unit that may not run there is not moved") {
  Credit2Bench b(2, R"({"runqueue": "cpu"})");
  std::vector<UnitId> units;
  for (int u = 0; u < 2; ++u) {
    units.push_back(b.add("u" + std::to_string(u), 1));
    b.set_hard_affinity(units.back(), {pcpu_id(0)});
  }
  b.wake_together(0ms, units);
  b.until(1s);
  CHECK(b.running_on(1) == kIdle);
  CHECK(b.ran(units[0]) + b.ran(units[1]) == 1s);
}

// ---- Load averages ----

TEST_CASE("Credit2: a load average follows the load over the window, and jumps after a longer silence") {
  Credit2Bench b(1, R"({"load_window_shift": 20})");
  const UnitId a = b.add("A");
  b.wake(0ms, a);
  b.block_at(500us, a);
  const std::int64_t elapsed = 500'000 >> 10;
  CHECK(b.runqueue_figure(0, "load_average") == (elapsed * kOneUnit) >> 10);
  b.wake(500us + 2ms, a);  // longer than the window of 1.05 ms
  CHECK(b.runqueue_figure(0, "load_average") == 0);
  CHECK(b.figure(a, "load_average") == 0);
}

TEST_CASE("Credit2: a pass that switches from one unit to another updates no average, one that goes idle the queue's") {
  Credit2Bench b(1);
  const UnitId a = b.add("A");
  const UnitId other = b.add("B");
  b.wake(0ms, a);
  b.wake(2ms, other);
  const std::int64_t before = b.runqueue_figure(0, "load_average");
  const std::int64_t of_a = b.figure(a, "load_average");
  b.until(12ms);
  REQUIRE(b.passes().back() == "12 p0 A 8");
  CHECK(b.runqueue_figure(0, "load_average") == before);
  CHECK(b.figure(a, "load_average") == of_a);
  b.poke_at(13ms, 0);
  CHECK(b.runqueue_figure(0, "load_average") > before);
}

TEST_CASE("Credit2: before Xen 4.14.3 a pass that keeps the unit updates no average") {
  for (const std::string_view version : {"4.14.2", "4.14.3", "4.15.0", "4.15.1"}) {
    Credit2Bench b(1, "{}", version);
    const UnitId a = b.add("A");
    b.wake(0ms, a);
    b.poke_at(5ms, 0);
    const bool updates = version == "4.14.3" || version == "4.15.1";
    CHECK((b.runqueue_figure(0, "load_average") > 0) == updates);
    CHECK((b.figure(a, "load_average") > kOneUnit / 2) == updates);
  }
}

}  // namespace
}  // namespace vecusim::test
