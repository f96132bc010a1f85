// The template policy: what a policy of one page does on the machine.
#include "catch.hpp"
#include "policy_bench.hpp"
#include "round_robin.hpp"

namespace vecusim::test {
namespace {

std::unique_ptr<Policy> round_robin(std::size_t pcpus) {
  const PolicyEntry entry = policy_round_robin();
  return entry.make(*entry.config(), arm_machine(pcpus, {}));
}

TEST_CASE("round robin gives each unit its slice in turn") {
  PolicyBench bench(round_robin(1), 1);
  const DomainId domain = bench.domain();
  for (int u = 0; u < 3; ++u) bench.unit(domain);
  bench.event([&] {
    for (int u = 0; u < 3; ++u) bench.core().come_up(bench.moment(), unit_id(u));
  });
  bench.until(20ms);
  CHECK(bench.log() == Log{"0 p0 idle>u0 5000", "5000 p0 u0>u1 5000", "10000 p0 u1>u2 5000", "15000 p0 u2>u0 5000",
                           "20000 p0 u0>u1 5000"});
}

TEST_CASE("round robin lets a lone unit run on and leaves the pCPU idle when it blocks") {
  PolicyBench bench(round_robin(1), 1);
  bench.unit(bench.domain());
  bench.come_up(unit_id(0));
  bench.until(5ms);
  bench.block(unit_id(0));
  bench.until(100ms);
  CHECK(bench.log() == Log{"0 p0 idle>u0 5000", "5000 p0 u0>u0 5000", "5000 p0 u0>idle -"});
}

TEST_CASE("round robin uses an idle pCPU that affinity allows, and reports a unit that no free pCPU may take") {
  PolicyBench bench(round_robin(2), 2);
  const DomainId domain = bench.domain();
  const UnitId free = bench.unit(domain);
  const UnitId pinned = bench.unit(domain, 0, {pcpu_id(0)});
  bench.come_up(free);
  bench.come_up(pinned);
  CHECK(bench.running_on(0) == free);
  CHECK(bench.policy().held(bench.context(), pinned).reason == HoldReason::affinity);
  bench.until(5ms);
  CHECK(bench.running_on(0) == pinned);
  CHECK(bench.running_on(1) == free);
  CHECK(bench.log() == Log{"0 p0 idle>u0 5000", "5000 p0 u0>u1 5000", "5000 p1 idle>u0 5000"});
}

TEST_CASE("a policy outside the catalogue is not found there, those inside it are") {
  CHECK(find_policy("round_robin") == nullptr);
  REQUIRE(find_policy("rtds") != nullptr);
  CHECK(find_policy("rtds")->option.name == "rtds");
  for (const PolicyEntry& entry : policies()) {
    CHECK(find_policy(entry.option.name) == &entry);
    CHECK_FALSE(entry.option.sentence.empty());
  }
}

}  // namespace
}  // namespace vecusim::test
