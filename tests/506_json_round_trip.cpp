// What is written is read back as the same configuration.
#include "catch.hpp"
#include "json_example.hpp"
#include "property.hpp"
#include "system/json_print.hpp"

namespace vecusim::test {
namespace {

Duration duration_in(Duration lo, Duration hi) { return Duration{*rc::gen::inRange(lo.count(), hi.count())}; }

std::string any_text() { return *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127)); }

template <class Make>
auto several(Make make) {
  std::vector<decltype(make())> values;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) values.push_back(make());
  return values;
}

double positive(double scale) { return scale * static_cast<double>(*rc::gen::inRange(1, 1'000'000'007)); }

Domain any_domain() {
  Domain domain;
  domain.name = any_text();
  domain.vcpus = *rc::gen::inRange(1, 65);
  domain.affinity = several([] { return several([] { return *rc::gen::inRange<std::int64_t>(0, 8); }); });
  if (*rc::gen::arbitrary<bool>()) domain.cap = positive(1e-7);
  return domain;
}

Machine any_machine() {
  Machine machine;
  machine.trace = *rc::gen::arbitrary<bool>();
  machine.title = any_text();
  machine.seed = *rc::gen::arbitrary<std::int64_t>();
  machine.speed = positive(0.7e-6) + 0.001;
  machine.cycle = duration_in(Duration{1}, Duration::max());
  machine.tick = duration_in(Duration{1}, 1s);
  machine.vwfi = *rc::gen::element(Vwfi::trap, Vwfi::native);
  machine.arrivals = several([] { return duration_in(0s, 1h); });
  machine.tags = several(any_text);
  if (*rc::gen::arbitrary<bool>()) {
    machine.scheduler.credit2.ratelimit = *rc::gen::inRange(100, 500'001) * 1us;
  } else {
    const Duration period = duration_in(20us, 10s);
    machine.scheduler.model = 1;
    machine.scheduler.rtds = {duration_in(10us, period), period, *rc::gen::arbitrary<bool>()};
  }
  machine.domains = several(any_domain);
  for (const std::string& name : several(any_text)) {
    machine.costs[name] = {positive(1e-3), several([] { return positive(3.3); })};
  }
  return machine;
}

TEST_CASE("a random configuration is written and read back unchanged") {
  check_property(
      [] {
        const Machine machine = any_machine();
        const json::Node tree = json::write(machine);
        for (const std::string& text : {json::compact(tree), json::pretty(tree)}) {
          const auto [back, problems] = read_machine(text);
          INFO(problems);
          RC_ASSERT(problems.empty());
          RC_ASSERT(back == machine);
          RC_ASSERT(json::write(back) == tree);
        }
      },
      1000);
}

TEST_CASE("keys are written in the order of the fields, times in the unit of their key") {
  Machine machine;
  machine.cycle = Duration{1'500'000};
  machine.tick = Duration{1};
  machine.arrivals = {1s, Duration{2}};
  machine.domains = {{"dom0", 2, {{0, 1}}, 12.5}, {"domU", 1, {{1}, {}}, {}}, {"x", 1, {{}}, {}}};
  machine.costs = {{"b", {2.5, {}}}, {"a", {1, {0.1}}}};
  CHECK(json::compact(json::write(machine)) ==
        R"({"trace": false, "title": "", "seed": 1, "speed": 1.5, "cycle_ns": 1500, "tick_ms": 0.000000001, )"
        R"("vwfi": "trap", "arrivals_s": [1, 0.000000000002], "tags": ["a"], )"
        R"("scheduler": {"model": "credit2", "ratelimit_us": 1000}, "domains": [)"
        R"({"name": "dom0", "vcpus": 2, "affinity": [0, 1], "cap_pct": 12.5}, )"
        R"({"name": "domU", "vcpus": 1, "affinity": [[1], []]}, {"name": "x", "vcpus": 1, "affinity": [[]]}], )"
        R"("costs": {"a": {"value": 1, "range": [0.1]}, "b": {"value": 2.5, "range": []}}})");
}

TEST_CASE("writing changes nothing") {
  Machine machine;
  machine.domains = {{"dom0", 2, {}, {}}};
  const Machine before = machine;
  (void)json::write(machine);
  CHECK(machine == before);
}

}  // namespace
}  // namespace vecusim::test
