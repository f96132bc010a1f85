// A configuration that uses every kind of field there is, for the tests of what reads, writes and describes fields.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/fields.hpp"
#include "system/json_fields.hpp"
#include "system/json_parse.hpp"
#include "system/problem.hpp"

namespace vecusim::test {

enum class Vwfi : std::uint8_t { trap, native };
inline constexpr Option kVwfiOptions[] = {{"trap", "Xen is entered when a vCPU waits"}, {"native", "the pCPU waits"}};

struct Credit2 {
  Duration ratelimit = 1ms;
  bool operator==(const Credit2&) const = default;
  void fields(FieldVisitor& visit) {
    visit.duration({"ratelimit_us", "how long a vCPU may run before it is preempted; 0: no limit"}, ratelimit,
                   off_or(100us, 500ms));
  }
};

struct Rtds {
  Duration budget = 4ms;
  Duration period = 10ms;
  bool extratime = false;
  bool operator==(const Rtds&) const = default;
  void fields(FieldVisitor& visit) {
    visit.duration({"budget_us", "time in each period"}, budget, at_least(10us));
    visit.duration({"period_us", "the period"}, period, at_least(10us));
    visit.flag({"extratime", "whether what is left over may be used"}, extratime);
    visit.require(budget <= period, "budget_us", "at most period_us");
  }
};

inline constexpr Option kSchedulerOptions[] = {{"credit2", "Xen's default"}, {"rtds", "budgets | periods"}};

struct Scheduler {
  std::size_t model = 0;
  Credit2 credit2;
  Rtds rtds;
  bool operator==(const Scheduler&) const = default;
  void fields(FieldVisitor& visit) {
    struct Adapter final : Alternatives {
      explicit Adapter(Scheduler& s) : scheduler(s) {}
      std::span<const Option> options() const override { return kSchedulerOptions; }
      std::size_t current() const override { return scheduler.model; }
      void select(std::size_t option) override { scheduler.model = option; }
      void fields(FieldVisitor& v) override {
        if (scheduler.model == 0) scheduler.credit2.fields(v);
        if (scheduler.model == 1) scheduler.rtds.fields(v);
      }
      Scheduler& scheduler;
    } alternatives{*this};
    visit.alternatives({"model", "who decides which vCPU runs"}, alternatives);
  }
};

struct Domain {
  std::string name;
  int vcpus = 1;
  std::vector<std::vector<std::int64_t>> affinity;
  std::optional<double> cap;
  bool operator==(const Domain&) const = default;
  void fields(FieldVisitor& visit) {
    visit.text({"name", "what it is called", true}, name);
    visit.integer({"vcpus", "how many virtual cores"}, vcpus, {1, 64});
    visit.index_lists({"affinity", "pCPUs it may run on"}, affinity, {0, 7});
    const Field field{"cap_pct", "most of one pCPU that it may use"};
    visit.optional(field, cap, [&](double& value) { visit.number(field, value, {0.0, 6400.0}); });
  }
};

struct Cost {
  double value = 0;
  std::vector<double> range = {0, 1};
  bool operator==(const Cost&) const = default;
  void fields(FieldVisitor& visit) {
    visit.number({"value", "the number itself", true}, value, at_least(0.0));
    visit.numbers({"range", "from and to"}, range, at_least(0.0));
  }
};

struct Machine {
  bool trace = false;
  std::string title;
  std::int64_t seed = 1;
  double speed = 1.5;
  Duration cycle{667};
  Duration tick = 4ms;
  Vwfi vwfi = Vwfi::trap;
  std::vector<Duration> arrivals;
  std::vector<std::string> tags = {"a"};
  Scheduler scheduler;
  std::vector<Domain> domains;
  std::map<std::string, Cost> costs;
  bool operator==(const Machine&) const = default;

  void fields(FieldVisitor& visit) {
    visit.flag({"trace", "whether everything is written down"}, trace);
    visit.text({"title", "shown in reports"}, title);
    visit.integer({"seed", "where all random numbers start"}, seed, Range<std::int64_t>{INT64_MIN, INT64_MAX});
    visit.number({"speed", "of the clock, in GHz"}, speed, {0.001, 1e3});
    visit.duration({"cycle_ns", "of the clock"}, cycle, at_least(Duration{1}));
    visit.duration({"tick_ms", "of the operating system"}, tick, {Duration{1}, 1s});
    visit.choice({"vwfi", "what a waiting vCPU does"}, vwfi, kVwfiOptions);
    visit.durations({"arrivals_s", "when edges come"}, arrivals, {0ms, 1h});
    visit.texts({"tags", "for the user's own use"}, tags);
    visit.object({"scheduler", "of the hypervisor"}, scheduler);
    visit.list({"domains", "in the order of their start"}, domains);
    visit.map({"costs", "by name"}, costs);
  }
};

/// What reading `text` into a Machine gives, and the problems as text.
struct ReadResult {
  Machine machine;
  std::string problems;
};

inline ReadResult read_machine(std::string_view text) {
  ReadResult result;
  Problems problems;
  if (const auto node = json::parse(text, "m.json", problems)) json::read(*node, result.machine, problems);
  result.problems = problems.text();
  return result;
}

}  // namespace vecusim::test
