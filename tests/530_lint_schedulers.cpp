// Lint of schedulers: each rule where it applies, and silence where it does not.
#include <algorithm>

#include "catch.hpp"
#include "system/lint_schedulers.hpp"

namespace vecusim {
namespace {

LintedDomain domain(std::string name, std::size_t vcpus = 1) {
  LintedDomain result;
  result.name = std::move(name);
  result.vcpus = vcpus;
  return result;
}

/// Pointers are set; four pCPUs unless said otherwise.
LintedPool pool(std::string scheduler, std::vector<LintedDomain> domains, std::size_t pcpus = 4) {
  LintedPool result;
  result.pointer = "/hypervisor/scheduler";
  result.scheduler = std::move(scheduler);
  result.pcpus = PcpuMask::first_n(pcpus);
  result.domains = std::move(domains);
  for (std::size_t d = 0; d < result.domains.size(); ++d) result.domains[d].pointer = "/domains/" + std::to_string(d);
  return result;
}

/// "RULE POINTER: FOUND", sorted as found; errors begin with "!".
std::vector<std::string> findings(const LintedPool& pool) {
  std::vector<std::string> result;
  for (const Problem& problem : lint(pool)) {
    CHECK_FALSE(problem.expected.empty());
    result.push_back((problem.severity == Severity::error ? "!" : "") + problem.rule + ' ' + problem.pointer + ": " +
                     problem.found);
  }
  return result;
}

using Findings = std::vector<std::string>;

constexpr PcpuId pcpu(int number) { return static_cast<PcpuId>(number); }

TEST_CASE("lint says nothing of ordinary pools") {
  LintedDomain heavy = domain("dom0", 2);
  heavy.weight = 512;
  LintedPool credit2 = pool("credit2", {heavy, domain("domU", 4)});
  credit2.ratelimit = 1ms;
  CHECK(findings(credit2).empty());
  LintedPool credit = credit2;
  credit.scheduler = "credit";
  credit.tslice = 30ms;
  CHECK(findings(credit).empty());

  LintedPool null = pool("null", {domain("dom0", 2), domain("domU", 2)});
  null.vwfi_native = true;
  CHECK(findings(null).empty());
}

// ---- Affinity ----

TEST_CASE("lint pin-outside-pool: pCPUs of another pool have no effect, and none of the own is refused") {
  LintedDomain partly = domain("a", 2);
  partly.affinity = {{pcpu(0)}, {pcpu(3), pcpu(4)}};
  LintedDomain nowhere = domain("b");
  nowhere.affinity = {{pcpu(5)}};
  CHECK(findings(pool("credit2", {partly, nowhere})) ==
        Findings{"pin-outside-pool /domains/0/affinity: pCPU 4 for vCPU 1",
                 "!pin-outside-pool /domains/1/affinity: pCPU 5 for vCPU 0"});
}

// ---- Parameters of other schedulers ----

TEST_CASE("lint parameter-ignored: names what the scheduler does not heed") {
  LintedDomain shares = domain("a");
  shares.weight = 512;
  shares.cap_pct = 50;
  LintedDomain server = domain("b");
  server.budget = 4ms;
  server.period = 10ms;
  server.extratime = false;
  CHECK(findings(pool("null", {shares})) ==
        Findings{"parameter-ignored /domains/0/weight: one", "parameter-ignored /domains/0/cap_pct: one"});
  CHECK(findings(pool("credit2", {domain("a"), server})) == Findings{"parameter-ignored /domains/1/budget_us: one",
                                                                     "parameter-ignored /domains/1/period_us: one",
                                                                     "parameter-ignored /domains/1/extratime: one"});
  CHECK(findings(pool("rtds", {server})).empty());

  LintedDomain pinned = domain("a");
  pinned.affinity = {{pcpu(1)}};
  LintedPool arinc653 = pool("arinc653", {pinned});
  CHECK(findings(arinc653) == Findings{"parameter-ignored /domains/0/affinity: one"});
}

// ---- Rate limit and slice ----

TEST_CASE("lint ratelimit-range: Xen takes at boot what xl refuses") {
  LintedPool credit2 = pool("credit2", {domain("dom0")});
  const auto with = [&](Duration ratelimit) {
    credit2.ratelimit = ratelimit;
    return findings(credit2);
  };
  const std::string prefix = "ratelimit-range /hypervisor/scheduler/ratelimit_us: ";
  CHECK(with(99us) == Findings{prefix + "99 us, which Xen takes at boot all the same"});
  CHECK(with(500'001us).front() == prefix + "500001 us, which Xen takes at boot all the same");
  for (const Duration fine : {Duration{0us}, Duration{100us}, Duration{10ms}}) CHECK(with(fine).empty());
}

TEST_CASE("lint ratelimit-above-slice: Credit takes the slice instead, Credit2 makes every slice as long") {
  LintedPool credit = pool("credit", {domain("dom0")});
  credit.ratelimit = 6ms;
  credit.tslice = 5ms;
  CHECK(findings(credit) == Findings{"ratelimit-above-slice /hypervisor/scheduler/ratelimit_us: 6000 us, for which Xen "
                                     "takes the slice at boot; xl refuses it"});
  credit.tslice = 6ms;
  CHECK(findings(credit).empty());
  LintedPool credit2 = pool("credit2", {domain("dom0")});
  credit2.ratelimit = 10'001us;
  CHECK(findings(credit2) == Findings{"ratelimit-above-slice /hypervisor/scheduler/ratelimit_us: 10001 us, which makes "
                                      "every slice as long"});
}

// ---- vwfi ----

TEST_CASE("lint vwfi-native-shared: more vCPUs than pCPUs, or vCPUs pinned to the same one") {
  LintedPool many = pool("credit2", {domain("dom0", 4), domain("domU")});
  many.vwfi_native = true;
  CHECK(findings(many) == Findings{"vwfi-native-shared /hypervisor/vwfi: \"native\" with 5 vCPUs on 4 pCPUs"});
  many.vwfi_native = false;
  CHECK(findings(many).empty());

  LintedDomain dom0 = domain("dom0", 2);
  dom0.affinity = {{pcpu(0), pcpu(1)}, {pcpu(0), pcpu(1)}};
  LintedDomain guest = domain("domU");
  guest.affinity = {{pcpu(1)}};
  LintedPool pinned = pool("credit2", {dom0, guest});
  pinned.vwfi_native = true;
  CHECK(findings(pinned) == Findings{"vwfi-native-shared /hypervisor/vwfi: \"native\" with 3 vCPUs on 4 pCPUs"});
  pinned.domains[0].affinity[1].insert(pcpu(3));
  CHECK(findings(pinned).empty());
}

// ---- Weights and caps ----

TEST_CASE("lint weight-moot: a weight without a rival, or under caps that leave no contention") {
  LintedDomain weighted = domain("a");
  weighted.weight = 512;
  CHECK(findings(pool("credit2", {weighted})) ==
        Findings{"weight-moot /domains/0/weight: no other domain in the pool"});

  LintedDomain other = domain("b", 2);
  weighted.cap_pct = 100;
  other.cap_pct = 200;
  CHECK(findings(pool("credit", {weighted, other}, 3)) ==
        Findings{"weight-moot /domains/0/weight: caps of 300 % altogether, for which 3 pCPUs suffice"});
  CHECK(findings(pool("credit", {weighted, other}, 2)).empty());
  LintedDomain pinned = other;
  pinned.affinity = {{pcpu(0)}, {pcpu(0)}};
  CHECK(findings(pool("credit", {weighted, pinned}, 3)).empty());
  other.cap_pct = 0;
  CHECK(findings(pool("credit", {weighted, other}, 3)).empty());
}

TEST_CASE("lint cap-above-vcpus: a cap that the vCPUs cannot use up is refused by Xen") {
  LintedDomain two = domain("a", 2);
  two.cap_pct = 201;
  CHECK(findings(pool("credit2", {two, domain("b")})) == Findings{"!cap-above-vcpus /domains/0/cap_pct: 201"});
  two.cap_pct = 200;
  CHECK(findings(pool("credit2", {two, domain("b")})).empty());
}

TEST_CASE("lint cap-below-turn: under Credit2 nobody runs for less than the rate limit") {
  LintedDomain small = domain("a", 2);
  small.cap_pct = 19;
  LintedPool credit2 = pool("credit2", {small, domain("b")});
  CHECK(findings(credit2) == Findings{"cap-below-turn /domains/0/cap_pct: 950 us"});
  credit2.ratelimit = 0us;
  CHECK(findings(credit2).empty());
  credit2.cap_period = 5ms;
  CHECK(findings(credit2) == Findings{"cap-below-turn /domains/0/cap_pct: 475 us"});
  credit2.domains[0].cap_pct = 20;
  CHECK(findings(credit2).empty());
}

TEST_CASE("lint runqueue-per-pcpu: with more vCPUs than pCPUs some wait while others idle") {
  LintedPool credit2 = pool("credit2", {domain("a", 2), domain("b")}, 2);
  credit2.runqueue_per_pcpu = true;
  CHECK(findings(credit2) ==
        Findings{"runqueue-per-pcpu /hypervisor/scheduler/runqueue: 3 vCPUs on 2 pCPUs with a runqueue each"});
  credit2.pcpus = PcpuMask::first_n(3);
  CHECK(findings(credit2).empty());
}

// ---- RTDS ----

LintedDomain server(std::string name, std::size_t vcpus, Duration budget, Duration period) {
  LintedDomain result = domain(std::move(name), vcpus);
  result.budget = budget;
  result.period = period;
  result.extratime = false;
  return result;
}

TEST_CASE("lint rtds-overload: budgets that exceed the pCPUs, exactly") {
  const std::vector<LintedDomain> full = {server("a", 2, 5ms, 10ms), server("b", 3, 1ms, 3ms)};
  CHECK(findings(pool("rtds", full, 2)).empty());
  std::vector<LintedDomain> over = full;
  over[1].budget = 1'010us;
  CHECK(findings(pool("rtds", over, 2)) ==
        Findings{"rtds-overload /hypervisor/scheduler: budget / period of 2.010000 altogether"});
}

TEST_CASE("lint rtds-default-server and rtds-extratime-default: what Xen gives without being asked") {
  LintedDomain unlimited = server("b", 1, 2ms, 10ms);
  unlimited.extratime.reset();
  CHECK(findings(pool("rtds", {domain("a"), unlimited})) ==
        Findings{"rtds-default-server /domains/0: neither: each vCPU gets 4000 us of every 10000 us",
                 "rtds-extratime-default /domains/1/budget_us: no extratime"});
  CHECK(findings(pool("rtds", {domain("a", 6)}, 2)).back() ==
        "rtds-overload /hypervisor/scheduler: budget / period of 2.400000 altogether");
}

// ---- null ----

TEST_CASE("lint null-oversubscribed: vCPUs without a pCPU never run") {
  CHECK(findings(pool("null", {domain("dom0", 4), domain("domU", 2)})) ==
        Findings{"null-oversubscribed /hypervisor/scheduler: 6 vCPUs on 4 pCPUs"});
  LintedDomain pinned = domain("domU", 2);
  pinned.affinity = {{pcpu(2)}, {pcpu(2)}};
  CHECK(findings(pool("null", {pinned})) ==
        Findings{"null-oversubscribed /hypervisor/scheduler: 2 vCPUs on 4 pCPUs, pinned so that some share one"});
}

TEST_CASE("lint null-pin-taken: another vCPU may come up first on the only pCPU of a pinned one") {
  LintedDomain pinned = domain("domU");
  pinned.affinity = {{pcpu(0)}};
  CHECK(findings(pool("null", {domain("dom0"), pinned})) ==
        Findings{"null-pin-taken /domains/1/affinity: a vCPU of \"dom0\" that may take it"});
  LintedDomain dom0 = domain("dom0");
  dom0.affinity = {{pcpu(1), pcpu(2)}};
  CHECK(findings(pool("null", {dom0, pinned})).empty());
}

// ---- ARINC653 ----

TEST_CASE("lint arinc653: what is not in the schedule never runs, and what is in it alone is never two at once") {
  const NamedSlotTable table{20ms, {{"dom0/0", 5ms}, {"ivi/0", 5ms}, {"ivi/1", 5ms}, {"dom0/7", 1ms}, {"x/0", 1ms}}};
  LintedPool arinc653 = pool("arinc653", {domain("dom0", 2), domain("ivi", 2), domain("safety")});
  arinc653.table = &table;
  CHECK(findings(arinc653) == Findings{"arinc653-unknown-vcpu /hypervisor/scheduler/entries/3/vcpu: \"dom0/7\"",
                                       "arinc653-unknown-vcpu /hypervisor/scheduler/entries/4/vcpu: \"x/0\"",
                                       "arinc653-missing-vcpu /domains/0/vcpus: none for vCPU 1",
                                       "arinc653-serial-vcpus /domains/1/vcpus: 2",
                                       "arinc653-missing-domain /domains/2: none"});
}

TEST_CASE("lint arinc653-missing-domain: without a schedule only the first domain runs") {
  CHECK(findings(pool("arinc653", {domain("dom0", 2), domain("safety")})) ==
        Findings{"arinc653-missing-domain /domains/1: no entries"});
}

TEST_CASE("lint findings are located by pointer and silenced by rule, as other warnings are") {
  const std::vector<Problem> found = lint(pool("null", {domain("dom0", 5)}));
  REQUIRE(found.size() == 1);
  CHECK(to_text(found.front()).find("/hypervisor/scheduler: expected a pCPU for each vCPU") != std::string::npos);
  CHECK(to_text(found.front()).find("[warning: null-oversubscribed]") != std::string::npos);
}

}  // namespace
}  // namespace vecusim
