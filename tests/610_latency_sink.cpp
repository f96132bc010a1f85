// Which answers are samples, what they are measured from, and that their parts add up to them.
#include <algorithm>
#include <deque>
#include <vector>

#include "analysis/latency_sink.hpp"
#include "catch.hpp"
#include "property.hpp"

using namespace vecusim;

namespace {

constexpr InterruptId kEdge{0};
constexpr std::size_t kRelay = static_cast<std::size_t>(Wait::relay);
constexpr std::size_t kRunqueue = static_cast<std::size_t>(Wait::runqueue);

/// One interrupt of two stages: the first takes a quarter as service, the second the rest as a wait.
class Bench {
 public:
  explicit Bench(LateAnswer late_answer, Time warmup = kStart, std::optional<Duration> limit = {})
      : sink_({LatencyRule{2, late_answer, limit}}, warmup) {}

  void stimulus(Duration at) {
    edges_.push_back(kStart + at);
    sink_.on(Stimulated{kStart + at, kEdge, edges_.size() - 1});
  }
  void answer(std::uint64_t flight, Duration at) {
    const Duration latency = kStart + at - edges_[flight];
    std::vector<StageTime> stages(2);
    stages[0].service = latency / 4;
    stages[1].waits[kRunqueue] = latency - latency / 4;
    sink_.on(FlightDone{edges_[flight], kStart + at, kEdge, flight, stages});
  }
  void drop(std::uint64_t flight, Fate fate) { sink_.on(Dropped{edges_[flight], kEdge, flight, fate}); }

  LatencyTally tally() { return sink_.take().front(); }

 private:
  LatencySink sink_;
  std::deque<Time> edges_;
};

Duration total(const LatencyTally& tally) {
  Duration sum{};
  for (const StageSum& stage : tally.stages) {
    sum += stage.service;
    for (const Duration wait : stage.waits) sum += wait;
  }
  return sum;
}

}  // namespace

TEST_CASE("an answer is a sample of the time since its stimulus") {
  Bench bench(LateAnswer::separate, kStart, 100us);
  bench.stimulus(1ms);
  bench.answer(0, 1ms + 40us);
  bench.stimulus(2ms);
  bench.answer(1, 2ms + 120us);
  const LatencyTally tally = bench.tally();
  CHECK(tally.samples.values() == std::vector<Duration>{40us, 120us});
  CHECK(tally.misses == 1);
  CHECK(tally.late == 0);
  CHECK(tally.stages[0].service == 40us);
  CHECK(tally.stages[1].waits[kRunqueue] == 120us);
}

TEST_CASE("an answer exactly at the limit is in time") {
  Bench bench(LateAnswer::separate, kStart, 100us);
  bench.stimulus(1ms);
  bench.answer(0, 1ms + 100us);
  CHECK(bench.tally().misses == 0);
}

TEST_CASE("an answer after the next stimulus is late, and a sample from its own stimulus") {
  Bench bench(LateAnswer::separate);
  bench.stimulus(1ms);
  bench.stimulus(2ms);
  bench.answer(0, 2ms + 10us);
  bench.answer(1, 2ms + 30us);
  const LatencyTally tally = bench.tally();
  CHECK(tally.late == 1);
  CHECK(tally.samples.values() == std::vector<Duration>{1010us, 30us});
}

TEST_CASE("a lost edge at 1 Hz is one sample of 1000 ms more where a bench has no numbers") {
  Bench bench(LateAnswer::counted);
  for (int i = 0; i < 4; ++i) {
    bench.stimulus(1s * (i + 1));
    if (i == 1) {
      bench.drop(1, Fate::lost);
    } else {
      bench.answer(static_cast<std::uint64_t>(i), 1s * (i + 1) + 52ms);
    }
  }
  const LatencyTally tally = bench.tally();
  CHECK(tally.samples.values() == std::vector<Duration>{52ms, 1052ms, 52ms});
  CHECK(tally.lost == 1);
  CHECK(tally.late == 1);
  CHECK(tally.stages[0].waits[kRelay] == 1s);
  CHECK(total(tally) == tally.samples.sum());
}

TEST_CASE("the same lost edge is lost and nothing else where answers are told apart") {
  Bench bench(LateAnswer::separate);
  bench.stimulus(1s);
  bench.drop(0, Fate::lost);
  bench.stimulus(2s);
  bench.answer(1, 2s + 52ms);
  const LatencyTally tally = bench.tally();
  CHECK(tally.samples.values() == std::vector<Duration>{52ms});
  CHECK(tally.lost == 1);
  CHECK(tally.late == 0);
}

TEST_CASE("a late answer settles every stimulus up to then, and the next one's own answer is not seen") {
  Bench bench(LateAnswer::counted);
  bench.stimulus(1ms);
  bench.stimulus(2ms);
  bench.answer(0, 2ms + 10us);
  bench.answer(1, 2ms + 30us);
  bench.stimulus(3ms);
  bench.answer(2, 3ms + 20us);
  const LatencyTally tally = bench.tally();
  CHECK(tally.samples.values() == std::vector<Duration>{1010us, 20us});
  CHECK(tally.merged == 1);
  CHECK(tally.late == 1);
  CHECK(tally.stages[0].waits[kRelay] == 0us);
}

TEST_CASE("a left-over answer counts for the next stimulus if it comes after that, with the last part of its way") {
  Bench bench(LateAnswer::counted);
  bench.stimulus(1ms);
  bench.stimulus(2ms);
  bench.answer(0, 2ms + 10us);  // settles both
  bench.stimulus(3ms);
  bench.answer(1, 3ms + 8us);  // of the second stimulus, 1008 µs after it; counted against the third
  const LatencyTally tally = bench.tally();
  CHECK(tally.samples.values() == std::vector<Duration>{1010us, 8us});
  CHECK(total(tally) == 1018us);
  CHECK(tally.stages[0].service == Duration{1010us} / 4);
}

TEST_CASE("what began before the warm-up's end is not counted") {
  for (const LateAnswer late_answer : {LateAnswer::separate, LateAnswer::counted}) {
    Bench bench(late_answer, kStart + 2ms);
    bench.stimulus(1ms);
    bench.stimulus(1500us);
    bench.drop(1, Fate::merged);
    bench.stimulus(2ms);
    bench.answer(0, 2ms + 10us);
    bench.answer(2, 2ms + 30us);
    bench.stimulus(3ms);
    bench.drop(3, Fate::lost);
    const LatencyTally tally = bench.tally();
    CHECK(tally.samples.values() == std::vector<Duration>{30us});
    CHECK(tally.merged == 0);
    CHECK(tally.lost == 1);
  }
}

TEST_CASE("merged tallies are the tally of both") {
  Bench one(LateAnswer::separate, kStart, 25us);
  one.stimulus(1ms);
  one.answer(0, 1ms + 20us);
  Bench two(LateAnswer::separate, kStart, 25us);
  two.stimulus(1ms);
  two.answer(0, 1ms + 40us);
  two.stimulus(2ms);
  two.drop(1, Fate::merged);
  LatencyTally tally = one.tally();
  tally.merge(two.tally());
  CHECK(tally.samples.sum() == 60us);
  CHECK(tally.merged == 1);
  CHECK(tally.misses == 1);
  CHECK(total(tally) == 60us);
  CHECK(tally.batches.groups().size() == 2);
}

TEST_CASE("whatever happens, parts tile the samples and every stimulus is a sample, lost or merged") {
  // Stimuli at random distances; each is dropped, or answered after a random time, not in order.
  for (const LateAnswer late_answer : {LateAnswer::separate, LateAnswer::counted}) {
    test::check_property(
        [late_answer](const std::vector<std::pair<std::uint16_t, std::uint16_t>>& script) {
          struct Happening {
            Duration at;
            std::uint64_t flight;
            bool answer;
          };
          Bench bench(late_answer);
          std::vector<Happening> happenings;
          Duration at{};
          for (std::uint64_t i = 0; i < script.size(); ++i) {
            at += Duration{script[i].first % 1000 + 1};
            happenings.push_back({at, i, false});
            if (script[i].second % 5 != 0) happenings.push_back({at + Duration{script[i].second % 3000 + 1}, i, true});
          }
          std::stable_sort(happenings.begin(), happenings.end(),
                           [](const Happening& a, const Happening& b) { return a.at < b.at; });
          for (const Happening& happening : happenings) {
            if (happening.answer) {
              bench.answer(happening.flight, happening.at);
              continue;
            }
            bench.stimulus(happening.at);
            const std::uint16_t choice = script[happening.flight].second;
            if (choice % 5 == 0) bench.drop(happening.flight, choice % 10 == 0 ? Fate::lost : Fate::merged);
          }
          const LatencyTally tally = bench.tally();
          RC_ASSERT(total(tally) == tally.samples.sum());
          RC_ASSERT(tally.samples.n() + tally.lost + tally.merged == script.size());
          RC_ASSERT(tally.late <= tally.samples.n());
          for (const StageSum& stage : tally.stages) RC_ASSERT(stage.service >= Duration::zero());
        },
        500, 60);
  }
}
