// The ideal machine: the order of passes, timers and hooks (golden trace format, section 3).
#include "catch.hpp"
#include "policy_bench.hpp"
#include "scripted_policy.hpp"

namespace vecusim::test {
namespace {

using Calls = std::vector<std::string>;

struct Bench {
  explicit Bench(std::size_t pcpus) : bench(std::make_unique<ScriptedPolicy>(script), pcpus) { script.calls.clear(); }
  Calls calls() { return std::exchange(script.calls, {}); }

  Script script;
  PolicyBench bench;
};

TEST_CASE("passes are made on the lowest pCPU first, one for any number of requests") {
  Bench b(4);
  b.bench.event([&] {
    for (const int pcpu : {3, 1, 3, 0, 1}) b.bench.machine().request_pass(pcpu_id(pcpu));
  });
  CHECK(b.calls() == Calls{"schedule idle on p0", "schedule idle on p1", "schedule idle on p3"});
}

TEST_CASE("a pass that asks for its own pCPU is followed by that one, then it goes on from pCPU 0") {
  Bench b(3);
  bool first = true;
  b.script.schedule = [&](const HookContext& context, UnitId, Verdict& verdict) {
    if (std::exchange(first, false)) {
      verdict.tickle(pcpu_id(0));
      verdict.tickle(context.pcpu);
    }
    return Decision{};
  };
  b.bench.event([&] {
    b.bench.machine().request_pass(pcpu_id(1));
    b.bench.machine().request_pass(pcpu_id(2));
  });
  CHECK(b.calls() == Calls{"schedule idle on p1", "schedule idle on p1", "schedule idle on p0", "schedule idle on p2"});
}

TEST_CASE("a pass cancels the slice that ran, and its own slice counts from now") {
  Bench b(1);
  b.script.schedule = [](const HookContext&, UnitId, Verdict&) { return Decision{kIdle, 10ms, false}; };
  b.bench.poke(0);
  b.bench.until(4ms);
  b.bench.poke(0);
  b.bench.until(20ms);
  CHECK(b.bench.log() == Log{"0 p0 idle>idle 10000", "4000 p0 idle>idle 10000", "14000 p0 idle>idle 10000"});
}

TEST_CASE("a slice of zero makes another pass at the same instant, and no slice makes none") {
  Bench b(1);
  int left = 2;
  b.script.schedule = [&](const HookContext&, UnitId, Verdict&) {
    return Decision{kIdle, left-- > 0 ? HvTime{0} : kNoSlice, false};
  };
  b.bench.poke(0);
  b.bench.until(1s);
  CHECK(b.bench.log() == Log{"0 p0 idle>idle 0", "0 p0 idle>idle 0", "0 p0 idle>idle -"});
}

TEST_CASE("timers of one moment fire in the order of arming, and arming again goes to the end") {
  Bench b(2);
  b.script.timers = {{"a", pcpu_id(1)}, {"b", pcpu_id(0)}, {"c", pcpu_id(0)}};
  b.script.schedule = [](const HookContext&, UnitId, Verdict& verdict) {
    for (const std::uint32_t timer : {0U, 1U, 2U}) verdict.arm(TimerId{timer}, 5ms);
    verdict.arm(TimerId{0}, 5ms);
    verdict.cancel(TimerId{2});
    return Decision{};
  };
  b.bench.poke(0);
  b.calls();
  b.bench.until(10ms);
  CHECK(b.calls() == Calls{"timer 1 on p0", "timer 0 on p1"});
}

TEST_CASE("a timer armed for the past fires now") {
  Bench b(1);
  b.script.timers = {{"a", pcpu_id(0)}};
  b.script.schedule = [](const HookContext& context, UnitId, Verdict& verdict) {
    verdict.arm(TimerId{0}, context.now - 1ms);
    return Decision{};
  };
  b.bench.until(3ms);
  b.bench.poke(0);
  b.calls();
  b.bench.until(3ms);
  CHECK(b.calls() == Calls{"timer 0 on p0"});
}

/// Runs `unit` whenever it is runnable.
std::function<Decision(const HookContext&, UnitId, Verdict&)> runs(UnitId unit) {
  return [unit](const HookContext& context, UnitId, Verdict&) {
    return context.machine[unit].runnable ? Decision{unit, kNoSlice, false} : Decision{};
  };
}

TEST_CASE("a unit is current from the decision, and running until it has been switched out") {
  Bench b(1);
  const DomainId domain = b.bench.domain();
  const UnitId one = b.bench.unit(domain);
  const UnitId other = b.bench.unit(domain);
  for (const UnitId unit : {one, other}) b.bench.core().come_up(b.bench.moment(), unit);
  b.script.schedule = runs(one);
  b.bench.poke(0);
  b.bench.until(2ms);
  const MachineState& state = b.bench.core().state();
  CHECK(state[one].running);
  CHECK(state[one].entry_time == HvTime{0});
  b.script.schedule = [&](const HookContext& context, UnitId previous, Verdict&) {
    CHECK(previous == one);
    CHECK(context.machine.current_of(pcpu_id(0)) == one);
    CHECK_FALSE(context.machine[other].running);
    return Decision{other, kNoSlice, false};
  };
  b.calls();
  b.bench.poke(0);
  CHECK(b.calls() == Calls{"schedule u0 on p0", "context_saved u0 on p0"});
  CHECK(state.current_of(pcpu_id(0)) == other);
  CHECK(state[one].entry_time == 2ms);
  CHECK(state[other].entry_time == 2ms);
}

TEST_CASE("a pass that keeps the unit saves no context and leaves its entry time") {
  Bench b(1);
  const UnitId unit = b.bench.unit(b.bench.domain());
  b.script.schedule = runs(unit);
  b.bench.core().come_up(b.bench.moment(), unit);
  b.bench.poke(0);
  b.bench.until(2ms);
  b.calls();
  b.bench.poke(0);
  CHECK(b.calls() == Calls{"schedule u0 on p0"});
  CHECK(b.bench.core().state()[unit].entry_time == HvTime{0});
}

TEST_CASE("a unit marked for migration is switched out, picked for, moved and woken, in this order") {
  Bench b(2);
  const UnitId unit = b.bench.unit(b.bench.domain());
  b.script.schedule = runs(unit);
  b.bench.core().come_up(b.bench.moment(), unit);
  b.bench.poke(0);
  b.script.schedule = [&](const HookContext& context, UnitId, Verdict& verdict) {
    if (!context.machine[unit].runnable) return Decision{};
    verdict.migrate(unit);
    verdict.tickle(context.pcpu);
    return Decision{unit, kNoSlice, false};
  };
  b.calls();
  b.bench.poke(0);
  CHECK(b.calls() == Calls{"schedule u0 on p0", "schedule u0 on p0", "context_saved u0 on p0", "pick u0 on p0",
                           "migrate u0 on p0", "wake u0 on p0"});
}

TEST_CASE("a change of affinity puts a queued unit to sleep, moves it and wakes it at once") {
  Bench b(2);
  const UnitId unit = b.bench.unit(b.bench.domain());
  b.bench.core().come_up(b.bench.moment(), unit);
  b.calls();
  b.bench.set_hard_affinity(unit, {pcpu_id(1)});
  CHECK(b.calls() == Calls{"sleep u0 on p0", "pick u0 on p0", "migrate u0 on p0", "wake u0 on p0"});
  CHECK(b.bench.policy().pcpu_of(unit) == pcpu_id(1));
}

TEST_CASE("a change of affinity of a running unit waits for its pass") {
  Bench b(2);
  const UnitId unit = b.bench.unit(b.bench.domain());
  b.script.schedule = runs(unit);
  b.bench.core().come_up(b.bench.moment(), unit);
  b.bench.poke(0);
  b.calls();
  b.bench.set_hard_affinity(unit, {pcpu_id(1)});
  CHECK(b.calls() == Calls{"sleep u0 on p0"});
  b.bench.poke(0);
  CHECK(b.calls() ==
        Calls{"schedule u0 on p0", "context_saved u0 on p0", "pick u0 on p0", "migrate u0 on p0", "wake u0 on p0"});
}

TEST_CASE("blocking is not told, pausing is, and a unit paused twice wakes once") {
  Bench b(1);
  const UnitId unit = b.bench.unit(b.bench.domain());
  b.script.schedule = runs(unit);
  b.bench.core().come_up(b.bench.moment(), unit);
  b.bench.poke(0);
  b.calls();
  b.bench.block(unit);
  CHECK(b.calls() == Calls{"schedule u0 on p0", "context_saved u0 on p0"});
  b.bench.unblock(unit);
  b.bench.unblock(unit);
  CHECK(b.calls() == Calls{"wake u0 on p0"});
  b.bench.pause(unit);
  b.bench.pause(unit);
  b.bench.unpause(unit);
  CHECK(b.calls() == Calls{"sleep u0 on p0", "sleep u0 on p0"});
  b.bench.unpause(unit);
  b.bench.unpause(unit);
  CHECK(b.calls() == Calls{"wake u0 on p0"});
}

TEST_CASE("a paused unit that is unblocked is not woken before it is unpaused") {
  Bench b(1);
  const UnitId unit = b.bench.unit(b.bench.domain());
  b.script.schedule = runs(unit);
  b.bench.core().come_up(b.bench.moment(), unit);
  b.bench.poke(0);
  b.bench.block(unit);
  b.bench.pause(unit);
  b.calls();
  b.bench.unblock(unit);
  CHECK(b.calls().empty());
  CHECK(b.bench.core().runstate(unit) == Runstate::offline);
  b.bench.unpause(unit);
  CHECK(b.calls() == Calls{"wake u0 on p0"});
  CHECK(b.bench.core().runstate(unit) == Runstate::runnable);
}

TEST_CASE("parking leaves the runstate of a queued unit, a policy's pause takes it offline") {
  Bench b(1);
  const DomainId domain = b.bench.domain();
  const UnitId parked = b.bench.unit(domain);
  const UnitId paused = b.bench.unit(domain);
  for (const UnitId unit : {parked, paused}) b.bench.core().come_up(b.bench.moment(), unit);
  const auto pass_with = [&](auto request) {
    b.script.schedule = [=](const HookContext&, UnitId, Verdict& verdict) {
      request(verdict);
      return Decision{};
    };
    b.bench.poke(0);
  };
  pass_with([&](Verdict& verdict) {
    verdict.park(parked);
    verdict.pause(paused);
  });
  CHECK(b.bench.core().runstate(parked) == Runstate::runnable);
  CHECK(b.bench.core().runstate(paused) == Runstate::offline);
  CHECK_FALSE(b.bench.core().runnable(parked));
  CHECK_FALSE(b.bench.core().runnable(paused));
  CHECK(b.bench.core().state()[parked].runnable);  // as the policy is told: its own doing is not in it
  b.calls();
  pass_with([&](Verdict& verdict) {
    verdict.unpark(parked);
    verdict.unpause(paused);
  });
  CHECK(b.calls() == Calls{"schedule idle on p0"});
  CHECK(b.bench.core().runstate(paused) == Runstate::runnable);
  CHECK(b.bench.core().runnable(parked));
}

TEST_CASE("a parked unit that blocks and is unblocked goes offline without a wake") {
  Bench b(1);
  const UnitId unit = b.bench.unit(b.bench.domain());
  b.script.schedule = runs(unit);
  b.bench.core().come_up(b.bench.moment(), unit);
  b.bench.poke(0);
  b.script.schedule = [&](const HookContext&, UnitId, Verdict& verdict) {
    verdict.park(unit);
    return Decision{};
  };
  b.bench.block(unit);
  b.calls();
  b.bench.unblock(unit);
  CHECK(b.calls().empty());
  CHECK(b.bench.core().runstate(unit) == Runstate::offline);
}

TEST_CASE("the runstates of a unit add up to the time since it was made") {
  Bench b(1);
  const UnitId unit = b.bench.unit(b.bench.domain());
  b.script.schedule = runs(unit);
  b.bench.until(1ms);
  b.bench.come_up(unit);
  b.bench.until(3ms);
  b.bench.poke(0);
  b.bench.until(6ms);
  b.bench.block(unit);
  b.bench.until(10ms);
  const RunTotals totals = b.bench.core().totals(unit, 12ms);
  CHECK(totals.in(Runstate::offline) == 1ms);
  CHECK(totals.in(Runstate::runnable) == 2ms);
  CHECK(totals.in(Runstate::running) == 3ms);
  CHECK(totals.in(Runstate::blocked) == 6ms);
  CHECK(totals.switched_in == 1);
  CHECK(b.bench.machine().idle_time(pcpu_id(0), 12ms) == 9ms);
}

}  // namespace
}  // namespace vecusim::test
