// ARINC653: slots, frames and what happens outside them (specification of the Xen schedulers, section 4).
#include "catch.hpp"
#include "policy_bench.hpp"
#include "system/json_fields.hpp"
#include "system/json_parse.hpp"

namespace vecusim::test {
namespace {

constexpr DomainId kDom0{0};

/// d1v0 for 10 ms, d2v0 for 5 ms of every 20 ms, on one pCPU; both runnable (E19).
struct TwoPartitions {
  explicit TwoPartitions(std::string_view version = kDefaultXenVersion) : bench("arinc653", 1, version) {
    bench.domain();
    one = bench.unit(bench.domain());
    other = bench.unit(bench.domain());
    bench.core().set_table(bench.moment(), {20ms, {{one, 10ms}, {other, 5ms}}});
    bench.event([&] {
      bench.core().come_up(bench.moment(), one);
      bench.core().come_up(bench.moment(), other);
    });
  }
  PolicyBench bench;
  UnitId one{};
  UnitId other{};
};

TEST_CASE("ARINC653: slots follow one another and the frame ends idle") {
  TwoPartitions two;
  two.bench.until(40ms);
  CHECK(two.bench.log() == Log{"0 p0 idle>u0 10000", "10000 p0 u0>u1 5000", "15000 p0 u1>idle 5000",
                               "20000 p0 idle>u0 10000", "30000 p0 u0>u1 5000", "35000 p0 u1>idle 5000",
                               "40000 p0 idle>u0 10000"});
}

TEST_CASE("ARINC653: a slot is not donated when its unit blocks, and goes on when it wakes inside") {
  TwoPartitions two;
  two.bench.until(2ms);
  two.bench.block(two.one);
  two.bench.until(6ms);
  two.bench.unblock(two.one);
  two.bench.until(10ms);
  CHECK(two.bench.log() ==
        Log{"0 p0 idle>u0 10000", "2000 p0 u0>idle 8000", "6000 p0 idle>u0 4000", "10000 p0 u0>u1 5000"});
}

TEST_CASE("ARINC653: a unit that is paused is not awake until it is unpaused, and a pass tells so at once") {
  TwoPartitions two;
  two.bench.until(2ms);
  two.bench.pause(two.one);
  two.bench.until(12ms);
  two.bench.unpause(two.one);
  two.bench.until(20ms);
  CHECK(two.bench.log() == Log{"0 p0 idle>u0 10000", "2000 p0 u0>idle 8000", "10000 p0 idle>u1 5000",
                               "12000 p0 u1>u1 3000", "15000 p0 u1>idle 5000", "20000 p0 idle>u0 10000"});
}

TEST_CASE("ARINC653: before 4.21 a late pass shifts the frame, from then on frames lie on a grid") {
  const auto slices = [](std::string_view version) {
    const std::unique_ptr<Policy> policy = PolicyBench::make("arinc653", 1, version);
    MachineState state{{kIdle}, {{}, {}}};
    Verdict verdict;
    verdict.reserve(1, 2);
    policy->add_pcpu({0ms, pcpu_id(0), state}, pcpu_id(0), verdict);
    policy->set_table({0ms, pcpu_id(0), state}, {20ms, {{unit_id(0), 10ms}, {unit_id(1), 5ms}}});
    std::vector<HvTime> result;
    for (const HvTime now : {HvTime{100us}, HvTime{20'100us}, HvTime{40'100us}, HvTime{67'000us}}) {
      result.push_back(policy->schedule({now, pcpu_id(0), state}, kIdle, verdict).slice);
    }
    return result;
  };
  // Drifting: the frame of 0.1 ms ends at 20.1 ms, that one at 40.1 ms; the last pass begins a frame however late it
  // is.
  CHECK(slices("4.14.6") == std::vector<HvTime>{10ms, 10ms, 10ms, 10ms});
  CHECK(slices("4.21.0") == std::vector<HvTime>{9'900us, 9'900us, 9'900us, 3'000us});
}

TEST_CASE("ARINC653: with a constant latency of 0.1 ms frame k begins at 0.1 ms + k times 20.1 ms in 4.14") {
  const std::unique_ptr<Policy> policy = PolicyBench::make("arinc653", 1, "4.14.6");
  MachineState state{{kIdle}, {{}, {}}};
  Verdict verdict;
  verdict.reserve(1, 2);
  policy->add_pcpu({0ms, pcpu_id(0), state}, pcpu_id(0), verdict);
  policy->set_table({0ms, pcpu_id(0), state}, {20ms, {{unit_id(0), 10ms}, {unit_id(1), 5ms}}});
  HvTime due = 0ms;
  for (int frame = 0; frame < 5; ++frame) {
    const HvTime start = 100us + frame * 20'100us;
    std::vector<HvTime> passes;
    for (int pass = 0; pass < 3; ++pass) {
      const HvTime now = due + 100us;
      passes.push_back(now - start);
      due = now + policy->schedule({now, pcpu_id(0), state}, kIdle, verdict).slice;
    }
    CHECK(passes == std::vector<HvTime>{0ms, 10'100us, 15'100us});
    CHECK(due - start == 20ms);
  }
}

TEST_CASE("ARINC653: without a table each dom0 vCPU has 10 ms, and no other domain runs") {
  PolicyBench bench("arinc653", 1);
  const DomainId dom0 = bench.domain();
  CHECK(dom0 == kDom0);
  const UnitId first = bench.unit(dom0);
  const UnitId second = bench.unit(dom0);
  const UnitId guest = bench.unit(bench.domain());
  bench.event([&] {
    for (const UnitId unit : {first, second, guest}) bench.core().come_up(bench.moment(), unit);
  });
  bench.until(40ms);
  // The frame that was begun at boot, before there was a dom0, is the first 10 ms.
  CHECK(bench.log() == Log{"0 p0 idle>u0 10000", "10000 p0 u0>u0 10000", "20000 p0 u0>u1 10000", "30000 p0 u1>u0 10000",
                           "40000 p0 u0>u1 10000"});
  const Hold hold = bench.policy().held(bench.context(), guest);
  CHECK(hold.reason == HoldReason::slot);
  CHECK(hold.until == HvTime::max());
}

TEST_CASE("ARINC653: a unit waits for its slot, and its hold ends where the slot begins") {
  TwoPartitions two;
  two.bench.until(3ms);
  const Hold other = two.bench.policy().held(two.bench.context(), two.other);
  CHECK(other.reason == HoldReason::slot);
  CHECK(other.until == 10ms);
  two.bench.until(16ms);
  CHECK(two.bench.policy().held(two.bench.context(), two.one).until == 20ms);
  CHECK(two.bench.policy().held(two.bench.context(), two.other).until == 30ms);
}

TEST_CASE("ARINC653: a table that Xen refuses changes nothing") {
  TwoPartitions two;
  const auto refused = [&](const SlotTable& table) { return !two.bench.core().set_table(two.bench.moment(), table); };
  CHECK(refused({0ms, {{two.one, 10ms}}}));
  CHECK(refused({20ms, {}}));
  CHECK(refused({20ms, {{two.one, 0ms}}}));
  CHECK(refused({20ms, {{two.one, 15ms}, {two.other, 6ms}}}));
  CHECK(refused({1s, std::vector<Slot>(65, {two.one, 1ms})}));
  CHECK_FALSE(refused({1s, std::vector<Slot>(64, {two.one, 1ms})}));
}

TEST_CASE("ARINC653: a new table starts a frame with the next pass, on whatever pCPU") {
  TwoPartitions two;
  two.bench.until(2ms);
  CHECK(two.bench.core().set_table(two.bench.moment(), {8ms, {{two.other, 8ms}}}));
  two.bench.log();
  two.bench.until(18ms);
  CHECK(two.bench.log() == Log{"10000 p0 u0>u1 8000", "18000 p0 u1>u1 8000"});
}

TEST_CASE("ARINC653: a slot for a unit that does not exist yet is idle until it does") {
  PolicyBench bench("arinc653", 1);
  bench.domain();
  const DomainId domain = bench.domain();
  CHECK(bench.core().set_table(bench.moment(), {10ms, {{unit_id(0), 10ms}}}));
  bench.poke(0);
  bench.until(5ms);
  bench.come_up(bench.unit(domain));
  CHECK(bench.log() == Log{"0 p0 idle>idle 10000", "5000 p0 idle>u0 5000"});
}

std::string problems_of(const std::string& text) {
  Problems problems;
  const std::optional<json::Node> node = json::parse(text, "x.json", problems);
  const std::unique_ptr<Config> config = find_policy("arinc653")->config();
  json::PartOf<Config> part{*config};
  json::read(*node, part, problems);
  return problems.text();
}

TEST_CASE("ARINC653: the configuration names slots in order, and is held against Xen's rules") {
  const PolicyEntry& entry = *find_policy("arinc653");
  const std::unique_ptr<Config> config = entry.config();
  CHECK(entry.table(*config) == nullptr);
  Problems problems;
  const auto node = json::parse(
      R"({"major_frame_us":20000,"entries":[{"vcpu":"dom0/0","runtime_us":10000},{"vcpu":"domU/1","runtime_us":5000}]})",
      "x", problems);
  json::PartOf<Config> part{*config};
  json::read(*node, part, problems);
  CHECK(problems.text().empty());
  CHECK(entry.table(*config) != nullptr);
  CHECK(entry.table(*config)->major_frame == 20ms);
  REQUIRE(entry.table(*config)->slots.size() == 2);
  CHECK(entry.table(*config)->slots[1].vcpu == "domU/1");
  CHECK(entry.table(*config)->slots[1].runtime == 5ms);

  CHECK(problems_of("{}").empty());
  CHECK_THAT(problems_of(R"({"major_frame_us":20000})"),
             Catch::Contains("at least one slot exactly if there is a major frame"));
  CHECK_THAT(
      problems_of(
          R"({"major_frame_us":10000,"entries":[{"vcpu":"a/0","runtime_us":9000},{"vcpu":"a/1","runtime_us":1001}]})"),
      Catch::Contains("Xen refuses a longer table"));
  CHECK(problems_of(
            R"({"major_frame_us":10000,"entries":[{"vcpu":"a/0","runtime_us":9000},{"vcpu":"a/1","runtime_us":1000}]})")
            .empty());
}

}  // namespace
}  // namespace vecusim::test
