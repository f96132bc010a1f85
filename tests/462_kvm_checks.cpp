// What a scenario under KVM may say, and what it is told otherwise.
#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;

namespace {

std::string problem_of(const Settings& settings, const char* preset = "pi4-kvm") {
  try {
    const LoadedScenario loaded = load_scenario(preset, settings);
    if (loaded.problems.kept().empty()) return "";
    return loaded.problems.kept().front().rule;
  } catch (const InvalidInput& invalid) {
    const Problem& first = invalid.problems().kept().front();
    return first.pointer + ": expected " + first.expected + ", found " + first.found;
  }
}

const char* const kPin = R"(/interrupts/-={"name":"other","source":"gpio18","target":"host",)"
                         R"("stimulus":{"model":"periodic","period_ms":1000,"count":100}})";
const char* const kPinTask = R"(/domains/0/tasks/-={"name":"other","model":"interrupt","interrupt":"other"})";

}  // namespace

TEST_CASE("Under kvm there is a host, and its CPUs are the board's") {
  CHECK(problem_of({}).empty());
  CHECK(problem_of({"/domains/0/name=linux", "/interrupts/1/target=linux"}).empty());
  CHECK(problem_of({"/domains/0/name=dom0", "/interrupts/1/target=dom0"}) ==
        "/domains: expected one domain named \"host\" or \"linux\" under kvm, the Linux that has the board, found "
        "\"dom0\", \"guest\"");
  CHECK(problem_of({"/domains/0/vcpus=2"}) ==
        "/domains/0/vcpus: expected no such key for the host: its CPUs are the board's, found \"vcpus\"");
  CHECK(problem_of({"/domains/1/weight=512"}) ==
        "/domains/1/weight: expected no such key under kvm: vCPUs are threads of the host, see `vcpu_policy`, found "
        "\"weight\"");
  CHECK(problem_of({"/domains/1/affinity=[[1],[9]]"}) ==
        "/domains/1/affinity/1/0: expected a pCPU of the board, 0 to 3, found 9");
}

TEST_CASE("The keys of kvm are refused where nobody would heed them") {
  CHECK(problem_of({"/domains/1/vcpu_policy=fifo"}, "pi4-xen-published") ==
        "/domains/1/vcpu_policy: expected no such key without kvm, found \"vcpu_policy\"");
  CHECK(problem_of({"/interrupts/0/host_cpu=1"}, "pi4-native") ==
        "/interrupts/0/host_cpu: expected no such key without kvm, found \"host_cpu\"");
  CHECK(problem_of({"/interrupts/1/host_cpu=1"}) ==
        "/interrupts/1/host_cpu: expected no such key but for devices of guests; see `cpu`, found \"host_cpu\"");
  CHECK(problem_of({"/domains/1/vcpu_priority=20"}) ==
        "/domains/1/vcpu_priority: expected no such key unless `vcpu_policy` is \"fifo\" or \"rr\", found 20");
}

TEST_CASE("All pins go one way") {
  CHECK(problem_of({kPin, kPinTask, "/domains/1/devices=qemu"}).empty());
  CHECK(problem_of({kPin, kPinTask, "/domains/1/devices=vfio"}) ==
        "/interrupts/2/target: expected the domain of the other pins, \"guest\", as all pins share one interrupt of "
        "the controller, found \"host\"");
  CHECK(problem_of({kPin, kPinTask, "/domains/1/devices=qemu", "/interrupts/0/host_cpu=2"}) ==
        "/interrupts/2/cpu: expected that of the other pins, 2, as all pins share one interrupt of the controller, "
        "found 0");
}

TEST_CASE("vCPU threads that outrank a real-time task, or whoever serves their devices, are worth a warning") {
  const Settings above = {"/domains/1/vcpu_policy=fifo", "/domains/1/vcpu_priority=90"};
  CHECK(problem_of(above) == "vcpu-outranks-task");
  Settings apart = above;
  apart.insert(apart.end(), {"/domains/1/affinity=[2,3]", "/domains/0/tasks/0/cpus=[1]"});
  CHECK(problem_of(apart).empty());
  CHECK(problem_of({"/domains/1/vcpu_policy=fifo", "/domains/1/vcpu_priority=40"}).empty());
  CHECK(problem_of({"/domains/1/vcpu_policy=fifo", "/domains/1/devices=vhost",
                    R"(/domains/1/tasks/-={"name":"load","model":"hog"})"}) == "vcpu-starves-worker");
}

TEST_CASE("What the scenario does without is no reason for a warning") {
  const char* const kLow = R"(/domains/0/tasks/-={"name":"low","model":"hog","policy":"fifo","priority":10,)";
  const Settings above = {"/domains/1/vcpu_policy=fifo", "/domains/1/vcpu_priority=40"};
  const auto with = [&](const std::string& more) {
    Settings settings = above;
    settings.push_back(more);
    return problem_of(settings);
  };
  CHECK(with(std::string(kLow) + R"("enabled":true})") == "vcpu-outranks-task");
  CHECK(with(std::string(kLow) + R"("enabled":false})").empty());
  CHECK(problem_of({"/domains/1/vcpu_policy=fifo", "/domains/1/devices=vhost",
                    R"(/domains/1/tasks/-={"name":"load","model":"hog","enabled":false})"})
            .empty());
}

TEST_CASE("Whoever is starved by real-time vCPUs has what RT throttling leaves") {
  const auto found = [](const char* runtime) {
    const LoadedScenario loaded =
        load_scenario("pi4-kvm", {"/domains/1/vcpu_policy=fifo", "/domains/1/devices=vhost", runtime,
                                  R"(/domains/1/tasks/-={"name":"load","model":"hog"})"});
    return loaded.problems.kept().front().found;
  };
  CHECK_THAT(found("/domains/0/os/sched_rt_runtime_us=950000"), Catch::Contains("runs 50 ms of each second"));
  CHECK_THAT(found("/domains/0/os/sched_rt_runtime_us=-1"), Catch::Contains("never runs on their CPUs"));
}
