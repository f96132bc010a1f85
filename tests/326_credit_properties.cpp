// Credit: what caps and the rate limit promise, whatever the units do.
#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "allocations.hpp"
#include "catch.hpp"
#include "credit_bench.hpp"

namespace vecusim::test {
namespace {

/// Counts the units that were replaced although they could go on, and those of them that had not run for the rate
/// limit.
class RatelimitBench final : public PolicyBench {
 public:
  RatelimitBench(std::unique_ptr<Policy> policy, std::size_t pcpus, HvTime ratelimit)
      : PolicyBench(std::move(policy), pcpus), ratelimit_(ratelimit) {}
  std::size_t preemptions = 0;
  std::size_t too_early = 0;

 private:
  void decided(PcpuId, UnitId previous, const Decision& decision) override {
    if (previous == kIdle || decision.unit == previous || !core().runnable(previous)) return;
    ++preemptions;
    if (machine().now() - core().state()[previous].entry_time < ratelimit_) ++too_early;
  }

  HvTime ratelimit_;
};

/// Blocks and wakes units at random moments, about every 2 ms.
void disturb(PolicyBench& bench, const std::vector<UnitId>& units, unsigned seed, HvTime until) {
  std::minstd_rand random(seed);
  HvTime at{0};
  for (;;) {
    at += HvTime{static_cast<std::int64_t>(random() % 4'000'000)};
    if (at >= until) break;
    bench.until(at);
    const UnitId unit = units[random() % units.size()];
    if (bench.core().state()[unit].running && random() % 2 == 0) {
      bench.block(unit);
    } else {
      bench.unblock(unit);
    }
  }
  bench.until(until);
}

TEST_CASE("Credit: the rate limit protects every unit that can go on") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const HvTime ratelimit = std::array<HvTime, 4>{100us, 1ms, 5ms, 20ms}[seed % 4];
    const std::string parameters = "{\"ratelimit_us\":" + std::to_string(ratelimit / 1us) + "}";
    const std::size_t pcpus = 1 + seed % 3;
    INFO("seed " << seed);
    RatelimitBench bench(make_credit(parameters, pcpus), pcpus, ratelimit);
    std::vector<UnitId> units;
    const DomainId domain = bench.domain();
    for (int u = 0; u < 6; ++u) units.push_back(bench.unit(domain));
    for (const UnitId unit : units) bench.come_up(unit);
    disturb(bench, units, seed, 2s);
    CHECK(bench.too_early == 0);
    CHECK(bench.preemptions > 30);
  }
}

/// How long the vCPUs of a capped domain, all hogs, ran together.
HvTime run_capped(std::int32_t cap, std::size_t pcpus, int vcpus, HvTime length) {
  PolicyBench bench("credit", pcpus);
  bench.set_logging(false);
  const DomainId domain = bench.domain();
  CHECK(bench.core().adjust_domain(bench.moment(), domain, {std::nullopt, cap, std::nullopt}));
  std::vector<UnitId> units;
  for (int v = 0; v < vcpus; ++v) units.push_back(bench.unit(domain));
  for (const UnitId unit : units) bench.come_up(unit);
  bench.until(length);
  HvTime ran{0};
  for (const UnitId unit : units) ran += bench.core().totals(unit, length).in(Runstate::running);
  return ran;
}

TEST_CASE("Credit: hogs of a capped domain get its cap, and never more in the long run") {
  constexpr HvTime kLength = 12s;
  for (const std::int32_t cap : {5, 20, 50, 90, 150}) {
    for (const std::size_t pcpus : {1U, 2U, 4U}) {
      for (const int vcpus : {1, 2, 3}) {
        if (cap > 100 * vcpus) continue;
        INFO("cap " << cap << ", " << pcpus << " pCPUs, " << vcpus << " vCPUs");
        const HvTime ran = run_capped(cap, pcpus, vcpus, kLength);
        const HvTime allowed = kLength * std::min<std::int64_t>(cap, 100 * static_cast<std::int64_t>(pcpus)) / 100;
        // A unit may owe two slices, and shares are rounded up to a credit (0.1 ms) per slice.
        CHECK(ran <= allowed + (60ms + kLength / 30ms * 100us) * vcpus);
        CHECK(ran >= allowed - 60ms * vcpus);
      }
    }
  }
}

TEST_CASE("Credit: parking and releasing allocate nothing") {
  PolicyBench bench("credit", 2);
  bench.set_logging(false);
  std::vector<UnitId> units;
  for (int d = 0; d < 3; ++d) {
    const DomainId domain = bench.domain();
    CHECK(bench.core().adjust_domain(bench.moment(), domain, {256 << d, 10 + 20 * d, std::nullopt}));
    for (int v = 0; v < 2; ++v) units.push_back(bench.unit(domain));
  }
  for (const UnitId unit : units) bench.come_up(unit);
  bench.until(200ms);
  std::size_t parked = 0;
  const std::uint64_t before = allocations();
  for (HvTime at = 200ms; at < 3s; at += 30ms) {
    bench.until(at);
    for (const UnitId unit : units) {
      if (bench.policy().held(bench.context(), unit).reason == HoldReason::cap) ++parked;
    }
  }
  CHECK(allocations() == before);
  CHECK(parked > 50);
}

}  // namespace
}  // namespace vecusim::test
