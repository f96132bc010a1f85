// Credit2's boot: which pCPUs share a runqueue (golden trace format, point 22), cores with siblings, and parameters.
#include "catch.hpp"
#include "credit2_bench.hpp"

namespace vecusim::test {
namespace {

/// The runqueue of each pCPU, one digit each.
std::string layout(const MachineDescription& machine, std::string_view parameters) {
  const Credit2Bench b(machine, parameters);
  std::string text(machine.pcpus.size(), '?');
  for (std::size_t q = 0; q < b.policy().runqueues(); ++q) {
    CHECK(b.runqueue_figure(q, "id") == static_cast<std::int64_t>(q));
    const auto members = PcpuMask::from_bits(static_cast<std::uint64_t>(b.runqueue_figure(q, "pcpus")));
    CHECK(b.runqueue_figure(q, "bias") == static_cast<std::int64_t>(index(members.first())));
    for (const PcpuId pcpu : members) text[index(pcpu)] = static_cast<char>('0' + q);
  }
  return text;
}

std::string arranged(std::string_view arrangement, int max_pcpus = 16) {
  return R"({"runqueue": ")" + std::string(arrangement) + R"(", "max_cpus_runqueue": )" + std::to_string(max_pcpus) +
         '}';
}

/// One socket with these cores, each a set of hardware threads.
MachineDescription machine_of_cores(const std::vector<PcpuMask>& cores, std::string_view version = kDefaultXenVersion) {
  MachineDescription machine{{}, resolve_version(version).behaviour};
  for (std::size_t core = 0; core < cores.size(); ++core) {
    for (const PcpuId pcpu : cores[core]) {
      if (machine.pcpus.size() <= index(pcpu)) machine.pcpus.resize(index(pcpu) + 1);
      machine.pcpus[index(pcpu)] = {0, static_cast<int>(core), 0, cores[core]};
    }
  }
  return machine;
}

PcpuMask threads(const std::vector<int>& pcpus) {
  PcpuMask mask;
  for (const int pcpu : pcpus) mask.insert(pcpu_id(pcpu));
  return mask;
}

TEST_CASE("Credit2: on Arm all arrangements but cpu make one runqueue") {
  const MachineDescription machine = arm_machine(4, {});
  CHECK(layout(machine, arranged("cpu")) == "0123");
  for (const std::string_view arrangement : {"core", "socket", "node", "all"}) {
    CHECK(layout(machine, arranged(arrangement)) == "0000");
  }
  CHECK(layout(machine, "{}") == "0000");
}

TEST_CASE("Credit2: a runqueue is shared in a socket, in a core of it, in a node, or by all") {
  MachineDescription machine = placed_machine({0, 0, 1, 1, 1, 0}, {0, 1, 0, 1, 0, 0}, false);
  CHECK(layout(machine, arranged("socket")) == "001110");
  CHECK(layout(machine, arranged("core")) == "012320");
  CHECK(layout(machine, arranged("node")) == "000000");
  CHECK(layout(machine, arranged("all")) == "000000");
  for (const std::size_t pcpu : {1, 3, 5}) machine.pcpus[pcpu].node = 7;
  CHECK(layout(machine, arranged("node")) == "010101");
}

TEST_CASE("Credit2: each runqueue gets a fair part of the machine, not the most that it may have") {
  CHECK(layout(arm_machine(4, {}), arranged("all", 3)) == "0011");
  CHECK(layout(arm_machine(5, {}), arranged("all", 2)) == "01234");
  CHECK(layout(arm_machine(7, {}), arranged("socket", 4)) == "0001112");
  CHECK(layout(arm_machine(16, {}), "{}") == std::string(16, '0'));
  CHECK(layout(arm_machine(20, {}), "{}") == std::string(10, '0') + std::string(10, '1'));
}

TEST_CASE("Credit2: the threads of a core share a runqueue, and whole cores must fit") {
  const MachineDescription neighbours =
      machine_of_cores({threads({0, 1}), threads({2, 3}), threads({4, 5}), threads({6, 7})});
  CHECK(layout(neighbours, arranged("socket", 5)) == "00001111");
  CHECK(layout(neighbours, arranged("socket", 3)) == "00112233");
  const MachineDescription strided = machine_of_cores({threads({0, 3}), threads({1, 4}), threads({2, 5})});
  CHECK(layout(strided, arranged("socket", 3)) == "012012");
  CHECK(layout(strided, arranged("cpu")) == "012345");
}

TEST_CASE("Credit2: of several runqueues with room the one with the fewest pCPUs is taken, the first on equality") {
  const MachineDescription machine = machine_of_cores(
      {threads({0, 6, 7}), threads({1}), threads({2, 8, 9}), threads({3}), threads({4}), threads({5})});
  CHECK(layout(machine, arranged("socket", 5)) == "0011010011");
}

TEST_CASE("Credit2: from Xen 4.18 on arrangement all minds no siblings, and a sibling is let in though it is full") {
  const std::vector<PcpuMask> cores = {threads({0, 3}), threads({1, 4}), threads({2, 5})};
  CHECK(layout(machine_of_cores(cores, "4.17.5"), arranged("all", 3)) == "012012");
  CHECK(layout(machine_of_cores(cores, "4.18.0"), arranged("all", 3)) == "000000");
  CHECK(layout(machine_of_cores(cores, "4.18.0"), arranged("socket", 3)) == "012012");
}

// ---- Idle cores ----

TEST_CASE("Credit2: an idle core is taken before an idle thread of a busy one, then such a thread") {
  Credit2Bench b(machine_of_cores({threads({0, 1}), threads({2, 3})}), "{}");
  for (int u = 0; u < 4; ++u) b.wake(0ms, b.add("u" + std::to_string(u)));
  CHECK(b.passes() == Log{"0 p0 u0 10", "0 p2 u1 10 moved", "0 p1 u2 10 moved", "0 p3 u3 10 moved"});
}

TEST_CASE("Credit2: a core is idle again when all its threads are, not sooner") {
  Credit2Bench b(machine_of_cores({threads({0, 1}), threads({2, 3}), threads({4, 5})}), "{}");
  const UnitId a = b.add("A", 2);
  const UnitId other = b.add("B", 3, {pcpu_id(3)});
  const UnitId third = b.add("C", 2);
  for (const UnitId unit : {a, other}) b.wake(0ms, unit);
  b.block(a);
  b.passes();
  b.wake(1ms, third);  // its own pCPU 2 is idle, but pCPU 3 is not
  CHECK(b.passes() == Log{"1 p4 C 10 moved"});
  b.block(third);
  b.block(other);
  b.passes();
  b.wake(2ms, a);
  CHECK(b.passes() == Log{"2 p2 A 10"});
}

TEST_CASE("Credit2: a tickled thread takes its whole core out of the search") {
  Credit2Bench b(machine_of_cores({threads({0, 1}), threads({2, 3})}), "{}");
  b.wake_together(0ms, {b.add("A"), b.add("B")});
  CHECK(b.passes() == Log{"0 p0 A 1", "0 p2 B 10 moved"});
}

TEST_CASE("Credit2: a busy thread is no idle core where each thread has its own runqueue") {
  Credit2Bench b(machine_of_cores({threads({0, 1})}), arranged("cpu"));
  const UnitId a = b.add("A", 0, {pcpu_id(0)});
  const UnitId other = b.add("B", 0, {pcpu_id(0)});
  for (const UnitId unit : {a, other}) b.set_hard_affinity(unit, {pcpu_id(0)});
  b.wake(0ms, a);
  b.passes();
  b.wake(100us, other);
  CHECK(b.passes().empty());
}

// ---- Parameters ----

std::string problem_with(std::string_view parameters) {
  Problems problems;
  credit2_config(parameters, problems);
  try {
    problems.throw_if_errors();
  } catch (const InvalidInput& invalid) {
    return invalid.what();
  }
  return {};
}

TEST_CASE("Credit2, gotcha 43: each parameter is in the unit that Xen has it in") {
  Credit2Bench ratelimit(1, R"({"ratelimit_us": 5000})");
  ratelimit.wake_together(0ms, {ratelimit.add("A"), ratelimit.add("B")});
  CHECK(ratelimit.passes() == Log{"0 p0 A 5"});

  Credit2Bench period(1, R"({"cap_period_ms": 20})");
  const UnitId capped = period.add("A");
  CHECK(period.set_cap(period.latest_domain(), 25));
  period.wake(0ms, capped);
  period.until(20ms);
  CHECK(period.passes() == Log{"0 p0 A 5", "5 p0 -", "20 p0 A 5"});

  Credit2Bench resist(2, R"({"ratelimit_us": 0, "migrate_resist_us": 3000})");
  const UnitId hog0 = resist.add("H0", 0, {pcpu_id(0)});
  const UnitId hog1 = resist.add("H1", 1, {pcpu_id(1)});
  resist.wake(0ms, hog0);
  resist.wake(3ms, hog1);
  resist.passes();
  resist.wake(3ms, resist.add("A", 1));
  CHECK(resist.passes().empty());
  resist.poke_at(3ms, 0);
  CHECK(resist.passes() == Log{"3 p0 A 10 moved"});
}

TEST_CASE("Credit2, gotcha 44: a rate limit that Xen's tools refuse is refused at boot, too") {
  CHECK(problem_with(R"({"ratelimit_us": 0})").empty());
  CHECK(problem_with(R"({"ratelimit_us": 100})").empty());
  CHECK(problem_with(R"({"ratelimit_us": 500000})").empty());
  for (const std::string value : {"99", "500001", "-1", "100.5", "\"1ms\""}) {
    const std::string problem = problem_with(R"({"ratelimit_us": )" + value + '}');
    INFO(problem);
    CHECK(problem.find("/ratelimit_us") != std::string::npos);
    CHECK(problem.find("100") != std::string::npos);
  }
}

TEST_CASE("Credit2: parameters that make no sense together are refused") {
  CHECK(problem_with(R"({"load_window_shift": 40, "load_precision_shift": 20})").empty());
  CHECK(problem_with(R"({"load_window_shift": 40, "load_precision_shift": 21})").find("load_precision_shift") !=
        std::string::npos);
  CHECK(problem_with(R"({"load_precision_shift": 4, "balance_over": -4})").empty());
  CHECK(problem_with(R"({"load_precision_shift": 4, "balance_over": -5})").find("balance_over") != std::string::npos);
  CHECK(problem_with(R"({"load_precision_shift": 4, "balance_under": -5})").find("balance_under") != std::string::npos);
  CHECK(problem_with(R"({"runqueue": "pcpu"})").find("cpu") != std::string::npos);
  CHECK(problem_with(R"({"max_cpus_runqueue": 0})").find("max_cpus_runqueue") != std::string::npos);
  CHECK(problem_with(R"({"cap_period_ms": 0})").find("cap_period_ms") != std::string::npos);
}

}  // namespace
}  // namespace vecusim::test
