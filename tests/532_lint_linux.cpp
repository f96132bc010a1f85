// Lint of Linux kernels: each rule where it applies, and silence where it does not.
#include <algorithm>

#include "catch.hpp"
#include "system/scenario.hpp"

using namespace vecusim;

namespace {

/// "RULE POINTER" of each warning.
std::vector<std::string> warnings(const Settings& settings) {
  std::vector<std::string> result;
  const LoadedScenario loaded = load_scenario("pi4-native", settings);
  for (const Problem& problem : loaded.problems.kept()) {
    result.push_back(problem.rule + " " + problem.pointer);
  }
  return result;
}

using Warnings = std::vector<std::string>;

std::string tasks(const std::string& gpio, const std::string& others) {
  return R"(/domains/0/tasks=[{"name":"gpio","model":"interrupt","interrupt":"edge")" + gpio + "}" + others + "]";
}

}  // namespace

TEST_CASE("A default affinity of interrupts that contradicts the isolation is named") {
  const std::string isolated = "/domains/0/os/isolcpus=[2,3]";
  CHECK(warnings({isolated, "/domains/0/os/irqaffinity=[0,1,2]"}) ==
        Warnings{"irqaffinity-isolated /domains/0/os/irqaffinity"});
  CHECK(warnings({"/domains/0/os/nohz_full=[1]", "/domains/0/os/irqaffinity=[1]"}) ==
        Warnings{"irqaffinity-isolated /domains/0/os/irqaffinity"});
  CHECK(warnings({isolated, "/domains/0/os/irqaffinity=[0,1]"}).empty());
}

TEST_CASE("A real-time hog is named with what RT throttling makes of it") {
  const auto found = [](const std::string& runtime) {
    const LoadedScenario loaded =
        load_scenario("pi4-native", {tasks("", R"(,{"name":"h","model":"hog","policy":"rr","cpus":[3]})"),
                                     "/domains/0/os/sched_rt_runtime_us=" + runtime});
    REQUIRE(loaded.problems.kept().size() == 1);
    CHECK(loaded.problems.kept().front().rule == "endless-fifo");
    return loaded.problems.kept().front().found;
  };
  CHECK(found("950000").find("50000 us of every second") != std::string::npos);
  CHECK(found("-1").find("ever runs") != std::string::npos);
  CHECK(warnings({tasks("", R"(,{"name":"h","model":"hog","cpus":[3]})")}).empty());
}

TEST_CASE("A task that is to be spread over isolated CPUs is named") {
  const std::string hog = tasks("", R"(,{"name":"h","model":"hog","cpus":[2,3]})");
  CHECK(warnings({hog, "/domains/0/os/isolcpus=[2,3]"}) == Warnings{"isolated-spread /domains/0/tasks/1/cpus"});
  CHECK(warnings({hog, "/domains/0/os/isolcpus=[3]"}).empty());
}

TEST_CASE("A measured sleeper of the fair class is named") {
  const auto sleeper = [](const std::string& policy) {
    return warnings({R"(/domains/0/tasks=[{"name":"c","model":"cyclictest","loops":10,"policy":")" + policy + "\"}]",
                     "/interrupts=[]"});
  };
  CHECK(sleeper("other") == Warnings{"timer-slack /domains/0/tasks/0/policy"});
  CHECK(sleeper("fifo").empty());
}

TEST_CASE("A task above the priority of interrupt threads, on the CPU of one, is named") {
  const auto with = [](const std::string& gpio, const std::string& other, const std::string& preempt) {
    return warnings({tasks(gpio, R"(,{"name":"svc","model":"periodic","period_us":10000,"work_us":150,)" + other + "}"),
                     "/domains/0/os/preempt=" + preempt});
  };
  const std::string urgent = R"(,"policy":"fifo","priority":99)";
  const std::string svc = R"("policy":"fifo","priority":60)";
  CHECK(with(urgent, svc, "rt") == Warnings{"irq-thread-outranked /domains/0/tasks/0/interrupt"});
  CHECK(with(urgent, svc, "full").empty());
  CHECK(with(urgent + R"(,"interface":"cdev")", svc, "full").size() == 1);
  CHECK(with(urgent, svc + R"(,"cpus":[2])", "rt").empty());
  CHECK(with(urgent, R"("policy":"fifo","priority":50)", "rt").empty());
}

TEST_CASE("CPUs that the kernel does not have, or all of them, cannot be isolated") {
  CHECK_THROWS_AS(load_scenario("pi4-native", {"/domains/0/os/isolcpus=[4]"}), InvalidInput);
  CHECK_THROWS_AS(load_scenario("pi4-native", {"/domains/0/os/nohz_full=[0,1,2,3]"}), InvalidInput);
}
