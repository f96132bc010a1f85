// Credit: queues, tickling, stealing and placement, rule by rule (golden trace format, points 61 to 66), holds,
// versions.
#include <string>

#include "catch.hpp"
#include "credit_bench.hpp"
#include "golden_files.hpp"

namespace vecusim::test {
namespace {

// ---- Stealing ----

TEST_CASE("Credit 61: a pCPU that would idle takes a waiting unit from a busy one, but not one that is pinned there") {
  CreditBench bench(2);
  const UnitId running = bench.add_pinned(0);
  const UnitId pinned = bench.add_pinned(0);
  const UnitId busy = bench.add_pinned(1);
  const UnitId free = bench.add(0);
  for (const UnitId unit : {running, busy, pinned, free}) bench.start(unit);
  CHECK(bench.running_on(0) == running);
  bench.until(2ms);
  bench.block(busy);
  CHECK(bench.running_on(1) == free);
  CHECK(bench.policy().pcpu_of(free) == pcpu_id(1));
  bench.block(free);
  CHECK(bench.running_on(1) == kIdle);
  CHECK(bench.policy().held(bench.context(), pinned).reason == HoldReason::affinity);
}

TEST_CASE("Credit 61: a pCPU whose next unit has used up its credit takes one that has some, else none") {
  // On pCPU 1 a hog of weight 1 beside one of weight 65535 on pCPU 0: the accounting at 30 ms gives it one credit.
  for (const HvTime at : {HvTime{20'500us}, HvTime{40'500us}}) {
    CreditBench bench(2, R"({"ratelimit_us":0})");
    const UnitId heavy = bench.add_pinned(0);
    const UnitId waiting = bench.add(0);
    const DomainId light_domain = bench.domain();
    const UnitId light = bench.unit(light_domain, 1);
    bench.set_hard_affinity(light, {pcpu_id(1)});
    bench.core().adjust_domain(bench.moment(), bench.domain_id, {65535, std::nullopt, std::nullopt});
    bench.core().adjust_domain(bench.moment(), light_domain, {1, std::nullopt, std::nullopt});
    bench.start(heavy);
    bench.start(light);
    bench.until(at);
    const bool exhausted = figure(bench, light, "priority") == kOver;
    CHECK(exhausted == (at > 30ms));
    bench.start(waiting);
    bench.poke(1);
    CHECK(bench.running_on(1) == (exhausted ? waiting : light));
  }
}

// ---- Tickling ----

TEST_CASE("Credit 64: a wake prefers the pCPUs of the soft affinity that idle, one after the other") {
  CreditBench bench(4);
  bench.start(bench.add_pinned(0));
  const UnitId one = bench.add(0);
  const UnitId other = bench.add(0);
  for (const UnitId unit : {one, other}) {
    bench.set_soft_affinity(unit, {pcpu_id(0), pcpu_id(2), pcpu_id(3)});
    CHECK(bench.policy().pcpu_of(unit) == pcpu_id(0));
  }
  bench.start(one);
  bench.start(other);
  CHECK(bench.running_on(1) == kIdle);
  CHECK(bench.running_on(2) == one);
  CHECK(bench.running_on(3) == other);
}

TEST_CASE("Credit 64: a unit pinned to an idle pCPU makes that one pass, and no other") {
  CreditBench bench(3);
  const UnitId pinned = bench.add_pinned(2);
  bench.start(bench.add(0));
  bench.log();
  bench.start(pinned);
  CHECK(bench.log() == Log{"0 p2 idle>u0 30000"});
}

/// Which pCPU answers an interrupt for these vCPUs; see below.
std::string pcpu_of_answer(const std::string& targets) {
  const std::string text = R"({"name":"x","scheduler":"credit","pcpus":4,"duration":20000000,"domains":[
    {"id":0,"vcpus":[{"affinity":[0,2,3],"workload":{"steps":[{"run":1000},{"wait":true},{"run":1000}]}},
                     {"affinity":[0],"start":100000,"workload":{"steps":[{"run":100000000}]}},
                     {"affinity":[1],"workload":{"steps":[{"run":100000000}]}}]},
    {"id":1,"vcpus":[{"affinity":[0,2,3],"start":1000000,"workload":{"steps":[{"run":1000}]}}]}],
    "interrupts":[{"t":5000000,"v":)" +
                           targets + "}]}";
  struct Answer final : golden::LineSink {
    bool line(std::string_view line) override {
      constexpr std::string_view kStart = R"({"t":5000000,"cpu":)";
      if (line.starts_with(kStart) && line.find(R"("next":"d0v0")") != line.npos) pcpu = line[kStart.size()];
      return true;
    }
    std::string pcpu;
  } answer;
  golden::replay_case(golden::read_case(text, "x.case.json"))->run(answer);
  return answer.pcpu;
}

TEST_CASE("Credit 65: an interrupt for several vCPUs is executed where the first is, with that pCPU's memory") {
  // Hogs run on pCPUs 0 and 1. d0v0 sleeps at home on 0. The start of d1v0 on pCPU 0 found pCPU 2 idle, so that the
  // next search by pCPU 0 begins behind it; pCPU 1 has not searched yet. d0v2, which runs on 1, only remembers the
  // event.
  CHECK(pcpu_of_answer(R"(["d0v2","d0v0"])") == "2");
  CHECK(pcpu_of_answer(R"(["d0v0","d0v2"])") == "3");
  CHECK(pcpu_of_answer(R"("d0v0")") == "3");
}

// ---- Placement ----

TEST_CASE("Credit 66: a unit goes to a core that idles altogether rather than beside a busy sibling") {
  MachineDescription machine = arm_machine(4, resolve_version(kDefaultXenVersion).behaviour);
  for (std::size_t p = 0; p < 4; ++p) {
    machine.pcpus[p].core = static_cast<int>(p / 2);
    machine.pcpus[p].siblings = p < 2 ? PcpuMask{pcpu_id(0), pcpu_id(1)} : PcpuMask{pcpu_id(2), pcpu_id(3)};
  }
  CreditBench siblings(machine);
  CreditBench flat(4);
  for (CreditBench* const bench : {&siblings, &flat}) {
    bench->start(bench->add_pinned(0));
    bench->start(bench->add_pinned(0));  // waits, so that pCPU 0 does not count as idle
    const UnitId placed = bench->add(0);
    CHECK(bench->policy().pcpu_of(placed) == pcpu_id(bench == &siblings ? 2 : 1));
  }
}

TEST_CASE("Credit: a domain created late is placed among the running ones, and shares from its first tick on") {
  CreditBench bench(2);
  const UnitId hog = bench.start(bench.add(0));
  bench.until(45ms);
  const DomainId late = bench.domain();
  const UnitId stays = bench.unit(late, 0);  // nobody waits on pCPU 0: it counts as idle
  const UnitId next = bench.unit(late, 1);
  CHECK(bench.policy().pcpu_of(stays) == pcpu_id(0));
  CHECK(bench.policy().pcpu_of(next) == pcpu_id(1));
  bench.log();
  bench.event([&] {
    for (const UnitId unit : {stays, next}) bench.core().come_up(bench.moment(), unit);
  });
  // Their first wake gives no boost. pCPU 1 takes from its own queue first.
  CHECK(bench.log() == Log{"45000 p1 idle>u2 30000"});
  CHECK(bench.running_on(0) == hog);
  CHECK(figure(bench, stays, "priority") == kUnder);
  CHECK(figure(bench, next, "active") == 0);
  bench.until(50ms);
  CHECK(figure(bench, next, "active") == 1);
}

// ---- Holds ----

TEST_CASE("Credit: a unit that would preempt is held by the rate limit, others by the queue") {
  CreditBench bench(1);
  const UnitId waker = bench.add();
  bench.run_and_block(waker);
  const UnitId hog = bench.start(bench.add());
  const UnitId equal = bench.start(bench.add());
  const auto held = [&](UnitId unit) { return bench.policy().held(bench.context(), unit); };
  CHECK(held(equal).reason == HoldReason::runqueue);
  bench.until(300us);
  bench.unblock(waker);
  CHECK(held(waker).reason == HoldReason::ratelimit);
  CHECK(held(waker).until == 1ms);
  CHECK(held(equal).reason == HoldReason::runqueue);
  bench.until(1ms);
  CHECK(bench.running_on(0) == waker);
  CHECK(held(hog).reason == HoldReason::runqueue);
}

TEST_CASE("Credit: where the rate limit cuts a slice short, a waiting unit of the same class is held by it") {
  CreditBench bench(1);
  const UnitId hog = bench.start(bench.add());
  const UnitId equal = bench.start(bench.add());
  bench.until(400us);
  bench.poke(0);  // keeps the hog until 1 ms, when the other's turn comes
  const Hold hold = bench.policy().held(bench.context(), equal);
  CHECK(hold.reason == HoldReason::ratelimit);
  CHECK(hold.until == 1ms);
  bench.until(1ms);
  CHECK(bench.running_on(0) == equal);
  CHECK(bench.policy().held(bench.context(), hog).reason == HoldReason::runqueue);
}

TEST_CASE("Credit: a parked unit is held by its cap, without an end of its own") {
  CreditBench bench(1);
  const UnitId hog = bench.add();
  CHECK(bench.cap(10));
  bench.start(hog);
  bench.until(40ms);
  REQUIRE(figure(bench, hog, "parked") == 1);
  CHECK(bench.policy().held(bench.context(), hog).reason == HoldReason::cap);
  CHECK(bench.policy().held(bench.context(), hog).until == HvTime::max());
}

// ---- Versions, removal ----

TEST_CASE("Credit: from 4.18 on a pCPU looks for work on others at most once per millisecond") {
  for (const bool limited : {false, true}) {
    CreditBench bench(2, "{}", limited ? "4.18.0" : "4.17.0");
    const UnitId hog = bench.add_pinned(0);
    const UnitId busy = bench.add_pinned(1);
    const UnitId free = bench.add(0);
    for (const UnitId unit : {hog, busy}) bench.start(unit);
    bench.until(5ms);
    bench.block(busy);  // looks, and finds nothing
    bench.until(5'200us);
    bench.unblock(busy);
    bench.until(5'300us);
    bench.start(free);
    bench.until(5'400us);
    bench.block(busy);
    CHECK((bench.running_on(1) == free) == !limited);
    bench.until(6ms);
    bench.poke(1);
    CHECK(bench.running_on(1) == free);
  }
}

TEST_CASE("Credit: from 4.18 on a unit that yielded is not taken by another pCPU") {
  for (const bool kept : {false, true}) {
    CreditBench bench(2, "{}", kept ? "4.18.0" : "4.17.0");
    const UnitId busy = bench.add_pinned(1);
    const UnitId pinned = bench.add_pinned(0);
    const UnitId free = bench.add(0);
    for (const UnitId unit : {busy, free, pinned}) bench.start(unit);
    CHECK(bench.running_on(0) == free);
    bench.until(5ms);
    bench.event([&] { bench.core().yield(bench.moment(), free); });
    CHECK(bench.running_on(0) == pinned);
    bench.block(busy);
    CHECK((bench.running_on(1) == free) == !kept);
  }
}

TEST_CASE("Credit: a unit that is removed waits nowhere, takes part no longer and is not parked") {
  const std::unique_ptr<Policy> policy = make_credit("{}", 1);
  MachineState state{{kIdle}, {{}, {}}};
  for (UnitState& unit : state.units) {
    unit.online = unit.runnable = true;
    unit.hard = unit.soft = {pcpu_id(0)};
  }
  Verdict verdict;
  verdict.reserve(1, 2);
  const auto at = [&](HvTime now) { return HookContext{now, pcpu_id(0), state}; };
  policy->add_pcpu(at(0ms), pcpu_id(0), verdict);
  policy->new_domain(at(0ms), DomainId{0}, verdict);
  for (const int u : {0, 1}) policy->insert(at(0ms), unit_id(u), {}, verdict);  // online: come from another pool
  CHECK(policy->schedule(at(0ms), kIdle, verdict).unit == unit_id(0));
  state.current[0] = unit_id(0);
  state.units[0].running = true;
  policy->adjust_domain(at(0ms), DomainId{0}, {std::nullopt, 10, std::nullopt}, verdict);
  verdict.clear();
  policy->timer(at(20ms), TimerId{1}, verdict);
  policy->timer(at(30ms), TimerId{0}, verdict);
  REQUIRE(policy->figures(unit_id(0)).find("active") == 1);
  REQUIRE(policy->figures(unit_id(0)).find("parked") == 1);
  state.current[0] = kIdle;
  state.units[0].running = state.units[0].runnable = false;
  verdict.clear();
  policy->remove(at(31ms), unit_id(0), verdict);
  REQUIRE(verdict.requests().size() == 1);
  CHECK(std::get<Unpause>(verdict.requests().front()).unit == unit_id(0));
  CHECK(policy->figures(unit_id(0)).find("active") == 0);
  policy->remove(at(31ms), unit_id(1), verdict);
  CHECK(policy->schedule(at(31ms), kIdle, verdict).unit == kIdle);
}

}  // namespace
}  // namespace vecusim::test
