// The slowest flights: which are kept, and in which order.
#include <algorithm>
#include <vector>

#include "analysis/worst_sink.hpp"
#include "catch.hpp"
#include "property.hpp"

using namespace vecusim;

namespace {

void done(WorstSink& sink, std::uint64_t flight, Duration latency, std::uint16_t interrupt = 0, Time began = kStart) {
  const std::vector<StageTime> stages = {StageTime{latency, {}, {}, Party::nobody}};
  sink.on(FlightDone{began, began + latency, InterruptId{interrupt}, flight, stages});
}

std::vector<std::uint64_t> flights(const std::vector<WorstFlight>& worst) {
  std::vector<std::uint64_t> numbers;
  for (const WorstFlight& flight : worst) numbers.push_back(flight.flight);
  return numbers;
}

}  // namespace

TEST_CASE("the slowest come first, and of equals the earlier") {
  WorstSink sink({1}, 3, 0, kStart);
  const std::vector<Duration> latencies = {5us, 9us, 7us, 9us, 7us, 1us};
  for (std::uint64_t i = 0; i < latencies.size(); ++i) done(sink, i, latencies[i]);
  const auto worst = sink.take();
  CHECK(flights(worst[0]) == std::vector<std::uint64_t>{1, 3, 2});
  CHECK(worst[0][0].latency == 9us);
  CHECK(worst[0][0].stages[0].service == 9us);
}

TEST_CASE("each interrupt has its own list, and the warm-up none") {
  WorstSink sink({1, 1}, 2, 4, kStart + 1ms);
  done(sink, 0, 90us, 0, kStart);
  done(sink, 1, 10us, 0, kStart + 1ms);
  done(sink, 2, 50us, 1, kStart + 2ms);
  const auto worst = sink.take();
  CHECK(flights(worst[0]) == std::vector<std::uint64_t>{1});
  CHECK(flights(worst[1]) == std::vector<std::uint64_t>{2});
  CHECK(worst[1][0].replication == 4);
}

TEST_CASE("the list is the head of all flights sorted, however many there are") {
  test::check_property(
      [](const std::vector<std::uint8_t>& latencies, std::uint8_t most) {
        WorstSink sink({1}, most % 8, 0, kStart);
        std::vector<WorstFlight> all;
        for (std::uint64_t i = 0; i < latencies.size(); ++i) {
          done(sink, i, Duration{latencies[i]});
          WorstFlight flight;
          flight.flight = i;
          flight.latency = Duration{latencies[i]};
          all.push_back(flight);
        }
        std::sort(all.begin(), all.end(), slower);
        all.resize(std::min<std::size_t>(all.size(), most % 8));
        RC_ASSERT(flights(sink.take()[0]) == flights(all));
      },
      300);
}

TEST_CASE("merged lists are the head of both") {
  WorstSink early({1}, 2, 0, kStart);
  WorstSink late({1}, 2, 1, kStart);
  done(early, 7, 5us);
  done(early, 8, 3us);
  done(late, 0, 5us);
  done(late, 1, 9us);
  const auto merged = merge_worst(early.take()[0], late.take()[0], 3);
  CHECK(flights(merged) == std::vector<std::uint64_t>{1, 7, 0});
  CHECK(merged[1].replication == 0);
}
