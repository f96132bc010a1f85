// When edges come.
#include <numeric>

#include "catch.hpp"
#include "models/stimulus.hpp"

using namespace vecusim;

namespace {

struct Bench {
  explicit Bench(StimulusConfig config) : stimulus(simulation, "edge", exact(config)) {
    stimulus.edge.connect(Delegate<void()>::to<&Bench::edge>(*this));
    stimulus.start();
    simulation.queue.run_until(kStart + 1000s);
  }
  static StimulusConfig exact(StimulusConfig config) {
    config.clock_error_ppm -= 30.0;  // zero by default here, so that times are exact
    return config;
  }
  void edge() { at.push_back(simulation.now() - kStart); }
  std::vector<Duration> distances() const {
    std::vector<Duration> result;
    for (std::size_t i = 1; i < at.size(); ++i) result.push_back(at[i] - at[i - 1]);
    return result;
  }

  QuantileTables tables;
  Simulation simulation{tables, 7, 0};
  std::vector<Duration> at;
  Stimulus stimulus;
};

}  // namespace

TEST_CASE("Periodic edges keep their period, from the phase given") {
  StimulusConfig config;
  config.period = 10ms;
  config.phase = 3ms;
  config.count = 50;
  const Bench bench(config);
  REQUIRE(bench.at.size() == 50);
  CHECK(bench.at.front() == 3ms);
  for (const Duration distance : bench.distances()) CHECK(distance == 10ms);
  CHECK(bench.stimulus.finished());
}

TEST_CASE("Without a phase the first edge is somewhere in the first period") {
  StimulusConfig config;
  config.count = 1;
  const Bench bench(config);
  CHECK(bench.at.front() < 1s);
  CHECK(bench.at.front() > 0s);
}

TEST_CASE("Jitter moves each edge about its place and does not accumulate") {
  StimulusConfig config;
  config.period = 10ms;
  config.phase = 0ms;
  config.jitter = 1ms;
  config.count = 1000;
  const Bench bench(config);
  Duration most{};
  for (std::size_t i = 0; i < bench.at.size(); ++i) {
    const Duration off = bench.at[i] - 1ms - static_cast<Duration::rep>(i) * Duration{10ms};
    CHECK(std::chrono::abs(off) <= 1ms);
    most = std::max(most, std::chrono::abs(off));
  }
  CHECK(most > 950us);
}

TEST_CASE("Poisson edges have exponential distances of the given mean") {
  StimulusConfig config;
  config.model = StimulusModel::poisson;
  config.mean_interval = 10ms;
  config.count = 20000;
  const Bench bench(config);
  const auto distances = bench.distances();
  const double mean = to_us(std::accumulate(distances.begin(), distances.end(), Duration{})) / 19999.0;
  CHECK(mean == Approx(10'000).epsilon(0.03));
  const auto longer = std::count_if(distances.begin(), distances.end(), [](Duration d) { return d > 20ms; });
  CHECK(static_cast<double>(longer) / 19999.0 == Approx(std::exp(-2.0)).epsilon(0.06));
}

TEST_CASE("A burst has its edges at their spacing, and the next one begins a period later") {
  StimulusConfig config;
  config.model = StimulusModel::burst;
  config.period = 100ms;
  config.phase = 0ms;
  config.edges = 3;
  config.spacing = 1ms;
  config.count = 7;
  const Bench bench(config);
  CHECK(bench.at == std::vector<Duration>{0ms, 1ms, 2ms, 100ms, 101ms, 102ms, 200ms});
}

TEST_CASE("Recorded edges come when they were recorded") {
  StimulusConfig config;
  config.model = StimulusModel::recorded;
  config.times = {5us, 5us, 7ms};
  const Bench bench(config);
  CHECK(bench.at == config.times);
  CHECK(bench.stimulus.finished());
}

TEST_CASE(
    "The generator's clock is off by the same amount all the time, within its limit, and differently in each run") {
  StimulusConfig config;
  config.period = 10ms;
  config.phase = 0ms;
  config.count = 100;
  config.clock_error_ppm = 30.0 + 100.0;
  const Bench bench(config);
  const auto distances = bench.distances();
  CHECK(std::chrono::abs(distances.front() - 10ms) <= 1us);
  CHECK(distances.front() != 10ms);
  for (const Duration distance : distances) CHECK(distance == distances.front());
}
