// A timeline: what rows show adds up, windows are parts of the whole, flights are those that sinks are told of.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "analysis/timeline.hpp"
#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using State = Timeline::State;

namespace {

constexpr TimelineWindow kAll{};

Scenario preset(const std::string& name, Settings settings = {}) {
  settings.insert(settings.begin(), "/interrupts/0/stimulus/count=5");
  return load_scenario(name, settings).scenario;
}

Timeline record(const Scenario& scenario, const TimelineWindow& window = kAll,
                std::size_t most = kMostTimelineRecords) {
  return record_timeline(scenario, 0, window, {}, most);
}

std::vector<Timeline::Interval> of_row(const Timeline& timeline, std::uint32_t row) {
  std::vector<Timeline::Interval> found;
  std::copy_if(timeline.intervals.begin(), timeline.intervals.end(), std::back_inserter(found),
               [&](const auto& interval) { return interval.row == row; });
  return found;
}

/// Time in a state, with or without a wait, over all rows of a kind.
std::int64_t time_in(const Timeline& timeline, Timeline::RowKind kind, State state) {
  std::int64_t sum = 0;
  for (const Timeline::Interval& interval : timeline.intervals) {
    const bool counts = timeline.rows[interval.row].kind == kind && interval.state == state && !interval.wait;
    if (counts) sum += interval.end_ps - interval.begin_ps;
  }
  return sum;
}

std::size_t count(const Timeline& timeline, Timeline::Mark mark) {
  return static_cast<std::size_t>(std::count_if(timeline.instants.begin(), timeline.instants.end(),
                                                [&](const auto& instant) { return instant.mark == mark; }));
}

/// Rows do not overlap themselves, those of vCPUs have no gap, and all is within what is covered.
void check_rows(const Timeline& timeline) {
  for (std::uint32_t row = 0; row < timeline.rows.size(); ++row) {
    const bool tiles = timeline.rows[row].kind == Timeline::RowKind::vcpu;
    std::int64_t end = timeline.from_ps;
    for (const Timeline::Interval& interval : of_row(timeline, row)) {
      REQUIRE(interval.end_ps > interval.begin_ps);
      REQUIRE((tiles ? interval.begin_ps == end : interval.begin_ps >= end));
      end = interval.end_ps;
    }
    CHECK((tiles ? end == timeline.to_ps : end <= timeline.to_ps));
  }
}

}  // namespace

TEST_CASE("under every hypervisor guests run where vCPUs run, for as long") {
  const std::string name =
      GENERATE("pi4-xen-published", "pi4-xen-console", "pi4-kvm", "pi4-tcg-stall", "zcu104-partition", "h3-domu");
  INFO(name);
  const Timeline timeline = record(preset(name));
  check_rows(timeline);
  CHECK(timeline.cut == 0);
  const std::int64_t running = time_in(timeline, Timeline::RowKind::vcpu, State::running);
  CHECK(running > 0);
  CHECK(time_in(timeline, Timeline::RowKind::pcpu, State::guest) == running);
  std::int64_t inside = 0;
  for (const State state : {State::user, State::kernel, State::softirq, State::irq}) {
    inside += time_in(timeline, Timeline::RowKind::guest, state);
  }
  CHECK(inside > 0);
  CHECK(inside <= running);
}

TEST_CASE("without a hypervisor pCPUs show what their kernel runs, and there are no other rows") {
  const Timeline timeline = record(preset("pi4-native"));
  check_rows(timeline);
  CHECK(std::none_of(timeline.rows.begin(), timeline.rows.end(),
                     [](const Timeline::Row& row) { return row.kind == Timeline::RowKind::vcpu; }));
  CHECK(time_in(timeline, Timeline::RowKind::pcpu, State::irq) > 0);
  CHECK(time_in(timeline, Timeline::RowKind::pcpu, State::user) > 0);
  CHECK(time_in(timeline, Timeline::RowKind::pcpu, State::guest) == 0);
}

TEST_CASE("flights are those that end, and their stages tile them") {
  const Scenario scenario = preset("pi4-xen-published");
  const Timeline timeline = record(scenario);
  const test::Recorded told = test::simulate("pi4-xen-published", {"/interrupts/0/stimulus/count=5"});
  REQUIRE(timeline.flights.size() == told.flights.size());
  for (std::size_t i = 0; i < told.flights.size(); ++i) {
    const Timeline::Flight& flight = timeline.flights[i];
    CHECK(flight.fate == Timeline::Fate::answered);
    CHECK(flight.end_ps - flight.begin_ps == told.flights[i].latency.count());
    std::int64_t end = flight.begin_ps;
    for (const Timeline::Stage& stage : flight.stages) {
      CHECK(stage.begin_ps == end);
      end = stage.end_ps;
      std::int64_t parts = stage.service_ps;
      for (const std::int64_t wait : stage.waits_ps) parts += wait;
      CHECK(parts == stage.end_ps - stage.begin_ps);
      CHECK_FALSE(timeline.name(stage.name).empty());
    }
    CHECK(end == flight.end_ps);
  }
  CHECK(count(timeline, Timeline::Mark::stimulus) == told.stimuli);
  CHECK(count(timeline, Timeline::Mark::interrupt) == told.interrupts);
}

TEST_CASE("a window is the part of the whole that it names") {
  const Scenario scenario = preset("pi4-xen-published");
  const Timeline whole = record(scenario);
  const Timeline::Flight& flight = whole.flights[2];
  const std::int64_t from = flight.begin_ps - 1'000'000;
  const std::int64_t to = flight.end_ps - 1'000'000;
  const Timeline part = record(scenario, {kStart + Duration{from}, kStart + Duration{to}});
  CHECK(part.from_ps == from);
  CHECK(part.to_ps == to);
  check_rows(part);
  std::vector<Timeline::Interval> expected = whole.intervals;
  std::erase_if(expected, [&](const auto& i) { return i.end_ps <= from || i.begin_ps >= to; });
  REQUIRE(part.intervals.size() == expected.size());
  std::int64_t time = 0;
  for (const Timeline::Interval& i : part.intervals) time += i.end_ps - i.begin_ps;
  for (const Timeline::Interval& i : expected) time -= std::min(i.end_ps, to) - std::max(i.begin_ps, from);
  CHECK(time == 0);
  REQUIRE(part.flights.size() == 1);
  CHECK(part.flights[0].begin_ps == flight.begin_ps);
  CHECK(part.flights[0].end_ps == flight.end_ps);
  CHECK(part.flights[0].stages.size() == flight.stages.size());
}

TEST_CASE("a wake that the rate limit refuses is marked, with whom it protects") {
  const Timeline timeline = record(load_scenario("pi4-xen-together", {"/interrupts/1/stimulus/count=20"}).scenario);
  REQUIRE(count(timeline, Timeline::Mark::refused) > 0);
  for (const Timeline::Instant& instant : timeline.instants) {
    if (instant.mark != Timeline::Mark::refused) continue;
    const auto held = of_row(timeline, instant.row);
    const auto begins = std::find_if(held.begin(), held.end(),
                                     [&](const auto& interval) { return interval.begin_ps == instant.at_ps; });
    REQUIRE(begins != held.end());
    CHECK(begins->state == State::runnable);
    CHECK(begins->wait == Wait::ratelimit);
    CHECK(timeline.name(instant.what).starts_with("dom"));
  }
}

TEST_CASE("when room for records ends, so does what is covered, and it is said how much is missing") {
  const Scenario scenario = preset("pi4-xen-published");
  const Timeline whole = record(scenario);
  const std::size_t most = GENERATE(1, 10, 100, 200);
  const Timeline part = record(scenario, kAll, most);
  CHECK(part.cut > 0);
  CHECK(part.to_ps < whole.to_ps);
  check_rows(part);
  CHECK(part.intervals.size() + part.instants.size() <= most + part.rows.size());
  CHECK(part.intervals.size() + part.instants.size() + part.cut <=
        whole.intervals.size() + whole.instants.size() + whole.flights.size());
  for (const Timeline::Instant& instant : part.instants) CHECK(instant.at_ps < part.to_ps);
}

TEST_CASE("flights of one interrupt that overlap have different lanes") {
  const Timeline timeline =
      record(preset("pi4-tcg-stall", {"/interrupts/0/stimulus/period_ms=1", "/interrupts/0/stimulus/count=200"}));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> ends;
  std::uint32_t most = 0;
  for (const Timeline::Flight& flight : timeline.flights) {
    std::int64_t& end = ends[{flight.row, flight.lane}];
    CHECK(flight.begin_ps >= end);
    end = flight.end_ps;
    most = std::max(most, flight.lane);
  }
  CHECK(most > 0);
}
