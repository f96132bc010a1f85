// The workloads of golden cases: steps, remembered events, kicks and interrupts (golden trace format, sections 1
// and 3.3).
#include <algorithm>
#include <sstream>

#include "catch.hpp"
#include "golden_files.hpp"
#include "scripted_policy.hpp"

namespace vecusim::test {
namespace {

class Lines final : public golden::LineSink {
 public:
  bool line(std::string_view text) override {
    all.emplace_back(text);
    return true;
  }
  /// The events, without decisions and totals, as "TIME EVENT VCPU".
  std::vector<std::string> events() const {
    std::vector<std::string> events;
    for (const std::string& text : all) {
      const std::size_t event = text.find("\"ev\":\"");
      if (event == std::string::npos) continue;
      const std::string time = text.substr(5, text.find(',') - 5);
      const std::string name = text.substr(event + 6, text.find('"', event + 6) - event - 6);
      const std::size_t vcpu = text.find("\"v\":\"") + 5;
      events.push_back(time + ' ' + name + ' ' + text.substr(vcpu, text.find('"', vcpu) - vcpu));
    }
    return events;
  }
  std::vector<std::string> all;
};

/// vCPUs as "{…},{…}", all of domain 0 on `pcpus` pCPUs under null, for 100 ns.
std::string document(const std::string& vcpus, const std::string& more = "", int pcpus = 4) {
  return R"({"name":"x","scheduler":"null","pcpus":)" + std::to_string(pcpus) +
         R"(,"duration":100,"domains":[{"id":0,"vcpus":[)" + vcpus + "]}]" + more + "}";
}

std::string vcpu(const std::string& steps, const std::string& more = "") {
  return R"({"workload":{"steps":[)" + steps + "]" + more + "}}";
}

Lines replay(const std::string& text) {
  Lines lines;
  golden::replay_case(golden::read_case(text, "x.case.json"))->run(lines);
  return lines;
}

using Events = std::vector<std::string>;

TEST_CASE("the prologue runs once, the steps again and again") {
  const Lines lines = replay(
      document(R"({"workload":{"prologue":[{"run":7},{"block":3}],"steps":[{"run":20},{"block":20}],"repeat":true}})"));
  CHECK(lines.events() == Events{"0 start d0v0", "7 block d0v0", "10 wake d0v0", "30 block d0v0", "50 wake d0v0",
                                 "70 block d0v0", "90 wake d0v0"});
}

TEST_CASE("after its last step a workload that does not repeat waits again whenever an event wakes it") {
  const Lines lines =
      replay(document(vcpu(R"({"run":10})"), R"(,"interrupts":[{"t":30,"v":"d0v0"},{"t":60,"v":["d0v0"]}])"));
  CHECK(lines.events() ==
        Events{"0 start d0v0", "10 block d0v0", "30 wake d0v0", "30 block d0v0", "60 wake d0v0", "60 block d0v0"});
}

TEST_CASE("a remembered event is consumed before a wake-up in the past is skipped") {
  const Lines lines = replay(document(vcpu(R"({"run":10},{"block_until":5},{"run":10},{"wait":true},{"run":10})"),
                                      R"(,"interrupts":[{"t":3,"v":"d0v0"}])"));
  CHECK(lines.events() == Events{"0 start d0v0", "3 pend d0v0", "20 block d0v0"});
}

TEST_CASE("a wake-up in the past does not block, one later does, and a grid is met strictly after now") {
  const Lines lines = replay(document(vcpu(
      R"({"run":10},{"block_until":10},{"block_until":15},{"block_periodic":{"period":10,"phase":5}},{"block_periodic":{"period":10,"phase":40}})")));
  CHECK(lines.events() == Events{"0 start d0v0", "10 block d0v0", "15 wake d0v0", "15 block d0v0", "25 wake d0v0",
                                 "25 block d0v0", "40 wake d0v0", "40 block d0v0"});
}

TEST_CASE("several events before a block are remembered as one") {
  const Lines lines = replay(document(vcpu(R"({"run":20},{"wait":true},{"run":10},{"wait":true})"),
                                      R"(,"interrupts":[{"t":5,"v":"d0v0"},{"t":6,"v":"d0v0"}])"));
  CHECK(lines.events() == Events{"0 start d0v0", "5 pend d0v0", "6 pend d0v0", "30 block d0v0"});
}

TEST_CASE("an event for a vCPU that has not started is remembered") {
  const Lines lines = replay(document(R"({"start":50,"workload":{"steps":[{"wait":true},{"run":10},{"wait":true}]}})",
                                      R"(,"interrupts":[{"t":20,"v":"d0v0"}])"));
  CHECK(lines.events() == Events{"20 pend d0v0", "50 start d0v0", "60 block d0v0"});
}

TEST_CASE("an event cancels the own wake-up of a blocked vCPU") {
  const Lines lines = replay(document(vcpu(R"({"block":50},{"run":60})"), R"(,"interrupts":[{"t":20,"v":"d0v0"}])"));
  CHECK(lines.events() == Events{"0 start d0v0", "0 block d0v0", "20 wake d0v0", "80 block d0v0"});
}

TEST_CASE("a kick wakes another vCPU at once, and the kicker goes on before any pass") {
  const Lines lines = replay(document(vcpu(R"({"wait":true},{"run":5})") + "," +
                                      vcpu(R"({"run":10},{"kick":"d0v0"},{"kick":"d0v0"},{"run":10})")));
  CHECK(lines.events() == Events{"0 start d0v0", "0 start d0v1", "0 block d0v0", "10 wake d0v0", "10 pend d0v0",
                                 "15 block d0v0", "20 block d0v1"});
}

TEST_CASE("a vCPU that yields and keeps its pCPU goes on right after the pass") {
  const Lines lines = replay(document(vcpu(R"({"run":10},{"yield":true},{"run":10},{"wait":true})")));
  CHECK(lines.events() == Events{"0 start d0v0", "10 yield d0v0", "20 block d0v0"});
}

TEST_CASE("the last line holds totals that add up, taken at the end and not at the last event") {
  const Lines lines = replay(document(vcpu(R"({"run":10},{"wait":true})"), "", 1));
  CHECK(
      lines.all.back() ==
      R"({"end":100,"decisions":3,"totals":{"d0v0":{"run":10,"runnable":0,"blocked":90,"offline":0,"in":1}},"idle":[90]})");
}

TEST_CASE("an interrupt for several vCPUs executes on the pCPU of the first of them") {
  Script script;
  const PolicyEntry entry = entry_of<ScriptedPolicy>({"scripted", "for tests"}, "");
  // Both vCPUs run wherever they are assigned, and block at once.
  script.schedule = [](const HookContext& context, UnitId, Verdict&) {
    const UnitId own = static_cast<UnitId>(index(context.pcpu));
    const bool exists = index(own) < context.machine.units.size();
    return exists && context.machine[own].runnable ? Decision{own, kNoSlice, false} : Decision{};
  };
  script.wake = [](const HookContext&, UnitId unit, Verdict& verdict) {
    verdict.tickle(static_cast<PcpuId>(index(unit)));
  };
  golden::Case one = golden::read_case(
      document(vcpu("") + "," + vcpu(""), R"(,"interrupts":[{"t":50,"v":["d0v1","d0v0"]}])", 2), "x.case.json");
  auto config = std::make_unique<ScriptedPolicy::Config>();
  config->script = &script;
  one.policy = &entry;
  one.config = std::move(config);
  Lines lines;
  golden::replay_case(std::move(one))->run(lines);
  const auto woken = std::find(script.calls.rbegin(), script.calls.rend(), "wake u1 on p1");
  REQUIRE(woken != script.calls.rend());
  CHECK(*(woken - 1) == "wake u0 on p1");
}

TEST_CASE("a workload that never lets time pass is refused") {
  CHECK_THROWS_WITH(replay(document(vcpu(R"({"kick":"d0v0"})", R"(,"repeat":true)"))), Catch::Contains("endless loop"));
  CHECK_THROWS_WITH(replay(document(vcpu(R"({"run":0})", R"(,"repeat":true)"))), Catch::Contains("endless loop"));
}

}  // namespace
}  // namespace vecusim::test
