// What the rate limit does, in the arrangements measured on Xen's own Credit2 with switches and IPIs that take no time
// (tests/golden/ratelimit-arrangements.md): the simulated Xen with all costs at zero must show the same.
#include <cmath>

#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

constexpr const char* kMeasured = R"({"name":"gpio","model":"interrupt","interrupt":"edge","interface":"kernel"})";
constexpr const char* kHog = R"({"name":"hog","model":"hog"})";

// dom0 with two vCPUs, domU with one; the interrupt goes to vCPU 0 of dom0. An edge every 200 ms in random phase.
struct Arrangement {
  std::string dom0_tasks = kMeasured;
  std::string domu_tasks = kHog;
  bool one_pcpu = false;
  bool third_domain = false;
};

Scenario ideal(const Arrangement& what, int ratelimit_us) {
  const std::string pin = what.one_pcpu ? R"("affinity":[0],)" : "";
  const auto domain = [&](const std::string& name, int vcpus, const std::string& tasks) {
    return "{\"name\":\"" + name + "\",\"vcpus\":" + std::to_string(vcpus) + "," + pin +
           R"("os":{"model":"linux"},"tasks":[)" + tasks + "]}";
  };
  std::string domains = "[" + domain("dom0", 2, what.dom0_tasks) + "," + domain("domU", 1, what.domu_tasks);
  if (what.third_domain) domains += "," + domain("domV", 1, kHog);
  const LoadedScenario loaded =
      load_scenario("pi4-xen-published",
                    {"/domains=" + domains + "]", "/hypervisor/scheduler/ratelimit_us=" + std::to_string(ratelimit_us),
                     "/hypervisor/timer_slop_us=0", "/interrupts/0/measure/to=kernel",
                     R"(/interrupts/0/stimulus={"model":"periodic","period_ms":200,"jitter_us":90000,"count":100})"});
  Scenario scenario = loaded.scenario;
  // The measured guests have no tick; of one it takes a second each.
  for (DomainConfig& each : scenario.domains) each.os.linux.tick_hz = 1;
  for (const std::string& name : scenario.costs.names()) {
    Cost& cost = scenario.costs[name];
    if (cost.value && name != "core.evictions") cost.value = 0.0;
    if (cost.law && name.rfind("linux.preempt_off", 0) != 0 && name != "linux.masked_window") cost.law = Law{};
  }
  return scenario;
}

struct Row {
  double min = 1e12;
  double mean = 0.0;
  double max = 0.0;
  double zeros = 0.0;  // of 100
};

Row measure(const Arrangement& what, int ratelimit_us, std::uint32_t replication) {
  const Scenario scenario = ideal(what, ratelimit_us);
  QuantileTables tables;
  Replication run(scenario, tables, 1, replication);
  Recorded recorded;
  run.attach(recorded);
  run.run();
  Row row{to_us(recorded.min()), recorded.mean_us(), to_us(recorded.max()), 0.0};
  for (const auto& flight : recorded.flights) row.zeros += static_cast<double>(flight.latency < 1us);
  return row;
}

// The counter's grain and the pin's synchroniser remain.
constexpr double kExact = 0.05;

// Mean of a row over random phases: the 95 % range that its own repetitions have must hold the measured mean.
void within_range(const Arrangement& what, int ratelimit_us, double measured_mean, double measured_max) {
  constexpr std::uint32_t kRuns = 10;
  std::vector<double> means;
  double max = 0.0;
  for (std::uint32_t run = 0; run < kRuns; ++run) {
    const Row row = measure(what, ratelimit_us, run);
    means.push_back(row.mean);
    max = std::max(max, row.max);
  }
  std::sort(means.begin(), means.end());
  INFO("means from " << means.front() << " to " << means.back() << ", largest value " << max);
  CHECK(means[0] <= measured_mean);
  CHECK(means[kRuns - 1] >= measured_mean);
  CHECK(max >= 0.9 * measured_max);
}

}  // namespace

TEST_CASE("Row a: with an idle pCPU the rate limit never acts") {
  Arrangement idle;
  Arrangement busy;
  busy.dom0_tasks = std::string(kMeasured) + R"(,{"name":"other","model":"hog","cpus":[1]})";
  for (const int ratelimit : {1000, 100, 0}) {
    CHECK(measure(idle, ratelimit, 0).max < kExact);
    CHECK(measure(busy, ratelimit, 0).max < kExact);
  }
}

TEST_CASE("Row b1: one long-running hog on the only pCPU does not hold up a wake-up") {
  Arrangement b1;
  b1.one_pcpu = true;
  for (const int ratelimit : {1000, 100, 0}) CHECK(measure(b1, ratelimit, 0).max < kExact);
}

TEST_CASE("Row b2: a task of 200 us every 1.7 ms on the other vCPU makes refusals frequent") {
  Arrangement b2;
  b2.one_pcpu = true;
  b2.dom0_tasks =
      std::string(kMeasured) + R"(,{"name":"p","model":"periodic","period_us":1700,"work_us":200,"cpus":[1]})";
  within_range(b2, 1000, 568.0, 1500.0);
  within_range(b2, 100, 80.0, 1494.0);
  CHECK(measure(b2, 0, 0).max < kExact);
}

TEST_CASE("Row b3: with two hogs a wake-up in ten is refused and waits for up to 10 ms") {
  Arrangement b3;
  b3.one_pcpu = true;
  b3.dom0_tasks = std::string(kMeasured) + R"(,{"name":"h","model":"hog","cpus":[1]})";
  within_range(b3, 1000, 926.0, 9653.0);
  double zeros = 0.0;
  for (std::uint32_t run = 0; run < 8; ++run) zeros += measure(b3, 1000, run).zeros / 8.0;
  CHECK(zeros == Approx(90.0).margin(3.0));
  CHECK(measure(b3, 0, 0).max < kExact);
}

TEST_CASE("Row b4: three hogs on one pCPU give a uniform wait of up to the rate limit") {
  Arrangement b4;
  b4.one_pcpu = true;
  b4.third_domain = true;
  b4.dom0_tasks = std::string(kMeasured) + R"(,{"name":"h","model":"hog","cpus":[1]})";
  within_range(b4, 1000, 548.0, 981.0);
  within_range(b4, 100, 98.0, 500.0);
  CHECK(measure(b4, 0, 0).max < kExact);
}
