// null: who gets a pCPU, and who waits (specification of the Xen schedulers, section 3).
#include "catch.hpp"
#include "policy_bench.hpp"

namespace vecusim::test {
namespace {

TEST_CASE("null: the first waiter that may run there gets a pCPU, in the order of arrival") {
  PolicyBench bench("null", 2);
  const DomainId domain = bench.domain();
  const UnitId owner = bench.unit(domain, 0);
  const UnitId first = bench.unit(domain, 0);
  const UnitId pinned = bench.unit(domain, 0, {pcpu_id(0)});
  const UnitId second = bench.unit(domain, 0);
  bench.come_up(owner);
  bench.event([&] {
    for (const UnitId unit : {pinned, first, second}) bench.core().come_up(bench.moment(), unit);
  });
  CHECK(bench.running_on(0) == owner);
  CHECK(bench.running_on(1) == first);
  CHECK(bench.policy().pcpu_of(first) == pcpu_id(1));
  bench.log();
  bench.poke(0);
  bench.poke(1);
  bench.until(1s);
  CHECK(bench.log() == Log{"0 p0 u0>u0 -", "0 p1 u1>u1 -"});
}

TEST_CASE("null: a waiter that wakes again asks for nothing") {
  PolicyBench bench("null", 1);
  const DomainId domain = bench.domain();
  bench.come_up(bench.unit(domain));
  const UnitId waiter = bench.unit(domain);
  bench.come_up(waiter);
  bench.log();
  bench.pause(waiter);
  bench.unpause(waiter);
  CHECK(bench.log().empty());
  CHECK(bench.policy().figures(waiter).find("waiting") == 1);
}

TEST_CASE("null: a paused unit keeps its pCPU, which idles meanwhile") {
  PolicyBench bench("null", 1);
  const DomainId domain = bench.domain();
  const UnitId owner = bench.unit(domain);
  const UnitId waiter = bench.unit(domain);
  bench.come_up(owner);
  bench.come_up(waiter);
  bench.log();
  bench.until(1ms);
  bench.pause(owner);
  bench.until(2ms);
  bench.unpause(owner);
  CHECK(bench.log() == Log{"1000 p0 u0>idle -", "2000 p0 idle>u0 -"});
  CHECK(bench.policy().held(bench.context(), waiter).reason == HoldReason::runqueue);
}

TEST_CASE("null: a unit that is moved hands its pCPU to the first waiter") {
  PolicyBench bench("null", 2);
  const DomainId domain = bench.domain();
  const UnitId owner = bench.unit(domain, 0);
  const UnitId waiter = bench.unit(domain, 0, {pcpu_id(0)});
  bench.come_up(owner);
  bench.come_up(waiter);
  CHECK(bench.policy().held(bench.context(), waiter).reason == HoldReason::affinity);
  bench.log();
  bench.set_hard_affinity(owner, {pcpu_id(1)});
  CHECK(bench.running_on(0) == waiter);
  CHECK(bench.running_on(1) == owner);
}

TEST_CASE("null: a waiter prefers nothing, but a pCPU prefers a waiter with soft affinity for it") {
  PolicyBench bench("null", 2);
  const DomainId domain = bench.domain();
  const UnitId owner = bench.unit(domain, 0);
  const UnitId plain = bench.unit(domain, 0, {pcpu_id(0)});
  const UnitId soft = bench.unit(domain, 0);
  bench.set_soft_affinity(soft, {pcpu_id(0)});
  for (const UnitId unit : {owner, plain}) bench.come_up(unit);
  const UnitId other = bench.unit(domain, 1);
  bench.come_up(other);
  bench.come_up(soft);
  CHECK(bench.policy().figures(soft).find("waiting") == 1);
  bench.event([&] { bench.core().set_affinity(bench.moment(), owner, PcpuMask{pcpu_id(1)}, std::nullopt); });
  CHECK(bench.running_on(0) == soft);
  CHECK(bench.policy().figures(plain).find("waiting") == 1);
}

TEST_CASE("null: the wake of an owner is a pass on its pCPU and nothing else") {
  PolicyBench bench("null", 4);
  const DomainId domain = bench.domain();
  const UnitId unit = bench.unit(domain, 2);
  bench.come_up(unit);
  bench.until(5ms);
  bench.block(unit);
  bench.until(7ms);
  bench.unblock(unit);
  CHECK(bench.log() == Log{"0 p2 idle>u0 -", "5000 p2 u0>idle -", "7000 p2 idle>u0 -"});
}

TEST_CASE("null: a unit that is removed frees its pCPU for a waiter") {
  const std::unique_ptr<Policy> policy = PolicyBench::make("null", 1, kDefaultXenVersion);
  MachineState state{{kIdle}, {{}, {}}};
  for (UnitState& unit : state.units) {
    unit.online = unit.runnable = true;
    unit.hard = unit.soft = {pcpu_id(0)};
  }
  Verdict verdict;
  verdict.reserve(1, 2);
  const HookContext context{0ms, pcpu_id(0), state};
  policy->add_pcpu(context, pcpu_id(0), verdict);
  policy->insert(context, unit_id(0), {}, verdict);  // online: comes from another pool
  policy->insert(context, unit_id(1), {}, verdict);
  CHECK(policy->schedule(context, kIdle, verdict).unit == unit_id(0));
  policy->remove(context, unit_id(0), verdict);
  REQUIRE(verdict.requests().size() == 1);
  CHECK(std::get<Tickle>(verdict.requests().front()).pcpu == pcpu_id(0));
  CHECK(policy->schedule(context, kIdle, verdict).unit == unit_id(1));
}

}  // namespace
}  // namespace vecusim::test
