// Credit2 hook by hook, with what can happen between a decision and the end of its switch, which on the ideal machine
// takes no time.
#include <variant>

#include "catch.hpp"
#include "credit2_bench.hpp"

namespace vecusim::test {
namespace {

/// A policy, and the machine's state as the test says it is.
class Hooks {
 public:
  explicit Hooks(std::size_t pcpus)
      : policy(make_credit2(arm_machine(pcpus, resolve_version(kDefaultXenVersion).behaviour), "{}")) {
    state.current.assign(pcpus, kIdle);
    verdict.reserve(pcpus, 8);
    for (std::size_t p = 0; p < pcpus; ++p) policy->add_pcpu(at(0ms), static_cast<PcpuId>(p), verdict);
  }

  HookContext at(HvTime now, int pcpu = 0) const { return {now, pcpu_id(pcpu), state}; }
  DomainId domain() {
    const auto id = static_cast<DomainId>(domains_++);
    policy->new_domain(at(0ms), id, verdict);
    return id;
  }
  UnitId insert(DomainId domain) {
    const auto id = static_cast<UnitId>(state.units.size());
    const PcpuMask all = PcpuMask::first_n(state.current.size());
    state.units.push_back({true, true, false, HvTime{}, all, all});
    policy->insert(at(0ms), id, {domain, pcpu_id(0), true}, verdict);
    return id;
  }
  UnitState& operator[](UnitId unit) { return state.units[index(unit)]; }

  /// The first half of a pass on pCPU 0; a chosen unit runs from then on.
  UnitId decide(HvTime now) {
    const UnitId next = policy->schedule(at(now), state.current[0], verdict).unit;
    if (next != state.current[0] && next != kIdle) {
      (*this)[next].running = true;
      (*this)[next].entry_time = now;
    }
    state.current[0] = next;
    return next;
  }
  void switched_out(HvTime now, UnitId unit) {
    (*this)[unit].running = false;
    (*this)[unit].entry_time = now;
    policy->context_saved(at(now), unit, verdict);
  }

  /// The requests since the last call, by their kind.
  template <class Kind>
  std::size_t requested() {
    std::size_t count = 0;
    for (const Request& request : verdict.requests()) count += std::holds_alternative<Kind>(request) ? 1 : 0;
    return count;
  }
  std::int64_t load() const { return policy->runqueue_figures(0).find("load").value(); }
  std::int64_t queued() const { return policy->runqueue_figures(0).find("queued").value(); }

  std::unique_ptr<Policy> policy;
  MachineState state;
  Verdict verdict;

 private:
  std::size_t domains_ = 0;
};

/// A ran from 0 and has blocked, B was chosen at 2 ms, and A has not been switched out yet.
struct BetweenSwitches {
  BetweenSwitches() {
    const DomainId domain = hooks.domain();
    a = hooks.insert(domain);
    b = hooks.insert(domain);
    hooks.policy->wake(hooks.at(0ms), a, hooks.verdict);
    REQUIRE(hooks.decide(0ms) == a);
    hooks.policy->wake(hooks.at(0ms), b, hooks.verdict);
    hooks[a].runnable = false;
    REQUIRE(hooks.decide(2ms) == b);
    hooks.verdict.clear();
  }
  Hooks hooks{1};
  UnitId a{};
  UnitId b{};
};

TEST_CASE("Credit2, gotcha 4: a wake before the unit has been switched out queues it then, and is no new load") {
  BetweenSwitches scene;
  Hooks& hooks = scene.hooks;
  hooks[scene.a].runnable = true;
  hooks.policy->wake(hooks.at(2010us), scene.a, hooks.verdict);
  CHECK(hooks.verdict.requests().empty());
  CHECK(hooks.queued() == 0);
  CHECK(hooks.load() == 2);
  hooks.switched_out(2020us, scene.a);
  CHECK(hooks.queued() == 1);
  CHECK(hooks.load() == 2);
}

TEST_CASE("Credit2, gotcha 4: a pause before the unit has been switched out undoes such a wake") {
  BetweenSwitches scene;
  Hooks& hooks = scene.hooks;
  hooks[scene.a].runnable = true;
  hooks.policy->wake(hooks.at(2010us), scene.a, hooks.verdict);
  hooks[scene.a].runnable = false;
  hooks.policy->sleep(hooks.at(2015us), scene.a, hooks.verdict);
  hooks[scene.a].runnable = true;
  hooks.switched_out(2020us, scene.a);
  CHECK(hooks.queued() == 0);
  CHECK(hooks.load() == 1);
}

TEST_CASE("Credit2: a unit that is no longer runnable when it has been switched out leaves the load") {
  BetweenSwitches scene;
  Hooks& hooks = scene.hooks;
  hooks.switched_out(2020us, scene.a);
  CHECK(hooks.queued() == 0);
  CHECK(hooks.load() == 1);
}

TEST_CASE("Credit2, gotcha 4: the current unit's pause asks for its pass and leaves the load to it") {
  BetweenSwitches scene;
  Hooks& hooks = scene.hooks;
  hooks[scene.b].runnable = false;
  hooks.policy->sleep(hooks.at(2010us), scene.b, hooks.verdict);
  CHECK(hooks.requested<Tickle>() == 1);
  CHECK(hooks.load() == 2);
}

TEST_CASE("Credit2: a unit released from its cap before it has been switched out is queued then") {
  Hooks hooks(1);
  const DomainId domain = hooks.domain();
  const UnitId a = hooks.insert(domain);
  CHECK(hooks.policy->adjust_domain(hooks.at(0ms), domain, {{}, 50, {}}, hooks.verdict));
  CHECK(hooks.requested<Arm>() == 1);
  hooks.policy->wake(hooks.at(1ms), a, hooks.verdict);
  REQUIRE(hooks.decide(1ms) == a);
  hooks.verdict.clear();
  REQUIRE(hooks.decide(9999us) == kIdle);  // its 5 ms are long over
  CHECK(hooks.requested<Park>() == 1);
  hooks.verdict.clear();
  hooks.policy->timer(hooks.at(20ms), TimerId{0}, hooks.verdict);  // two periods, which pay the debt
  CHECK(hooks.requested<Unpark>() == 1);
  CHECK(hooks.queued() == 0);
  CHECK(hooks.load() == 1);
  hooks.switched_out(20ms, a);
  CHECK(hooks.queued() == 1);
  CHECK(hooks.load() == 1);
}

TEST_CASE("Credit2: a late replenishment makes up for all periods, and keeps one budget of them") {
  Hooks hooks(1);
  const DomainId domain = hooks.domain();
  const UnitId a = hooks.insert(domain);
  CHECK(hooks.policy->adjust_domain(hooks.at(0ms), domain, {{}, 50, {}}, hooks.verdict));
  hooks.verdict.clear();
  hooks.policy->timer(hooks.at(34ms), TimerId{0}, hooks.verdict);
  REQUIRE(hooks.verdict.requests().size() == 1);
  CHECK(std::get<Arm>(hooks.verdict.requests()[0]).at == 40ms);  // on the grid: no drift
  hooks.policy->wake(hooks.at(34ms), a, hooks.verdict);
  REQUIRE(hooks.decide(34ms) == a);
  CHECK(hooks.policy->figures(a).find("budget") == credits(5ms));
}

TEST_CASE("Credit2: a removed unit leaves its share behind") {
  Hooks hooks(1);
  const DomainId first = hooks.domain();
  CHECK(hooks.policy->adjust_domain(hooks.at(0ms), first, {512, {}, {}}, hooks.verdict));
  const UnitId heavy = hooks.insert(first);
  hooks.insert(hooks.domain());
  CHECK(hooks.policy->runqueue_figures(0).find("max_weight") == 512);
  hooks[heavy].runnable = false;
  hooks.verdict.clear();
  hooks.policy->remove(hooks.at(1ms), heavy, hooks.verdict);
  CHECK(hooks.verdict.requests().empty());
  CHECK(hooks.policy->runqueue_figures(0).find("max_weight") == 256);
  CHECK(hooks.policy->runqueue_figures(0).find("balanced_average") == 1 << 17);
}

TEST_CASE("Credit2: a parked unit that is removed is not released later") {
  Hooks hooks(1);
  const DomainId domain = hooks.domain();
  const UnitId a = hooks.insert(domain);
  CHECK(hooks.policy->adjust_domain(hooks.at(0ms), domain, {{}, 50, {}}, hooks.verdict));
  hooks.policy->wake(hooks.at(0ms), a, hooks.verdict);
  REQUIRE(hooks.decide(0ms) == a);
  REQUIRE(hooks.decide(5ms) == kIdle);
  hooks.switched_out(5ms, a);
  hooks.policy->remove(hooks.at(6ms), a, hooks.verdict);
  hooks.verdict.clear();
  hooks.policy->timer(hooks.at(10ms), TimerId{0}, hooks.verdict);
  CHECK(hooks.requested<Unpark>() == 0);
  CHECK(hooks.requested<Arm>() == 1);
}

}  // namespace
}  // namespace vecusim::test
