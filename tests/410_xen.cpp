// Xen on Arm: what its paths cost, which of them is taken, and to what waits are booked.
#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

const char* const kPreset = "pi4-xen-published";

Settings crowded(int ratelimit_us, Settings more = {}) {
  Settings settings = undisturbed({"/domains/0/affinity=[0]", "/domains/1/affinity=[0]", "/domains/0/tasks/0/cpus=[0]",
                                   R"(/domains/1/tasks=[{"name":"hog","model":"hog"}])",
                                   R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":5,"count":2000})",
                                   "/hypervisor/scheduler/ratelimit_us=" + std::to_string(ratelimit_us)});
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

}  // namespace

TEST_CASE("Experiment 4: with idle pCPUs latency does not depend on the rate limit") {
  const double off = simulate(kPreset, undisturbed({"/hypervisor/scheduler/ratelimit_us=0"})).mean_us();
  for (const char* ratelimit : {"100", "1000", "10000"}) {
    const Recorded with =
        simulate(kPreset, undisturbed({std::string("/hypervisor/scheduler/ratelimit_us=") + ratelimit}));
    CHECK(with.mean_us() == Approx(off).epsilon(0.002));
    CHECK(with.waited(Wait::ratelimit) == Duration::zero());
  }
}

TEST_CASE("The published configuration, taken literally, adds tens of microseconds and not a millisecond") {
  const double native = simulate("pi4-native", undisturbed()).mean_us();
  const double xen = simulate(kPreset, undisturbed()).mean_us();
  CHECK(xen > native + 30.0);
  CHECK(xen < native + 200.0);
}

TEST_CASE("Experiment 6: a refused wake waits for the hog's slice, not for the end of the rate limit") {
  const Recorded refused = simulate(kPreset, crowded(1000));
  CHECK(refused.max() > 9ms);
  CHECK(refused.max() < 11ms);
  CHECK(refused.waited(Wait::ratelimit) > Duration::zero());
  // Once the rate limit is over nobody acts: from then on the vCPU waits because it may not use the three idle pCPUs.
  CHECK(refused.waited(Wait::affinity) > refused.waited(Wait::ratelimit));
  const Recorded free = simulate(kPreset, crowded(0));
  CHECK(free.max() < 1ms);
  CHECK(free.waited(Wait::ratelimit) == Duration::zero());
}

TEST_CASE("WFI that stays in the guest saves the wake-up and burns the pCPU") {
  const double trap = simulate(kPreset, undisturbed()).mean_us();
  const double native = simulate(kPreset, undisturbed({"/hypervisor/vwfi=native"})).mean_us();
  CHECK(native < trap - 20.0);
}

TEST_CASE("The null scheduler with native WFI makes no decisions after boot") {
  const Recorded recorded =
      simulate(kPreset, undisturbed({R"(/hypervisor/scheduler={"model":"null"})", "/hypervisor/vwfi=native"}));
  CHECK(recorded.flights.size() == 100);
  CHECK(recorded.waited(Wait::runqueue) == Duration::zero());
}

TEST_CASE("Every scheduler answers every edge of the published configuration") {
  for (
      const char* scheduler :
      {R"({"model":"credit2"})", R"({"model":"credit"})", R"({"model":"rtds"})", R"({"model":"null"})",
       R"({"model":"arinc653","major_frame_us":3000,"entries":[{"vcpu":"dom0/0","runtime_us":1000},{"vcpu":"dom0/1","runtime_us":1000},{"vcpu":"domU/0","runtime_us":1000}]})"}) {
    INFO(scheduler);
    const Recorded recorded = simulate(kPreset, undisturbed({std::string("/hypervisor/scheduler=") + scheduler}));
    CHECK(recorded.flights.size() == 100);
    for (const auto& flight : recorded.flights) {
      Duration sum{};
      for (const StageTime& stage : flight.stages) sum += stage.total();
      CHECK(sum == flight.latency);
    }
  }
}

TEST_CASE("A vCPU outside its slot waits for it, and the wait says so") {
  const Recorded recorded = simulate(
      kPreset,
      undisturbed(
          {R"(/hypervisor/scheduler={"model":"arinc653","major_frame_us":20000,"entries":[{"vcpu":"dom0/0","runtime_us":1000},{"vcpu":"domU/0","runtime_us":19000}]})",
           "/domains/0/tasks/0/cpus=[0]",
           R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":100,"count":500})"}));
  CHECK(recorded.max() > 15ms);
  CHECK(recorded.max() < 21ms);
  CHECK(to_us(recorded.waited(Wait::slot)) / 500.0 > 5000.0);
}

TEST_CASE("A depleted RTDS server waits for its budget, and the wait says so") {
  const Recorded recorded = simulate(
      kPreset,
      undisturbed(
          {R"(/hypervisor/scheduler={"model":"rtds"})", "/domains/0/budget_us=2000", "/domains/0/period_us=20000",
           "/domains/0/extratime=false", "/domains/0/vcpus=1",
           R"(/domains/0/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge"},{"name":"hog","model":"hog"}])",
           R"(/interrupts/0/stimulus={"model":"poisson","mean_interval_ms":50,"count":400})"}));
  CHECK(recorded.max() > 15ms);
  CHECK(to_us(recorded.waited(Wait::budget)) / 400.0 > 5000.0);
}

TEST_CASE("Weights share a crowded pCPU") {
  // Two hogs, one of twice the weight, on one pCPU: seen by what the vCPUs' processors do.
  const LoadedScenario loaded = load_scenario(
      kPreset,
      undisturbed(
          {"/domains/0/affinity=[0]", "/domains/1/affinity=[0]", "/domains/0/vcpus=1", "/domains/0/weight=512",
           R"(/domains/0/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge"},{"name":"a","model":"hog"}])",
           R"(/domains/1/tasks=[{"name":"b","model":"hog"}])", "/run/measure_ms=6000"}));
  QuantileTables tables;
  Replication run(loaded.scenario, tables, 1, 0);
  Recorded recorded;
  run.attach(recorded);
  run.run();
  std::vector<Duration> busy(run.view().cpus.size());
  std::vector<const Occupied*> last(busy.size(), nullptr);
  for (const Occupied& event : recorded.occupied) {
    const auto cpu = static_cast<std::size_t>(event.cpu);
    if (last[cpu] != nullptr && last[cpu]->context != Context::idle) busy[cpu] += event.at - last[cpu]->at;
    last[cpu] = &event;
  }
  CHECK(to_s(busy[4]) / to_s(busy[5]) == Approx(2.0).epsilon(0.05));
}
