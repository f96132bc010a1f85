// Recorded traces as workloads, and replayed with our policy.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "analysis/trace_replay.hpp"
#include "analysis/trace_scenario.hpp"
#include "sample_files.hpp"
#include "system/json_print.hpp"

using namespace vecusim;
using test::sample;

namespace {

constexpr double kHz = 62.5e6;

Xentrace trace_of(const std::string& name) { return read_xentrace(sample(name), name); }

/// A record of one vCPU whose runstate changes.
struct Change {
  std::uint64_t ticks;
  TracedVcpu vcpu;
  Runstate from;
  Runstate to;
};

Xentrace trace_of(const std::vector<Change>& changes) {
  Xentrace trace;
  trace.pcpus = {0};
  for (const Change& change : changes) {
    XentraceRecord record;
    record.ticks = change.ticks;
    record.event =
        0x21001U | static_cast<std::uint32_t>(change.from) << 8U | static_cast<std::uint32_t>(change.to) << 4U;
    record.words = 1;
    record.word[0] = static_cast<std::uint32_t>(change.vcpu.domain) << 16U | change.vcpu.vcpu;
    trace.records.push_back(record);
  }
  return trace;
}

/// The scenario of a trace, read as a user's file is.
LoadedScenario loaded(const Xentrace& trace, double hz, const Settings& settings = {}) {
  const auto path =
      std::filesystem::temp_directory_path() / ("vecusim-recorded-" + std::to_string(trace.records.size()) + ".json");
  std::ofstream(path) << json::pretty(scenario_of(episodes_of(trace, hz), scheduler_of(trace), "t"));
  LoadedScenario scenario = load_scenario(path.string(), settings);
  std::filesystem::remove(path);
  return scenario;
}

}  // namespace

TEST_CASE("episodes go from a wake to the block that follows, through preemptions and caps") {
  const TracedVcpu a{0, 0};
  const TracedVcpu b{1, 0};
  const TracedSystem system = episodes_of(trace_of({{1000, b, Runstate::running, Runstate::runnable},
                                                    {1000, a, Runstate::blocked, Runstate::runnable},
                                                    {1010, a, Runstate::runnable, Runstate::running},
                                                    {1030, a, Runstate::running, Runstate::blocked},
                                                    {1030, b, Runstate::runnable, Runstate::running},
                                                    {1050, b, Runstate::running, Runstate::offline},
                                                    {1080, b, Runstate::offline, Runstate::runnable},
                                                    {1090, b, Runstate::runnable, Runstate::running},
                                                    {1100, b, Runstate::running, Runstate::blocked}}),
                                          1e8);
  CHECK(system.span_ns == 1000);
  REQUIRE(system.vcpus.size() == 2);
  REQUIRE(system.vcpus[0].episodes.size() == 1);
  const Episode& first = system.vcpus[0].episodes[0];
  CHECK(first.seen_to_wake);
  CHECK(first.woke_ns == 0);
  CHECK(first.waited_ns == 100);
  CHECK(first.ran_ns == 200);
  CHECK(first.blocked_ns == 300);
  REQUIRE(system.vcpus[1].episodes.size() == 1);
  const Episode& second = system.vcpus[1].episodes[0];
  CHECK_FALSE(second.seen_to_wake);
  CHECK(second.ran_ns == 300);
  CHECK(second.blocked_ns == 1000);
}

TEST_CASE("what ran in a recorded trace fills its pCPU, but for switches") {
  const TracedSystem system = episodes_of(trace_of("xentrace-credit2.bin"), kHz);
  std::int64_t ran = 0;
  for (const TracedActivity& activity : system.vcpus) {
    ran += activity.ran_ns();
    CHECK(activity.pcpus == std::vector<std::uint16_t>{0});
  }
  CHECK(ran <= system.span_ns);
  CHECK(ran > system.span_ns * 99 / 100);
}

TEST_CASE("a trace becomes a scenario without a fault, in which vCPUs do what they did") {
  const LoadedScenario scenario = loaded(trace_of("xentrace-credit2.bin"), kHz);
  REQUIRE(scenario.scenario.domains.size() == 2);
  CHECK(scenario.scenario.hypervisor.model.name() == "xen");
  const TaskConfig& sleeper = scenario.scenario.domains[0].tasks[0];
  CHECK(sleeper.model == TaskModel::recorded);
  CHECK(sleeper.runs.size() == 6);
  CHECK(sleeper.sleeps.size() == sleeper.runs.size());
}

TEST_CASE("who sleeps most of the time sleeps until the recorded wakes, and is measured") {
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < 20; ++i) {
    changes.push_back({i * 1000, {0, 0}, Runstate::blocked, Runstate::runnable});
    changes.push_back({i * 1000 + 1, {0, 0}, Runstate::runnable, Runstate::running});
    changes.push_back({i * 1000 + 21, {0, 0}, Runstate::running, Runstate::blocked});
  }
  const LoadedScenario scenario = loaded(trace_of(changes), 1e6);
  REQUIRE(scenario.scenario.interrupts.size() == 1);
  const std::vector<Duration>& times = scenario.scenario.interrupts[0].stimulus.times;
  REQUIRE(times.size() == 20);
  CHECK(times[7] == 7ms);
}

TEST_CASE("our Credit2 decides a recorded trace's wakes as they were decided") {
  const Xentrace trace = trace_of("xentrace-credit2.bin");
  const TraceReplay replayed = replay(trace, kHz, loaded(trace, kHz));
  CHECK(replayed.scheduler == "credit2");
  CHECK(replayed.wakes.size() == 5);
  CHECK(replayed.counts()[0] == 5);
}

TEST_CASE("with another rate limit the decisions differ, and it is said how") {
  std::vector<Change> changes;  // a hog, from which another vCPU takes the pCPU every 520 us
  for (std::uint64_t wake = 500; wake < 20'000; wake += 520) {
    changes.push_back({wake, {0, 0}, Runstate::blocked, Runstate::runnable});
    changes.push_back({wake, {1, 0}, Runstate::running, Runstate::runnable});
    changes.push_back({wake, {0, 0}, Runstate::runnable, Runstate::running});
    changes.push_back({wake + 20, {0, 0}, Runstate::running, Runstate::blocked});
    changes.push_back({wake + 20, {1, 0}, Runstate::runnable, Runstate::running});
  }
  const Xentrace trace = trace_of(changes);
  const TraceReplay alike = replay(trace, 1e6, loaded(trace, 1e6, {"/hypervisor/scheduler/ratelimit_us=0"}));
  CHECK(alike.ratelimit_ns == 0);
  CHECK(alike.wakes.size() == 37);
  INFO(to_text(alike));
  CHECK(alike.counts()[0] == 37);
  const TraceReplay limited = replay(trace, 1e6, loaded(trace, 1e6));
  CHECK(limited.ratelimit_ns == 1'000'000);
  CHECK(limited.counts()[0] < 19);
  const ReplayedWake& refused = *std::find_if(limited.wakes.begin(), limited.wakes.end(), [](const ReplayedWake& wake) {
    return wake.difference == WakeDifference::credits;
  });
  CHECK(refused.recorded.waited_ns == 0);
  CHECK(refused.replayed.waited_ns > 1'000'000);
  CHECK(refused.replayed.runner == "d1v0");
  CHECK(refused.replayed.stint_ns < 1'000'000);
  CHECK(to_text(limited).find("one held, one not") != std::string::npos);
}
