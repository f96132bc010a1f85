// What holds for every policy of the catalogue whatever happens to its units: random scripts.
#include <array>
#include <random>

#include "allocations.hpp"
#include "catch.hpp"
#include "policy_bench.hpp"

namespace vecusim::test {
namespace {

constexpr std::size_t kUnits = 7;
constexpr HvTime kLength = 2s;

/// Checks each decision at the moment it is made.
class CheckedBench final : public PolicyBench {
 public:
  using PolicyBench::PolicyBench;
  bool heeds_affinity = true;
  std::size_t decisions = 0;
  std::size_t faults = 0;

 private:
  void decided(PcpuId pcpu, UnitId previous, const Decision& decision) override {
    PolicyBench::decided(pcpu, previous, decision);
    ++decisions;
    if (decision.unit == kIdle) return;
    const MachineState& state = core().state();
    const bool elsewhere = decision.unit != previous && state[decision.unit].running;
    const bool forbidden = heeds_affinity && !state[decision.unit].hard.contains(pcpu);
    if (elsewhere || forbidden || !core().runnable(decision.unit) || decision.slice < kNoSlice) ++faults;
  }
};

/// One script: its events depend on the seed alone.
class Script {
 public:
  Script(CheckedBench& bench, unsigned seed, bool with_affinity)
      : bench_(bench), random_(seed), with_affinity_(with_affinity) {}

  void set_up() {
    for (std::size_t u = 0; u < kUnits; ++u) {
      if (u % 3 == 0) domain_ = bench_.domain();
      units_[u] = bench_.unit(domain_, static_cast<int>(u % 2));
    }
    for (const UnitId unit : units_) bench_.come_up(unit);
  }

  void run_until(HvTime end) {
    for (;;) {
      const HvTime next = now_ + HvTime{below(4'000'000)};
      if (next >= end) break;
      now_ = next;
      bench_.until(now_);
      act(units_[below(kUnits)]);
    }
    now_ = end;
    bench_.until(end);
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_()) % n; }

  void act(UnitId unit) {
    SchedCore& core = bench_.core();
    switch (below(with_affinity_ ? 9 : 7)) {
      case 0:
      case 1:
        if (core.state()[unit].running) core.block(bench_.moment(), unit);
        break;
      case 2:
      case 3:
      case 4:
        core.unblock(bench_.moment(), unit);
        break;
      case 5:
        if (core.state()[unit].running) core.yield(bench_.moment(), unit);
        break;
      case 6:
        if (below(3) == 0) {
          core.pause(bench_.moment(), unit);
        } else {
          core.unpause(bench_.moment(), unit);
        }
        break;
      case 7:
        core.set_affinity(bench_.moment(), unit, PcpuMask::from_bits(1 + below(3)), std::nullopt);
        break;
      default:
        core.set_affinity(bench_.moment(), unit, std::nullopt, PcpuMask::from_bits(1 + below(3)));
        break;
    }
    bench_.machine().settle();
  }

  CheckedBench& bench_;
  std::minstd_rand random_;
  bool with_affinity_;
  DomainId domain_{};
  std::array<UnitId, kUnits> units_{};
  HvTime now_{};
};

/// ARINC653 ignores affinity.
bool heeds_affinity(std::string_view policy) { return policy != "arinc653"; }

Log log_of(std::string_view policy, unsigned seed) {
  CheckedBench bench(policy, 2);
  Script script(bench, seed, true);
  script.set_up();
  script.run_until(kLength);
  return bench.log();
}

TEST_CASE("every policy chooses only units that are runnable, allowed and running nowhere else") {
  for (const PolicyEntry& entry : policies()) {
    std::size_t decisions = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
      INFO(entry.option.name << ", seed " << seed);
      CheckedBench bench(entry.option.name, 2);
      bench.set_logging(false);
      bench.heeds_affinity = heeds_affinity(entry.option.name);
      Script script(bench, seed, true);
      script.set_up();
      script.run_until(kLength);
      CHECK(bench.faults == 0);
      decisions += bench.decisions;
    }
    CHECK(decisions > 1000);  // else there was little to check
  }
}

TEST_CASE("every policy decides the same when the same happens again") {
  for (const PolicyEntry& entry : policies()) {
    INFO(entry.option.name);
    CHECK(log_of(entry.option.name, 7) == log_of(entry.option.name, 7));
  }
}

TEST_CASE("every policy answers what holds each unit that waits, with an end that is not over") {
  for (const PolicyEntry& entry : policies()) {
    INFO(entry.option.name);
    CheckedBench bench(entry.option.name, 2);
    bench.set_logging(false);
    Script script(bench, 3, true);
    script.set_up();
    std::size_t asked = 0;
    for (HvTime at = 1ms; at < kLength; at += 1ms) {
      script.run_until(at);
      for (std::size_t u = 0; u < kUnits; ++u) {
        const auto unit = static_cast<UnitId>(u);
        if (!bench.core().runnable(unit) || bench.core().state()[unit].running) continue;
        ++asked;
        const Hold hold = bench.policy().held(bench.context(), unit);
        if (hold.reason == HoldReason::runqueue || hold.reason == HoldReason::affinity) continue;
        CHECK(hold.until >= at);
      }
    }
    CHECK(asked > 100);
  }
}

TEST_CASE("no policy allocates once its units are inserted") {
  for (const PolicyEntry& entry : policies()) {
    INFO(entry.option.name);
    CheckedBench bench(entry.option.name, 2);
    bench.set_logging(false);
    Script script(bench, 11, true);
    script.set_up();
    script.run_until(200ms);  // the machine makes a timer when a policy first arms it
    const std::uint64_t before = allocations();
    script.run_until(kLength);
    CHECK(allocations() == before);
  }
}

TEST_CASE("runstates add up for every unit under every policy") {
  for (const PolicyEntry& entry : policies()) {
    INFO(entry.option.name);
    CheckedBench bench(entry.option.name, 2);
    Script script(bench, 5, true);
    script.set_up();
    script.run_until(kLength);
    HvTime ran{0};
    for (std::size_t u = 0; u < kUnits; ++u) {
      const RunTotals totals = bench.core().totals(static_cast<UnitId>(u), kLength);
      HvTime sum{0};
      for (const HvTime time : totals.in_state) sum += time;
      CHECK(sum == kLength);
      ran += totals.in(Runstate::running);
    }
    const golden::IdealMachine& machine = bench.machine();
    CHECK(ran + machine.idle_time(pcpu_id(0), kLength) + machine.idle_time(pcpu_id(1), kLength) == 2 * kLength);
  }
}

TEST_CASE("RTDS: no pCPU idles while a unit with budget that may run there waits") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    CheckedBench bench("rtds", 2);
    bench.set_logging(false);
    Script script(bench, seed, true);
    script.set_up();
    for (HvTime at = 500us; at < kLength; at += 500us) {
      script.run_until(at);
      const MachineState& state = bench.core().state();
      for (std::size_t u = 0; u < kUnits; ++u) {
        const auto unit = static_cast<UnitId>(u);
        if (!bench.core().runnable(unit) || state[unit].running) continue;
        for (const PcpuId pcpu : state[unit].hard) CHECK(state.current_of(pcpu) != kIdle);
      }
    }
  }
}

TEST_CASE("RTDS: without extra time no unit runs for more than its budget in a period of the grid") {
  CheckedBench bench("rtds", 2);
  bench.set_logging(false);
  Script script(bench, 9, false);
  script.set_up();
  for (std::size_t u = 0; u < kUnits; ++u) {
    CHECK(bench.core().adjust_unit(bench.moment(), static_cast<UnitId>(u), {10ms, 3ms, false}));
  }
  script.run_until(20ms);  // the parameters count from the first replenishment on
  std::array<HvTime, kUnits> before{};
  for (HvTime at = 20ms; at < kLength; at += 10ms) {
    for (std::size_t u = 0; u < kUnits; ++u) {
      before[u] = bench.core().totals(static_cast<UnitId>(u), at).in(Runstate::running);
    }
    script.run_until(at + 10ms);
    for (std::size_t u = 0; u < kUnits; ++u) {
      const HvTime ran = bench.core().totals(static_cast<UnitId>(u), at + 10ms).in(Runstate::running)-before[u];
      CHECK(ran <= 3ms);
    }
  }
}

}  // namespace
}  // namespace vecusim::test
