// QEMU without KVM: what an edge's way through relay, main loop, vCPU thread and translated guest takes.
#include "catch.hpp"
#include "tcg_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const char* const kPreset = "pi4-tcg-stall";
const char* const kGuestHog =
    R"(/domains/1/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge"},{"name":"load","model":"hog"}])";

Duration least(Settings more) { return simulate_stages(kPreset, quiet_tcg(std::move(more))).recorded.min(); }

std::string work(int cycles) { return "/domains/1/tasks/0/work_cycles=" + std::to_string(cycles); }
std::string clock(int mhz) { return "/board/clock_mhz=" + std::to_string(mhz); }

}  // namespace

TEST_CASE("Experiment 14: latency is affine in the guest's instructions") {
  // All caches warm, or the host's code for the answer would be the colder the longer the guest takes.
  const auto warm = [](int cycles) { return least({work(cycles), "/costs/core.evictions/value=0"}); };
  const Duration none = warm(0);
  // Native cycles to instructions (1.3 cycles each), and those to host cycles (25 each), at 600 MHz. What is left is
  // where in a translated block of 8 instructions, 0.33 us, and in a clock period of the pins the edge falls.
  for (const int cycles : {13'000, 130'000, 390'000}) {
    CHECK(to_us(warm(cycles) - none) == Approx(cycles / 1.3 * 25.0 / 600.0).margin(0.4));
  }
}

TEST_CASE("Experiment 14: latency is affine in 1/f") {
  const double slow = to_us(least({clock(600)}));
  const double middle = to_us(least({clock(1000)}));
  const double fast = to_us(least({clock(1500)}));
  const double slope = (slow - fast) / (1.0 / 600.0 - 1.0 / 1500.0);
  CHECK(middle == Approx(fast + slope * (1.0 / 1000.0 - 1.0 / 1500.0)).margin(1.0));
  CHECK(fast - slope / 1500.0 > 0.0);  // misses do not depend on the clock
}

TEST_CASE("Experiment 14: the delayed acknowledgement depends neither on the guest's instructions nor on the clock") {
  const auto stalls = [](const Settings& more) {
    Settings settings = {R"(/hypervisor/relay={"kind":"tcp"})", "/domains/0/os/tick_hz=250"};
    settings.insert(settings.end(), more.begin(), more.end());
    const StagedRun run = simulate_stages(kPreset, quiet_tcg(settings));
    std::vector<Duration> waits;
    for (std::size_t i = 0; i < run.recorded.flights.size(); ++i) {
      waits.push_back(run.stage(i, "relay_stall").waits[static_cast<std::size_t>(Wait::relay)]);
    }
    return waits;
  };
  const auto base = stalls({});
  REQUIRE(base.size() == 100);
  // 40 ms, and what is left to the host's next tick.
  for (const Duration stall : base) {
    CHECK(stall >= 40ms);
    CHECK(stall < 44ms);
  }
  CHECK(stalls({work(1'000'000)}) == base);
  for (const Duration stall : stalls({clock(1500)})) {
    CHECK(stall >= 40ms);
    CHECK(stall < 44ms);
  }
  CHECK(simulate_stages(kPreset, quiet_tcg({R"(/hypervisor/relay={"kind":"tcp","nodelay":true})"}))
            .recorded.waited(Wait::relay) == Duration::zero());
}

TEST_CASE("Each kind of relay costs what its cold code costs") {
  const auto relay = [](const char* kind) {
    const StagedRun run =
        simulate_stages(kPreset, quiet_tcg({std::string(R"(/hypervisor/relay={"kind":")") + kind + "\"}"}));
    return to_us(run.stage(1, "relay").service);
  };
  // cycles / 600 MHz + lines * 100 ns
  CHECK(relay("pipe") == Approx(12000 / 600.0 + 25.0).margin(0.01));
  CHECK(relay("tcp") == Approx(24000 / 600.0 + 50.0).margin(0.01));
  CHECK(relay("qmp") == Approx(200000 / 600.0 + 250.0).margin(0.01));
  CHECK(relay("command") == Approx(14000000 / 600.0 + 7000.0).margin(0.01));
}

TEST_CASE("The first time through its path the guest's code is translated, instruction by instruction") {
  const auto first = [](const char* cycles) {
    const StagedRun run =
        simulate_stages(kPreset, quiet_tcg({std::string("/costs/tcg.translation/value=") + cycles,
                                            "/costs/linux.tick.cycles/value=0", "/costs/linux.tick.lines/value=0",
                                            R"(/costs/linux.tick_softirq/law={"model":"constant","value_us":0})"}));
    return to_us(run.recorded.flights[0].latency);
  };
  // 1025 lines of the path's pieces, times the 1.09 of this system, with 8 instructions each.
  const double instructions = 1025 * 1.09 * 8;
  const double none = first("0");
  CHECK(first("1000") - none == Approx(instructions * 1000 / 600.0).epsilon(0.03));
  CHECK(first("2000") - none == Approx(instructions * 2000 / 600.0).epsilon(0.03));
}

TEST_CASE("A halted vCPU is woken; one at work sees the interrupt at the end of its block") {
  const StagedRun halted = simulate_stages(kPreset, quiet_tcg());
  const StagedRun at_work = simulate_stages(kPreset, quiet_tcg({kGuestHog}));
  REQUIRE(halted.recorded.flights.size() == 100);
  REQUIRE(at_work.recorded.flights.size() == 100);
  // Eight instructions of 25 cycles at 600 MHz.
  const Duration block = from_us(8 * 25 / 600.0);
  for (std::size_t i = 1; i < 100; ++i) {
    CHECK(halted.stage(i, "vcpu_schedule").service + halted.stage(i, "block_exit").service > Duration::zero());
    CHECK(at_work.stage(i, "vcpu_enter").total() == Duration::zero());
    CHECK(at_work.stage(i, "block_exit").service <= block);
  }
  CHECK(halted.stage(1, "vcpu_enter").service == from_us(12000 / 600.0 + 25.0));
}

TEST_CASE("Ticks cost their code and their softirq at the slowdown, and no more than that") {
  // Everything warm: nothing is evicted. A tick is irq_entry, irq_ack and tick, 5100 native cycles; its softirq is
  // given as a time, which takes 25 / 1.3 times as long.
  const StagedRun run =
      simulate_stages(kPreset, undisturbed({kGuestHog, "/costs/core.evictions/value=0", "/hypervisor/relay/kind=pipe",
                                            R"(/costs/linux.tick_softirq/law={"model":"constant","value_us":20})"}));
  const double ticks = to_s(run.length) * 250.0;
  const double per_tick_us = 5100 / 1.3 * 25.0 / 600.0;
  const double answers_us = 100 * 6000 / 1.3 * 25.0 / 600.0;  // interrupt handlers of the edges, roughly
  const double irq_us = to_us(run.spent("guest/0", Context::irq));
  CHECK(irq_us == Approx(ticks * per_tick_us + answers_us).epsilon(0.02));
  CHECK(to_us(run.spent("guest/0", Context::softirq)) == Approx(ticks * 20.0 * 25.0 / 1.3).epsilon(0.01));
}

TEST_CASE("Ticks that take longer than their period merge: the guest falls behind in work, not for ever") {
  // 300 us natively are 5.8 ms here, and a tick comes every 4 ms.
  const StagedRun run =
      simulate_stages(kPreset, quiet_tcg({kGuestHog, "/domains/1/os/tick_hz=250", "/interrupts/0/stimulus/count=20",
                                          R"(/costs/linux.tick_softirq/law={"model":"constant","value_us":300})"}));
  CHECK(run.recorded.flights.size() == 20);
  const double softirqs = to_us(run.spent("guest/0", Context::softirq)) / (300.0 * 25.0 / 1.3);
  CHECK(softirqs < to_s(run.length) * 250.0 * 0.72);
  CHECK(softirqs > to_s(run.length) * 250.0 * 0.4);
}

TEST_CASE("The vCPU is a thread of the host: a hog beside it takes half of the guest's time") {
  const StagedRun run =
      simulate_stages(kPreset, quiet_tcg({kGuestHog, "/domains/1/affinity=[1]", "/interrupts/0/stimulus/count=20",
                                          R"(/domains/0/tasks=[{"name":"load","model":"hog","cpus":[1]}])"}));
  Duration guest{};
  for (const Context context : {Context::user, Context::kernel, Context::irq, Context::softirq}) {
    guest += run.spent("guest/0", context);
  }
  CHECK(to_s(guest) / to_s(run.length) == Approx(0.5).margin(0.02));
  CHECK(run.recorded.waited(Wait::thread) > Duration::zero());
  // And what the guest uses is not the host's: together they fill that core.
  const Duration host = run.spent("pcpu1", Context::user) + run.spent("pcpu1", Context::kernel);
  CHECK(to_s(guest + host) / to_s(run.length) == Approx(1.0).margin(0.03));
}

TEST_CASE("Who finds the big lock taken waits for what is left of a section, and books it to the lock") {
  // Accesses of 1 ms. The guest's ticks make two each, so half of the time the vCPU's thread has the lock.
  const StagedRun run = simulate_stages(
      kPreset, quiet_tcg({kGuestHog, "/domains/1/os/tick_hz=250", "/costs/tcg.mmio.cycles/value=600000",
                          R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":200,"count":400})"}));
  std::size_t waiters = 0;
  Duration longest{};
  for (std::size_t i = 0; i < run.recorded.flights.size(); ++i) {
    const Duration wait = run.stage(i, "big_lock").waits[static_cast<std::size_t>(Wait::lock)];
    waiters += static_cast<std::size_t>(wait > Duration::zero());
    longest = std::max(longest, wait);
  }
  const double share = static_cast<double>(waiters) / static_cast<double>(run.recorded.flights.size());
  CHECK(share > 0.3);
  CHECK(share < 0.7);
  // Two accesses, and at most 200 us to wake the waiter.
  CHECK(longest > 1ms);
  CHECK(longest < 2ms + 200us);
}

TEST_CASE("An idle system's fastest answer is within the bounds of its path") {
  for (const char* preset : {"pi4-tcg-stall", "pi4-tcg-longpath"}) {
    const LoadedScenario loaded = load_scenario(preset, undisturbed());
    QuantileTables tables;
    Replication run(loaded.scenario, tables, 1, 0);
    const InterruptPath& path = run.path(0);
    const auto [low, high] = path.unloaded_bounds(path.first(), path.last());
    Recorded recorded;
    run.attach(recorded);
    run.run();
    CHECK(recorded.min() >= low);
    CHECK(low > 42ms);
    CHECK(high < 60ms);
  }
}
