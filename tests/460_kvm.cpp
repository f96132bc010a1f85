// KVM: which way an interrupt takes to a vCPU, by what that is doing, and what waiting by polling is worth.
#include <algorithm>

#include "catch.hpp"
#include "staged_run.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const char* const kPreset = "pi4-kvm";
// The guest's two vCPUs have a pCPU each, and its task is on the one that takes the interrupt.
const Settings kPinned = {"/domains/1/affinity=[[1],[2]]", "/domains/1/tasks/0/cpus=[0]"};
const char* const kGuestHog = R"(/domains/1/tasks/-={"name":"load","model":"hog","cpus":[0]})";
const char* const kHostHog = R"(/domains/0/tasks/-={"name":"load","model":"hog","cpus":[1]})";

Settings quiet(Settings more) {
  Settings settings = undisturbed({"/interrupts/1/stimulus/count=1", "/domains/0/os/tick_hz=24",
                                   "/domains/1/os/tick_hz=24", "/hypervisor/halt_poll_us=0"});
  settings.insert(settings.end(), kPinned.begin(), kPinned.end());
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

StagedRun run(Settings more) { return simulate_stages(kPreset, quiet(std::move(more))); }

std::string edges(double period_ms, int count) {
  return R"(/interrupts/0/stimulus={"model":"periodic","period_ms":)" + std::to_string(period_ms) + R"(,"count":)" +
         std::to_string(count) + "}";
}

// No code takes any time, but that a sleeping thread's wake-up takes its waker 1 us.
Settings free_of_cost(Settings more) {
  Settings settings =
      quiet({"/domains/1/vcpus=1", "/domains/1/affinity=[1]", "/domains/1/os/tick_phase_us=40000",
             "/domains/0/os/tick_phase_us=40000", R"(/costs/bench.capture/law={"model":"constant","value_us":0})"});
  const LoadedScenario loaded = load_scenario(kPreset, {});
  for (const std::string& name : loaded.scenario.costs.names()) {
    const bool code = name.ends_with(".cycles") || name.ends_with(".lines") || name.ends_with(".mmio");
    if (code || name == "core.wfi_exit") settings.push_back("/costs/" + name + "/value=0");
  }
  settings.push_back("/costs/linux.wake.cycles/value=600");
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

// Whether each flight had to wake the vCPU's thread.
std::vector<bool> woken(const StagedRun& run) {
  std::vector<bool> result;
  for (const auto& flight : run.flights_of(0)) {
    const Duration wake = run.stage(flight, "host_wake").service;
    CHECK((wake == Duration::zero() || wake == 1us));
    result.push_back(wake > Duration::zero());
  }
  return result;
}

}  // namespace

TEST_CASE("A guest's interrupt finds its vCPU asleep, in guest mode elsewhere, on its own pCPU, or preempted") {
  const StagedRun asleep = run({});
  CHECK(asleep.through(0, "host_wake") == 100);
  CHECK(asleep.through(0, "vcpu_kick") == 0);

  const StagedRun elsewhere = run({kGuestHog});
  CHECK(elsewhere.through(0, "vcpu_kick") == 100);
  CHECK(elsewhere.through(0, "host_wake") == 0);

  const StagedRun here = run({kGuestHog, "/interrupts/0/host_cpu=1"});
  CHECK(here.through(0, "vcpu_kick") == 0);
  CHECK(here.through(0, "host_guest_exit") == 100);
  CHECK(here.mean_us_of(0) < elsewhere.mean_us_of(0));
  CHECK(elsewhere.mean_us_of(0) < asleep.mean_us_of(0));

  // Two threads share a pCPU, and edges come at any time.
  const StagedRun preempted =
      run({kGuestHog, kHostHog, R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":100,"count":200})"});
  CHECK(preempted.through(0, "vcpu_preempted") > 60);
  CHECK(preempted.through(0, "vcpu_preempted") < 140);
  CHECK(preempted.max_of(0) > 2ms);
  CHECK(preempted.recorded.waited(Wait::thread) > Duration::zero());
}

TEST_CASE("Exit, injection and entry take what the table says") {
  // Everything warm. The guest computes on the pCPU that takes the interrupt.
  const StagedRun warm = run({kGuestHog, "/interrupts/0/host_cpu=1", "/costs/core.evictions/value=0"});
  const auto flights = warm.flights_of(0);
  const auto& flight = flights.back();
  CHECK(to_us(warm.stage(flight, "host_guest_exit").service) == Approx(3200 / 600.0).epsilon(0.001));
  CHECK(to_us(warm.stage(flight, "vcpu_enter").service) == Approx((3300 + 600) / 600.0).epsilon(0.001));
  CHECK(to_us(warm.stage(flight, "irqfd").service) == Approx(900 / 600.0).epsilon(0.001));
}

TEST_CASE("Devices cost the more, the more of the host they pass") {
  const double native = simulate("pi4-native", undisturbed()).mean_us();
  const double vfio = run({}).mean_us_of(0);
  const double vhost = run({"/domains/1/devices=vhost"}).mean_us_of(0);
  const double qemu = run({"/domains/1/devices=qemu"}).mean_us_of(0);
  CHECK(native < vfio);
  CHECK(vfio < vhost);
  CHECK(vhost < qemu);
}

TEST_CASE("Polling grows by doubling until it covers the wait: five halts of 100 us find the thread asleep") {
  // Polls of 0, 10, 20, 40 and 80 us are too short; 160 us is not.
  const StagedRun polls = simulate_stages(kPreset, free_of_cost({edges(0.1, 20), "/hypervisor/halt_poll_us=500"}));
  std::vector<bool> expected(20, false);
  std::fill(expected.begin(), expected.begin() + 5, true);
  CHECK(woken(polls) == expected);
  // What that burns: the polls that were too short, the halt before the first edge apart, and 100 us each.
  const double burnt = 10 + 20 + 40 + 80 + 15 * 100;
  CHECK(to_us(polls.spent("pcpu1", Context::hypervisor)) == Approx(burnt).margin(180));
}

TEST_CASE("A halt that the longest poll would not cover is not polled for") {
  const StagedRun rare = simulate_stages(kPreset, free_of_cost({edges(0.6, 20), "/hypervisor/halt_poll_us=500"}));
  CHECK(woken(rare) == std::vector<bool>(20, true));
  // The first edge may have come sooner, whereupon it has polled once in vain.
  CHECK(rare.spent("pcpu1", Context::hypervisor) <= 10us);
  const StagedRun off = simulate_stages(kPreset, free_of_cost({edges(0.1, 20), "/hypervisor/halt_poll_us=0"}));
  CHECK(woken(off) == std::vector<bool>(20, true));
  CHECK(off.spent("pcpu1", Context::hypervisor) == Duration::zero());
}

TEST_CASE("Polling saves the wake-up at a price in CPU time") {
  const Settings often = {edges(0.3, 2000)};
  const StagedRun polled = run({often.front(), "/hypervisor/halt_poll_us=500"});
  const StagedRun slept = run(often);
  CHECK(polled.through(0, "host_wake") < 100);
  CHECK(polled.mean_us_of(0) < slept.mean_us_of(0) - 5.0);
  CHECK(polled.spent("pcpu1", Context::hypervisor) > 2 * slept.spent("pcpu1", Context::hypervisor));
}

TEST_CASE("A task on another vCPU is woken through a virtual IPI, which leaves guest mode") {
  const StagedRun own = run({});
  const StagedRun other = run({"/domains/1/tasks/0/cpus=[1]"});
  CHECK(own.through(0, "vipi_send") == 0);
  CHECK(other.through(0, "vipi_send") == 100);
  CHECK(other.mean_us_of(0) > own.mean_us_of(0) + 10.0);
}

TEST_CASE("A guest's timer is the host's: its task wakes later than the host's own") {
  const Settings timer = {R"(/domains/1/tasks/-={"name":"sleeper","model":"interrupt","interrupt":"guest_timer"})",
                          R"(/interrupts/-={"name":"guest_timer","source":"timer","target":"guest",)"
                          R"("stimulus":{"model":"periodic","period_ms":7.003,"count":500},)"
                          R"("measure":{"from":"edge","to":"user","clock":"target"}})",
                          "/interrupts/1/stimulus/count=500"};
  const StagedRun both = run(timer);
  CHECK(both.flights_of(2).size() == 500);
  CHECK(both.mean_us_of(2) > both.mean_us_of(1) + 5.0);
  CHECK(both.through(2, "vcpu_enter") == 500);
}

TEST_CASE("Without APIC virtualisation ends of interrupts and timers trap") {
  const StagedRun gicv = run({kGuestHog});
  const StagedRun apic = run({kGuestHog, "/costs/kvm.eoi.cycles/value=1200", "/costs/kvm.timer.cycles/value=1200"});
  CHECK(apic.mean_us_of(0) > gicv.mean_us_of(0));
  CHECK(apic.spent("pcpu1", Context::hypervisor) > gicv.spent("pcpu1", Context::hypervisor));
}

TEST_CASE("An interrupt for a vCPU whose thread sleeps for QEMU's lock waits for whoever has that") {
  // vCPU 0 writes answers, for which it needs the lock, as the main loop does for 3 ms at each edge. vCPU 1 takes the
  // edges; those of another pin occupy it for a while before it tells vCPU 0, whatever that does at that moment.
  const StagedRun busy = run(
      {"/domains/1/devices=qemu", "/interrupts/0/cpu=1", "/costs/kvm.device.cycles/value=1800000",
       R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":12,"count":500})",
       R"(/domains/1/tasks/-={"name":"other","model":"interrupt","interrupt":"other","policy":"fifo","priority":50,)"
       R"("cpus":[0],"hops":1,"hop_cpus":[1],"hop_work_us":4000})",
       R"(/interrupts/-={"name":"other","source":"gpio18","target":"guest","cpu":1,)"
       R"("stimulus":{"model":"poisson","mean_interval_ms":12,"count":500}})"});
  std::size_t waited = 0;
  for (const auto& flight : busy.flights_of(2)) {
    const Duration lock = busy.stage(flight, "vipi_outside").waits[static_cast<std::size_t>(Wait::lock)];
    CHECK(lock < 3200us);
    waited += static_cast<std::size_t>(lock > Duration::zero());
    CHECK(busy.stage(flight, "vipi_preempted").total() == Duration::zero());  // each has a pCPU of its own
  }
  CHECK(waited > 5);
}

TEST_CASE("Who finds QEMU's lock taken waits for it") {
  // The device's model takes 3 ms, and answers come about as fast as that.
  const StagedRun busy = run({"/domains/1/devices=qemu", "/costs/kvm.device.cycles/value=1800000", kGuestHog,
                              R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":8,"count":500})"});
  CHECK(busy.flights_of(0).size() + busy.recorded.merged == 500);
  // QEMU's main loop and one vCPU's thread want it, each with a pCPU of its own: nobody waits longer than the other one
  // has it, which is the model's time and an interrupt or two of the host's.
  Duration longest{};
  for (const auto& flight : busy.flights_of(0)) {
    for (const StageTime& stage : flight.stages) {
      longest = std::max(longest, stage.waits[static_cast<std::size_t>(Wait::lock)]);
    }
  }
  CHECK(longest > 2ms);
  CHECK(longest < 3200us);
}
