// Sets of pCPUs: the searches that decide between pCPUs.
#include "catch.hpp"
#include "schedulers/policy.hpp"

namespace vecusim {
namespace {

constexpr PcpuId pcpu(int number) { return static_cast<PcpuId>(number); }

TEST_CASE("a search from a pCPU goes upwards and then begins anew") {
  const PcpuMask mask{pcpu(1), pcpu(3)};
  CHECK(mask.first() == pcpu(1));
  CHECK(mask.next(pcpu(1)) == pcpu(3));
  CHECK(mask.next(pcpu(3)) == kNoPcpu);
  CHECK(mask.cycle(pcpu(2)) == pcpu(3));
  CHECK(mask.cycle(pcpu(3)) == pcpu(1));
  CHECK(mask.cycle(pcpu(0)) == pcpu(1));
}

TEST_CASE("a search finds its own start only where that is the last choice") {
  CHECK(PcpuMask{pcpu(2)}.cycle(pcpu(2)) == pcpu(2));
  CHECK(PcpuMask{pcpu(2), pcpu(0)}.cycle(pcpu(2)) == pcpu(0));
  CHECK(PcpuMask{pcpu(2), pcpu(0)}.test_or_cycle(pcpu(2)) == pcpu(2));
  CHECK(PcpuMask{pcpu(0)}.test_or_cycle(pcpu(2)) == pcpu(0));
}

TEST_CASE("an empty set has no pCPU to find") {
  CHECK(PcpuMask{}.first() == kNoPcpu);
  CHECK(PcpuMask{}.next(pcpu(0)) == kNoPcpu);
  CHECK(PcpuMask{}.cycle(pcpu(0)) == kNoPcpu);
  CHECK(PcpuMask{}.test_or_cycle(pcpu(0)) == kNoPcpu);
  CHECK_FALSE(PcpuMask{}.contains(kNoPcpu));
}

TEST_CASE("the last pCPU of 64 is found, and nothing after it") {
  const PcpuMask all = PcpuMask::first_n(64);
  CHECK(all.size() == 64);
  CHECK(all.next(pcpu(62)) == pcpu(63));
  CHECK(all.next(pcpu(63)) == kNoPcpu);
  CHECK(all.cycle(pcpu(63)) == pcpu(0));
  CHECK(PcpuMask::first_n(4).size() == 4);
  CHECK_FALSE(PcpuMask::first_n(4).contains(pcpu(4)));
}

TEST_CASE("iteration is upwards over the members at its beginning") {
  PcpuMask mask{pcpu(5), pcpu(0), pcpu(63)};
  std::vector<PcpuId> seen;
  for (const PcpuId p : mask) {
    seen.push_back(p);
    mask.erase(pcpu(63));
  }
  CHECK(seen == std::vector{pcpu(0), pcpu(5), pcpu(63)});
}

TEST_CASE("soft affinity counts only where it narrows what hard affinity and the pool leave") {
  const PcpuMask pool = PcpuMask::first_n(4);
  UnitState unit;
  unit.hard = pool;
  unit.soft = pool;
  CHECK_FALSE(has_soft_affinity(unit, pool));
  unit.soft = {pcpu(2), pcpu(3)};
  CHECK(has_soft_affinity(unit, pool));
  unit.hard = {pcpu(2)};  // within soft
  CHECK_FALSE(has_soft_affinity(unit, pool));
  unit.hard = {pcpu(0), pcpu(1)};  // apart from soft
  CHECK_FALSE(has_soft_affinity(unit, pool));
  unit.hard = pool;
  CHECK_FALSE(has_soft_affinity(unit, {pcpu(2)}));  // the pool is within soft
}

TEST_CASE("a balanced search tries soft affinity first, and only where it counts") {
  UnitState unit;
  unit.hard = PcpuMask::first_n(3);
  unit.soft = {pcpu(2), pcpu(3)};
  const BalanceSteps both(unit, PcpuMask::first_n(4));
  CHECK(std::vector(both.begin(), both.end()) == std::vector<PcpuMask>{{pcpu(2)}, PcpuMask::first_n(3)});
  unit.soft = PcpuMask::first_n(4);
  const BalanceSteps hard(unit, PcpuMask::first_n(4));
  CHECK(std::vector(hard.begin(), hard.end()) == std::vector{PcpuMask::first_n(3)});
}

}  // namespace
}  // namespace vecusim
