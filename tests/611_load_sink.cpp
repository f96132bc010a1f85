// Load: integrals over what CPUs are occupied with, that add up to the whole machine in integers.
#include <vector>

#include "analysis/counter_sink.hpp"
#include "analysis/load_sink.hpp"
#include "analysis/summary.hpp"
#include "catch.hpp"
#include "property.hpp"

using namespace vecusim;

namespace {

std::uint64_t ps(Wide value) { return static_cast<std::uint64_t>(value); }
std::uint64_t ps(Duration value) { return static_cast<std::uint64_t>(value.count()); }

Wide of(const LoadTally& tally, std::string_view party, Context context) {
  for (const LoadTally::Party& candidate : tally.parties) {
    if (candidate.name == party) return candidate.contexts[static_cast<std::size_t>(context)];
  }
  FAIL("no party " << party);
  return 0;
}

Wide sum(const LoadTally& tally) {
  Wide all = 0;
  for (const LoadTally::Party& party : tally.parties) {
    for (const Wide part : party.contexts) all += part;
  }
  return all;
}

Occupied occupied(Duration at, std::uint16_t cpu, Context context) {
  return {kStart + at, CpuId{cpu}, context, Party::nobody};
}

SystemView native() { return {{{"pcpu0", "linux", true}, {"pcpu1", "linux", true}}, {}}; }

/// Two pCPUs that the vCPUs of two domains run on.
SystemView xen() {
  return {{{"pcpu0", "", true},
           {"pcpu1", "", true},
           {"dom0/0", "dom0", false},
           {"dom0/1", "dom0", false},
           {"domU/0", "domU", false}},
          {}};
}

}  // namespace

TEST_CASE("without a hypervisor the domain has what is not idle") {
  LoadSink sink(native(), kStart);
  sink.on(occupied(1ms, 0, Context::irq));
  sink.on(occupied(1ms + 20us, 0, Context::kernel));
  sink.on(occupied(1ms + 50us, 0, Context::idle));
  sink.on(occupied(8ms, 1, Context::user));
  const LoadTally tally = sink.finish(kStart + 10ms);
  CHECK(tally.parties.size() == 2);
  CHECK(ps(of(tally, "linux", Context::irq)) == ps(20us));
  CHECK(ps(of(tally, "linux", Context::kernel)) == ps(30us));
  CHECK(ps(of(tally, "linux", Context::user)) == ps(2ms));
  CHECK(ps(of(tally, "idle", Context::idle)) == ps(20ms - 2050us));
  CHECK(ps(tally.capacity) == ps(20ms));
}

TEST_CASE("a vCPU's work is pCPU time, taken off what looks idle") {
  LoadSink sink(xen(), kStart);
  sink.on(occupied(1ms, 0, Context::hypervisor));
  sink.on(occupied(1ms + 5us, 0, Context::idle));
  sink.on(occupied(1ms + 5us, 3, Context::kernel));
  sink.on(occupied(1ms + 105us, 3, Context::idle));
  const LoadTally tally = sink.finish(kStart + 2ms);
  CHECK(ps(of(tally, "hypervisor", Context::hypervisor)) == ps(5us));
  CHECK(ps(of(tally, "dom0", Context::kernel)) == ps(100us));
  CHECK(ps(of(tally, "idle", Context::idle)) == ps(4ms - 105us));
  CHECK(sum(tally) == tally.capacity);
}

TEST_CASE("the warm-up is not counted, even of what it began") {
  LoadSink sink(native(), kStart + 5ms);
  sink.on(occupied(1ms, 0, Context::user));
  sink.on(occupied(3ms, 0, Context::kernel));
  sink.on(occupied(6ms, 0, Context::idle));
  const LoadTally tally = sink.finish(kStart + 10ms);
  CHECK(ps(of(tally, "linux", Context::user)) == 0);
  CHECK(ps(of(tally, "linux", Context::kernel)) == ps(1ms));
  CHECK(ps(tally.capacity) == ps(10ms));
  CHECK(sum(tally) == tally.capacity);
}

TEST_CASE("percentages are of one pCPU and of the machine") {
  LoadSink sink(native(), kStart);
  sink.on(occupied(0ms, 0, Context::user));
  sink.on(occupied(5ms, 1, Context::kernel));
  const std::vector<LoadResult> load = summarize(sink.finish(kStart + 10ms));
  CHECK(load[0].name == "linux");
  CHECK(load[0].pcpu_pct == Approx(150.0));
  CHECK(load[0].machine_pct == Approx(75.0));
  CHECK(load[0].contexts_pct[static_cast<std::size_t>(Context::kernel)] == Approx(50.0));
  CHECK(load[1].name == "idle");
  CHECK(load[1].machine_pct == Approx(25.0));
}

TEST_CASE("all time of all pCPUs belongs to somebody") {
  test::check_property(
      [](const std::vector<std::tuple<std::uint8_t, std::uint8_t, std::uint16_t>>& script, std::uint16_t warmup) {
        LoadSink sink(native(), kStart + Duration{warmup});
        Duration at{};
        for (const auto& [cpu, context, gap] : script) {
          at += Duration{gap};
          sink.on(occupied(at, cpu % 2, static_cast<Context>(context % kContexts)));
        }
        const LoadTally tally = sink.finish(kStart + at + 1us);
        RC_ASSERT(ps(sum(tally)) == ps(tally.capacity));
        RC_ASSERT(ps(tally.capacity) == 2 * ps(at + 1us - std::min(Duration{warmup}, at + 1us)));
      },
      300);
}

TEST_CASE("counters begin at the warm-up's end") {
  CounterSink sink(kStart + 1ms);
  sink.on(Counted{kStart, Count::migration, CpuId{4}});
  sink.on(Counted{kStart + 1ms, Count::migration, CpuId{4}});
  sink.on(Counted{kStart + 2ms, Count::interrupt, CpuId{4}});
  const CounterResult rates = summarize(sink.counts(), wide(500ms));
  CHECK(rates.migrations_per_s == Approx(2.0));
  CHECK(rates.interrupts_per_s == Approx(2.0));
  CHECK(rates.decisions_per_s == 0.0);
}

TEST_CASE("what the hypervisor does counts for the domain whose vCPU is loaded") {
  LoadSink sink(xen(), kStart);
  sink.on(occupied(1ms, 0, Context::hypervisor));     // nobody is loaded yet
  sink.on(Loaded{kStart + 2ms, CpuId{0}, CpuId{2}});  // dom0/0
  sink.on(occupied(4ms, 0, Context::idle));           // dom0/0 runs
  sink.on(occupied(4ms, 2, Context::kernel));
  sink.on(occupied(5ms, 2, Context::idle));
  sink.on(occupied(5ms, 0, Context::hypervisor));
  sink.on(Loaded{kStart + 8ms, CpuId{0}, std::nullopt});
  const LoadTally tally = sink.finish(kStart + 10ms);
  CHECK(ps(of(tally, "dom0", Context::hypervisor)) == ps(5ms));
  CHECK(ps(of(tally, "dom0", Context::kernel)) == ps(1ms));
  CHECK(ps(of(tally, "hypervisor", Context::hypervisor)) == ps(3ms));
  CHECK(ps(of(tally, "idle", Context::idle)) == ps(11ms));
  CHECK(sum(tally) == tally.capacity);
}
