// What the rate limit does to a vCPU that another one wakes, or that becomes runnable together with it: the rest of the
// arrangements measured on Xen's own Credit2 with switches and IPIs that take no time
// (tests/golden/ratelimit-arrangements.md, rows c1 to c7).
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "catch.hpp"
#include "xen_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

// The counter's grain and the pin's synchroniser remain.
constexpr double kExact = 0.06;

std::string domain(const std::string& name, int vcpus, const std::string& affinity, const std::string& tasks) {
  return R"({"name":")" + name + R"(","vcpus":)" + std::to_string(vcpus) + R"(,"affinity":)" + affinity +
         R"(,"os":{"model":"linux","tick_hz":24},"tasks":[)" + tasks + "]}";
}

std::string hog(const std::string& name, const std::string& affinity) {
  return domain(name, 1, affinity, R"({"name":"hog","model":"hog"})");
}

// An edge a second in random phase: what the last one set going is over.
constexpr const char* kStimulus = R"("stimulus":{"model":"periodic","period_ms":1000,"jitter_us":400000,"count":100})";

struct Ideal {
  Recorded recorded;
  std::vector<Stage> stages;  // of the first interrupt
};

Ideal ideal(const std::string& domains, const std::string& interrupts, int ratelimit_us, std::uint32_t replication) {
  const LoadedScenario loaded =
      load_scenario("pi4-xen-published", {"/domains=[" + domains + "]", "/interrupts=[" + interrupts + "]",
                                          "/hypervisor/scheduler/ratelimit_us=" + std::to_string(ratelimit_us),
                                          "/hypervisor/timer_slop_us=0"});
  Scenario scenario = loaded.scenario;
  make_ideal(scenario);
  QuantileTables tables;
  Replication run(scenario, tables, 1, replication);
  Ideal result;
  run.attach(result.recorded);
  run.run();
  result.stages = run.path(0).stages();
  return result;
}

// An interrupt wakes a thread on vCPU 0, which after a while wakes the measured task on vCPU 1 and computes on.
struct Kick {
  int after_us = 20;
  int then_us = 3000;
  std::string hogs;  // further domains, each with a comma before it
};

Ideal kicked(const Kick& kick, int ratelimit_us, std::uint32_t replication = 0) {
  const std::string task =
      R"({"name":"gpio","model":"interrupt","interrupt":"edge","cpus":[1],"hops":1,"hop_cpus":[0],"hop_work_us":)" +
      std::to_string(kick.after_us) + R"(,"hop_more_us":)" + std::to_string(kick.then_us) + "}";
  return ideal(
      domain("dom0", 2, "[0]", task) + kick.hogs,
      std::string(R"({"name":"edge","source":"gpio17","target":"dom0","measure":{"to":"user"},)") + kStimulus + "}",
      ratelimit_us, replication);
}

bool before_the_kick(const std::string& stage) {
  if (stage.starts_with("xen_")) return !stage.starts_with("xen_ipi_");
  return stage.starts_with("irq_") || stage.starts_with("gpio_") || stage.starts_with("gic_") || stage == "hop";
}

// Every wait from the kick on, in microseconds: what passes after that takes no time but for waiting.
std::vector<double> waits(const Kick& kick, int ratelimit_us, std::uint32_t replication = 0) {
  const Ideal run = kicked(kick, ratelimit_us, replication);
  std::vector<double> result;
  for (const auto& flight : run.recorded.flights) {
    double wait = 0.0;
    for (std::size_t i = 0; i < run.stages.size(); ++i) {
      if (!before_the_kick(run.stages[i].name)) wait += to_us(flight.stages[i].total());
    }
    result.push_back(wait);
  }
  return result;
}

void all_are(const std::vector<double>& waits, double expected) {
  REQUIRE(waits.size() == 100);
  const auto [least, most] = std::minmax_element(waits.begin(), waits.end());
  INFO("from " << *least << " to " << *most << ", expected " << expected);
  CHECK(*least == Approx(expected).margin(kExact));
  CHECK(*most == Approx(expected).margin(kExact));
}

const std::string kElsewhere = "," + hog("domU", "[1]");
const std::string kSamePcpu = "," + hog("domU", "[0]");

// Two interrupts at the same moment, one for each vCPU: the first one's task computes, at 600 cycles per microsecond;
// the second one is measured.
std::vector<double> together(const std::string& dom0_affinity, const std::string& hogs, int work_us, int ratelimit_us) {
  const std::string tasks =
      R"({"name":"other","model":"interrupt","interrupt":"companion","record":"none","cpus":[0],"work_cycles":)" +
      std::to_string(600 * work_us) +
      R"(},{"name":"measured","model":"interrupt","interrupt":"edge","interface":"kernel"})";
  const std::string interrupts =
      std::string(R"({"name":"companion","source":"dma0","target":"dom0","measure":{"to":"kernel"},)") + kStimulus +
      R"(},{"name":"edge","source":"spi","target":"dom0","cpu":1,"measure":{"to":"kernel"},)" +
      R"("stimulus":{"model":"follows","interrupt":"companion"}})";
  std::vector<double> result;
  const Ideal run = ideal(domain("dom0", 2, dom0_affinity, tasks) + hogs, interrupts, ratelimit_us, 0);
  for (const auto& flight : run.recorded.flights) {
    if (flight.interrupt == InterruptId{1}) result.push_back(to_us(flight.latency));
  }
  return result;
}

}  // namespace

TEST_CASE("Row c1: a kick after the kicker's dispatch is refused until the kicker sleeps") {
  const Kick c1{.hogs = kElsewhere};
  all_are(waits(c1, 1000), 3000);
  all_are(waits(c1, 100), 3000);
  all_are(waits(c1, 0), 0);
}

TEST_CASE("Row c2: … with the hog on the same pCPU too") {
  const Kick c2{.hogs = kSamePcpu};
  all_are(waits(c2, 1000), 3000);
  all_are(waits(c2, 100), 3000);
  all_are(waits(c2, 0), 0);
}

TEST_CASE("Row c6: … or until its slice of 10 ms ends") {
  const Kick c6{.then_us = 30'000, .hogs = kSamePcpu};
  all_are(waits(c6, 1000), 9980);
  all_are(waits(c6, 100), 9980);
  all_are(waits(c6, 0), 0);
}

TEST_CASE("Row c1, kick at 200 us: refused at a rate limit of 1000, granted at 100 and at 0") {
  const Kick c1{.after_us = 200, .hogs = kElsewhere};
  all_are(waits(c1, 1000), 3000);
  all_are(waits(c1, 100), 0);
  all_are(waits(c1, 0), 0);
}

TEST_CASE("Row c1, kick at 960 us: tickled, refused and tried again after 500 us") {
  const Kick c1{.after_us = 960, .hogs = kElsewhere};
  all_are(waits(c1, 1000), 500);
  all_are(waits(c1, 100), 0);
  all_are(waits(c1, 0), 0);
}

TEST_CASE("Row c1, kick at 1500 us: the rate limit is over") {
  const Kick c1{.after_us = 1500, .hogs = kElsewhere};
  for (const int ratelimit : {1000, 100, 0}) all_are(waits(c1, ratelimit), 0);
}

namespace {

// Some values, one of which every wait has but for what the kicker itself was held up (at most its 20 us); the measured
// mean must be within the range that repetitions have.
void only(int ratelimit_us, const std::vector<double>& values, double measured_mean) {
  const Kick c7{.then_us = 30'000, .hogs = kSamePcpu + "," + hog("domV", "[0]")};
  std::vector<double> means;
  for (std::uint32_t run = 0; run < 20; ++run) {
    double sum = 0.0;
    for (const double wait : waits(c7, ratelimit_us, run)) {
      double off = 1e9;
      for (const double value : values) off = std::min(off, std::abs(wait - value));
      CHECK(off < 20.0 + kExact);
      sum += wait / 100.0;
    }
    means.push_back(sum);
  }
  std::sort(means.begin(), means.end());
  INFO("means from " << means.front() << " to " << means.back());
  CHECK(means.front() <= measured_mean);
  CHECK(means.back() >= measured_mean);
}

}  // namespace

TEST_CASE("Row c7: with a second hog waiting there, until the end of a shorter or of a longer slice") {
  only(1000, {980, 9980}, 5030);
  only(100, {480, 980, 9980}, 5015);
  only(0, {0}, 0);
}

TEST_CASE("Row c3: both woken before the pass: the second one waits for the rate limit, but for no less than 500 us") {
  all_are(together("[0]", kElsewhere, 3000, 1000), 1000);
  all_are(together("[0]", kElsewhere, 3000, 100), 500);
  all_are(together("[0]", kElsewhere, 3000, 0), 500);
}

TEST_CASE("Row c4: … with the hog on the same pCPU too") {
  all_are(together("[0]", kSamePcpu, 3000, 1000), 1000);
  all_are(together("[0]", kSamePcpu, 3000, 100), 500);
  all_are(together("[0]", kSamePcpu, 3000, 0), 500);
}

TEST_CASE("Row c5: … with the hog wherever the scheduler puts it") {
  const std::string anywhere = "," + hog("domU", "[0,1,2,3]");
  all_are(together("[0]", anywhere, 3000, 1000), 1000);
  all_are(together("[0]", anywhere, 3000, 100), 500);
  all_are(together("[0]", anywhere, 3000, 0), 500);
}

TEST_CASE("Row c5s: … or until the first one sleeps, if that is sooner") {
  for (const int ratelimit : {1000, 100, 0}) all_are(together("[0]", kElsewhere, 300, ratelimit), 300);
}

TEST_CASE("Row c5u: with nothing pinned the second one goes to another pCPU") {
  const std::string anywhere = "," + hog("domU", "[0,1,2,3]");
  for (const int ratelimit : {1000, 100, 0}) all_are(together("[0,1,2,3]", anywhere, 3000, ratelimit), 0);
}
