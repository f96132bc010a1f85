// RTDS: budgets, deadlines and the oddities of Xen's implementation (specification of the Xen schedulers, section 2).
#include <sstream>

#include "catch.hpp"
#include "policy_bench.hpp"
#include "system/golden_vector.hpp"

namespace vecusim::test {
namespace {

class Lines final : public golden::LineSink {
 public:
  bool line(std::string_view text) override {
    if (text.starts_with("D ")) all.emplace_back(text);
    return true;
  }
  std::vector<std::string> all;
};

/// The decisions of a vector script, in which time is written in microseconds for the reader's sake.
std::vector<std::string> decisions(const std::string& script) {
  std::istringstream in(script);
  std::string pcpus;
  std::getline(in, pcpus);
  std::string scaled = pcpus + '\n';
  for (std::string line; std::getline(in, line);) {
    const std::size_t space = line.find(' ');
    scaled += line.substr(0, space) + (line.substr(0, space) == "0" ? "" : "000") + line.substr(space) + '\n';
  }
  Lines lines;
  golden::replay_vector("rtds", scaled, "script.in")->run(lines);
  return lines.all;
}

TEST_CASE("RTDS: a server without extra time runs its budget in every period (E10)") {
  CHECK(decisions("1\n0 dom\n0 unit 0 0 1\n0 par 0 10000 4000 0\n0 wake 0\n20001 poke 0\n") ==
        std::vector<std::string>{"D 0 0 idle0 u0 4000000 0 10000000 0 0", "D 4000000 0 u0 idle0 -1 0 0 0 0",
                                 "D 4000000 0 idle0 idle0 -1 0 0 0 0", "D 10000000 0 idle0 u0 4000000 0 20000000 0 0",
                                 "D 14000000 0 u0 idle0 -1 0 0 0 0", "D 14000000 0 idle0 idle0 -1 0 0 0 0",
                                 "D 20000000 0 idle0 u0 4000000 0 30000000 0 0",
                                 "D 20001000 0 u0 u0 3999000 0 30000000 3999000 0"});
}

TEST_CASE(
    "RTDS: with extra time a lone hog runs on at falling levels, and a replenishment forgives what ran before it "
    "(E11)") {
  CHECK(decisions("1\n0 dom\n0 unit 0 0 1\n0 wake 0\n23000 poke 0\n") ==
        std::vector<std::string>{
            "D 0 0 idle0 u0 4000000 0 10000000 0 0", "D 4000000 0 u0 u0 4000000 0 10000000 4000000 1",
            "D 8000000 0 u0 u0 4000000 0 10000000 4000000 2", "D 12000000 0 u0 u0 2000000 0 20000000 2000000 0",
            "D 14000000 0 u0 u0 4000000 0 20000000 4000000 1", "D 18000000 0 u0 u0 4000000 0 20000000 4000000 2",
            "D 22000000 0 u0 u0 2000000 0 30000000 2000000 0", "D 23000000 0 u0 u0 1000000 0 30000000 1000000 0"});
}

TEST_CASE("RTDS: a tie tickles nobody, but any pass then swaps (E13)") {
  CHECK(decisions(
            "1\n0 dom\n0 unit 0 0 1\n0 par 0 10000 4000 0\n0 unit 0 0 1\n0 par 1 10000 4000 0\n0 wake 0\n1000 wake 1\n"
            "1500 poke 0\n6000 poke 0\n") ==
        std::vector<std::string>{
            "D 0 0 idle0 u0 4000000 0 10000000 0 0", "D 1500000 0 u0 u1 4000000 0 10000000 2500000 0",
            "D 5500000 0 u1 u0 2500000 0 10000000 0 0", "D 6000000 0 u0 u0 2000000 0 10000000 2000000 0"});
}

TEST_CASE("RTDS: deadlines lie on the grid of periods since boot, and budget is kept inside a period (E16)") {
  CHECK(decisions("1\n123400 dom\n123400 unit 0 0 1\n125000 wake 0\n126000 block 0\n127000 wake 0\n128000 block "
                  "0\n138000 wake 0\n"
                  "143000 poke 0\n") ==
        std::vector<std::string>{
            "D 125000000 0 idle0 u0 4000000 0 130000000 0 0", "D 126000000 0 u0 idle0 -1 0 0 3000000 0",
            "D 127000000 0 idle0 u0 3000000 0 130000000 0 0", "D 128000000 0 u0 idle0 -1 0 0 2000000 0",
            "D 138000000 0 idle0 u0 4000000 0 140000000 0 0", "D 142000000 0 u0 u0 2000000 0 150000000 2000000 0",
            "D 143000000 0 u0 u0 1000000 0 150000000 1000000 0"});
}

constexpr ServerParameters server(HvTime period, HvTime budget, bool extratime = false) {
  return {period, budget, extratime};
}

/// A unit is queued behind its equal, and both are replenished at 20 ms. The other one then has the later deadline, but
/// the head of the run queue, which is all that its replenishment looks at, is bound to another pCPU. What is decided
/// at 20 ms?
Log decided_at_replenishment(bool budget_ended_as_it_blocked) {
  PolicyBench bench("rtds", 2);
  const DomainId domain = bench.domain();
  const UnitId queued = bench.unit(domain, 1, {pcpu_id(1)});
  const UnitId equal = bench.unit(domain, 1, {pcpu_id(1)});
  const UnitId urgent = bench.unit(domain, 0, {pcpu_id(0)});
  const UnitId head = bench.unit(domain, 0, {pcpu_id(0)});
  bench.core().adjust_unit(bench.moment(), queued, server(10ms, 4ms));
  bench.core().adjust_unit(bench.moment(), equal, server(10ms, 10ms));
  bench.core().adjust_unit(bench.moment(), urgent, server(12ms, 12ms));
  bench.core().adjust_unit(bench.moment(), head, server(15ms, 5ms));
  // Armed before the slice timer, so that at 4 ms the block comes first, and the pass finds the budget used up.
  bench.at(budget_ended_as_it_blocked ? 4ms : 3ms, [&] { bench.core().block(bench.moment(), queued); });
  bench.come_up(queued);
  bench.until(11ms);
  bench.come_up(equal);   // until 20 ms
  bench.come_up(urgent);  // until 22 ms
  bench.come_up(head);    // until 25 ms
  bench.until(12ms);
  bench.unblock(queued);  // until 20 ms: a tie, no tickle
  CHECK(bench.policy().figures(queued).find("budget") == 4'000'000);
  CHECK(bench.policy().figures(queued).find("depleted") == (budget_ended_as_it_blocked ? 1 : 0));
  bench.core().adjust_unit(bench.moment(), equal, server(20ms, 10ms));  // its next deadline: 40 ms
  bench.log();
  bench.until(20ms);
  CHECK(bench.policy().figures(queued).find("depleted") == 0);
  return bench.log();
}

TEST_CASE(
    "RTDS: a new budget at a wake-up does not clear the mark of a depleted unit, which tickles at its next "
    "replenishment") {
  CHECK(decided_at_replenishment(true) == Log{"20000 p1 u1>u0 4000"});
}

TEST_CASE("RTDS: the replenishment of a queued unit that was not depleted tickles nobody") {
  CHECK(decided_at_replenishment(false).empty());
}

TEST_CASE("RTDS: parameters of one unit are held against Xen's rules") {
  PolicyBench bench("rtds", 1);
  const UnitId unit = bench.unit(bench.domain());
  const auto accepts = [&](HvTime period, HvTime budget) {
    return bench.core().adjust_unit(bench.moment(), unit, server(period, budget));
  };
  CHECK(accepts(10us, 10us));
  CHECK_FALSE(accepts(10us, 9us));
  CHECK_FALSE(accepts(9us, 9us));
  CHECK_FALSE(accepts(10ms, 11ms));
  CHECK(accepts(HvTime{(std::int64_t{1} << 62) - 1}, 10ms));
  CHECK_FALSE(accepts(HvTime{std::int64_t{1} << 62}, 10ms));
}

TEST_CASE("RTDS: parameters of a whole domain are checked from 4.22 on only, and leave extra time as it is") {
  for (const auto& [version, checked] : {std::pair{"4.14.6", false}, std::pair{"4.22.0", true}}) {
    PolicyBench bench("rtds", 1, version);
    const DomainId domain = bench.domain();
    const UnitId unit = bench.unit(domain);
    const auto accepts = [&](HvTime period, HvTime budget) {
      return bench.core().adjust_domain(bench.moment(), domain,
                                        {std::nullopt, std::nullopt, ServerParameters{period, budget, {}}});
    };
    CHECK(accepts(5ms, 1ms));
    CHECK(accepts(5us, 9us) != checked);
    CHECK_FALSE(accepts(0ms, 1ms));
    CHECK_FALSE(accepts(1ms, 0ms));
    CHECK(accepts(5ms, 1ms));
    bench.come_up(unit);
    bench.until(12ms);
    CHECK(bench.running_on(0) == unit);
    CHECK(bench.policy().figures(unit).find("level").value_or(0) > 0);
  }
}

TEST_CASE(
    "RTDS: extra time switched on for a depleted unit refills it from 4.22 on; before, it waits for its "
    "replenishment") {
  const auto log = [](std::string_view version) {
    PolicyBench bench("rtds", 1, version);
    const UnitId unit = bench.unit(bench.domain());
    CHECK(bench.core().adjust_unit(bench.moment(), unit, server(10ms, 4ms)));
    bench.come_up(unit);
    bench.until(5ms);
    CHECK(bench.core().adjust_unit(bench.moment(), unit, server(10ms, 4ms, true)));
    bench.log();
    bench.poke(0);  // nobody is tickled by the change
    return bench.log();
  };
  CHECK(log("4.14.6") == Log{"5000 p0 idle>idle -"});
  CHECK(log("4.20.3") == Log{"5000 p0 idle>idle -"});
  CHECK(log("4.20.4") == Log{"5000 p0 idle>u0 4000"});
  CHECK(log("4.22.0") == Log{"5000 p0 idle>u0 4000"});
}

TEST_CASE("RTDS: a pass that finds the first unit not runnable gives up before 4.18, and searches on since") {
  const auto chosen = [](std::string_view version) {
    const std::unique_ptr<Policy> policy = PolicyBench::make("rtds", 1, version);
    MachineState state{{kIdle}, std::vector<UnitState>(2)};
    Verdict verdict;
    verdict.reserve(1, 2);
    const HookContext context{0ms, pcpu_id(0), state};
    policy->add_pcpu(context, pcpu_id(0), verdict);
    for (int u = 0; u < 2; ++u) {
      state.units[static_cast<std::size_t>(u)].hard = state.units[static_cast<std::size_t>(u)].soft = {pcpu_id(0)};
      policy->insert(context, unit_id(u), {}, verdict);
      state.units[static_cast<std::size_t>(u)].online = state.units[static_cast<std::size_t>(u)].runnable = true;
      policy->wake(context, unit_id(u), verdict);
    }
    state.units[0].runnable = false;  // a pause that the policy has not been told of yet
    return policy->schedule(context, kIdle, verdict).unit;
  };
  CHECK(chosen("4.14.6") == kIdle);
  CHECK(chosen("4.17.0") == kIdle);
  CHECK(chosen("4.18.0") == unit_id(1));
}

TEST_CASE("RTDS: a depleted unit is held by its budget until its deadline, a queued one by the others") {
  PolicyBench bench("rtds", 1);
  const DomainId domain = bench.domain();
  const UnitId one = bench.unit(domain);
  const UnitId other = bench.unit(domain);
  for (const UnitId unit : {one, other}) CHECK(bench.core().adjust_unit(bench.moment(), unit, server(10ms, 4ms)));
  bench.come_up(one);
  bench.come_up(other);
  CHECK(bench.policy().held(bench.context(), other).reason == HoldReason::runqueue);
  bench.until(5ms);
  const Hold hold = bench.policy().held(bench.context(), one);
  CHECK(hold.reason == HoldReason::budget);
  CHECK(hold.until == 10ms);
}

TEST_CASE("RTDS: a unit that may not use the free pCPU is held by its affinity") {
  PolicyBench bench("rtds", 2);
  const DomainId domain = bench.domain();
  const UnitId one = bench.unit(domain, 0, {pcpu_id(0)});
  const UnitId other = bench.unit(domain, 0, {pcpu_id(0)});
  bench.come_up(one);
  bench.come_up(other);
  CHECK(bench.policy().held(bench.context(), other).reason == HoldReason::affinity);
}

TEST_CASE("RTDS: a paused unit leaves the queues, and its replenishment does not bring it back") {
  PolicyBench bench("rtds", 1);
  const DomainId domain = bench.domain();
  const UnitId one = bench.unit(domain);
  const UnitId other = bench.unit(domain);
  bench.come_up(one);
  bench.come_up(other);
  bench.pause(other);
  bench.until(25ms);
  CHECK(bench.running_on(0) == one);
  bench.pause(one);
  CHECK(bench.running_on(0) == kIdle);
  bench.log();
  bench.until(1s);
  CHECK(bench.log().empty());
  bench.unpause(other);
  CHECK(bench.running_on(0) == other);
  CHECK(bench.policy().figures(other).find("deadline") == 1'010'000'000);
}

TEST_CASE("RTDS: a domain created late begins with the deadline after its creation") {
  PolicyBench bench("rtds", 1);
  bench.come_up(bench.unit(bench.domain()));
  bench.until(34ms);
  const UnitId late = bench.unit(bench.domain());
  CHECK(bench.policy().figures(late).find("deadline") == 40'000'000);
  bench.come_up(late);
  bench.until(100ms);
  CHECK(bench.core().totals(late, 100ms).in(Runstate::running) > 20ms);
}

}  // namespace
}  // namespace vecusim::test
