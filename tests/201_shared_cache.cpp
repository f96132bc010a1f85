// What tasks that stream through memory do to the caches and the memory of others, and what page colours keep from
// them.
#include <cmath>

#include "catch.hpp"
#include "models/core.hpp"

using namespace vecusim;

namespace {

constexpr double kLines = 16384;
constexpr double kBackground = 5e5;
constexpr CodePath kPath{0};
constexpr Colors kLower = 0x00ff;
constexpr Colors kUpper = 0xff00;
constexpr double kStream = 30e6;  // lines a second, 1.9 GB/s

struct Cache {
  explicit Cache(Colors colors = kAllColors) {
    l2.add_code_path(colors);
    l2.ran(kPath, kStart);
  }
  double gone_after(Duration time) const { return l2.gone(kPath, kStart + time); }
  SharedCache l2{kLines, 16, kBackground};
};

double share(double lines) { return 1.0 - std::exp(-lines / kLines); }

}  // namespace

TEST_CASE("The evicted share is right to 1e-15, of few lines and of many, and all in the end") {
  double worst = 0.0;
  for (double x = 1e-9; x < 45.0; x *= 1.01) {
    const auto exact = static_cast<double>(-std::expm1(static_cast<long double>(-x)));
    worst = std::max(worst, std::abs(evicted_share(x * kLines, kLines) - exact));
  }
  CHECK(worst < 1e-15);
  CHECK(evicted_share(0.0, kLines) == 0.0);
  CHECK(evicted_share(100 * kLines, kLines) == 1.0);
}

TEST_CASE("Without streams a cache loses what the background evicts, to the last bit as if there were no colours") {
  const Cache cache;
  CHECK(cache.gone_after(4ms) == evicted_share(4e-3 * kBackground, kLines));
  CHECK(cache.gone_after(4ms) == Approx(0.114914).margin(1e-6));  // 1 - exp(-2000 / 16384)
}

TEST_CASE("A stream adds its lines to the background") {
  Cache cache;
  cache.l2.stream(kStart, kStream, kAllColors);
  CHECK(cache.gone_after(100us) == Approx(0.169857).margin(1e-6));  // 1 - exp(-3050 / 16384)
  CHECK(cache.gone_after(4ms) > 0.999);
}

TEST_CASE("What was streamed before a path ran does not count, nor does what comes after the stream's end") {
  Cache cache;
  cache.l2.stream(kStart, kStream, kAllColors);
  cache.l2.ran(kPath, kStart + 1ms);
  CHECK(cache.gone_after(1ms + 50us) == Approx(share(5e-5 * (kBackground + kStream))));
  cache.l2.stream(kStart + 1100us, -kStream, kAllColors);
  CHECK(cache.gone_after(3ms) == Approx(share(2e-3 * kBackground + 1e-4 * kStream)));
}

TEST_CASE("Colours of their own keep streams out, at the price of the background in a smaller share") {
  Cache cache(kLower);
  cache.l2.stream(kStart, kStream, kUpper);
  CHECK(cache.gone_after(4ms) == Approx(1.0 - std::exp(-4e-3 * kBackground / (kLines / 2))));
}

TEST_CASE("A path in all colours loses what lies in those of the stream") {
  Cache cache;
  cache.l2.stream(kStart, 100 * kStream, kUpper);
  CHECK(cache.gone_after(4ms) == Approx(0.5 + 0.5 * share(4e-3 * kBackground)));
}

TEST_CASE("Lines from memory take longer the more of its bandwidth is used, up to four times") {
  Memory memory;
  memory.bandwidth_mbps = 4000;
  memory.interference = 1.0;
  CHECK(memory.slowdown() == 1.0);
  memory.streamed_mbps = 2000;
  CHECK(memory.slowdown() == Approx(2.0));
  memory.streamed_mbps = 3000;
  CHECK(memory.slowdown() == Approx(4.0));
  memory.streamed_mbps = 9000;
  CHECK(memory.slowdown() == 4.0);
}

TEST_CASE("A core's own stream empties its L1 too, and another core's does not") {
  QuantileTables tables;
  Simulation simulation{tables, 1, 0};
  const CoreCosts costs{
      .l2_line = 10ns, .dram_line = 100ns, .evictions_per_s = 0.0, .jitter_sigma = 0.0, .miss_cv = 0.0, .mmio = 0ns};
  SharedCache l2{1e12, 1, 0.0};  // so large that nothing leaves it
  l2.add_code_path(kAllColors);
  Memory memory{1e9, 1.0, 0};
  Core mine(simulation, "pcpu0", 1000, 1280, costs, l2, memory);
  Core other(simulation, "pcpu1", 1000, 1280, costs, l2, memory);
  mine.add_code_path();
  const PathCost code{.cycles = 1000, .lines = 100};
  mine.execute(code, kPath);
  other.stream(2000, kAllColors);
  simulation.queue.run_until(kStart + 10ms);
  CHECK(to_us(mine.execute(code, kPath)) == Approx(1.0).margin(1e-3));
  mine.stream(2000, kAllColors);
  simulation.queue.run_until(kStart + 20ms);
  CHECK(to_us(mine.execute(code, kPath)) == Approx(2.0).margin(1e-3));
}
