// The interrupt controller: pending and active, priorities, targets, levels.
#include "catch.hpp"
#include "models/gic.hpp"

using namespace vecusim;

namespace {

constexpr PcpuIndex kCore0{0};
constexpr PcpuIndex kCore1{1};
constexpr IrqId kSpi{32};
constexpr IrqId kOtherSpi{33};

struct Bench {
  Bench() {
    gic.connect(kCore0, Delegate<void()>::to<&Bench::signalled0>(*this));
    gic.connect(kCore1, Delegate<void()>::to<&Bench::signalled1>(*this));
  }
  void signalled0() { at[0].push_back(simulation.now()); }
  void signalled1() { at[1].push_back(simulation.now()); }
  void run(Duration time) { simulation.queue.run_until(simulation.now() + time); }

  QuantileTables tables;
  Simulation simulation{tables, 1, 0};
  Gic gic{simulation, 2, 8, 200ns};
  std::vector<Time> at[2];
};

}  // namespace

TEST_CASE("A line reaches its core after the forwarding time, and not a picosecond earlier") {
  Bench bench;
  bench.gic.set_line(kSpi, true);
  bench.run(200ns - Duration{1});
  CHECK(bench.at[0].empty());
  CHECK(bench.gic.pending(kCore0) == kSpurious);
  bench.run(Duration{1});
  REQUIRE(bench.at[0].size() == 1);
  CHECK(bench.gic.pending(kCore0) == kSpi);
  CHECK(bench.gic.pending(kCore1) == kSpurious);
}

TEST_CASE("An active interrupt is held back until its end, while its line stays high") {
  Bench bench;
  bench.gic.set_line(kSpi, true);
  bench.run(1us);
  CHECK(bench.gic.acknowledge(kCore0) == kSpi);
  CHECK(bench.gic.acknowledge(kCore0) == kSpurious);
  bench.gic.end(kCore0, kSpi);
  CHECK(bench.gic.pending(kCore0) == kSpi);
  CHECK(bench.at[0].size() == 2);
}

TEST_CASE("A line that went low before the acknowledgement leaves nothing pending") {
  Bench bench;
  bench.gic.set_line(kSpi, true);
  bench.run(1us);
  bench.gic.set_line(kSpi, false);
  CHECK(bench.gic.acknowledge(kCore0) == kSpurious);
}

TEST_CASE("A pulse shorter than the forwarding time is never seen") {
  Bench bench;
  bench.gic.set_line(kSpi, true);
  bench.run(100ns);
  bench.gic.set_line(kSpi, false);
  bench.run(1us);
  CHECK(bench.at[0].empty());
}

TEST_CASE("The more urgent interrupt is acknowledged first, among equals the lower number") {
  Bench bench;
  bench.gic.set_line(kOtherSpi, true);
  bench.gic.set_line(kSpi, true);
  bench.run(1us);
  CHECK(bench.gic.pending(kCore0) == kSpi);
  bench.gic.set_priority(kOtherSpi, 0x90);
  CHECK(bench.gic.acknowledge(kCore0) == kOtherSpi);
  CHECK(bench.gic.acknowledge(kCore0) == kSpi);
}

TEST_CASE("A pending interrupt follows its target") {
  Bench bench;
  bench.gic.set_line(kSpi, true);
  bench.run(1us);
  bench.gic.set_target(kSpi, kCore1);
  CHECK(bench.gic.pending(kCore0) == kSpurious);
  CHECK(bench.gic.pending(kCore1) == kSpi);
  CHECK(bench.at[1].size() == 1);
}

TEST_CASE("A per-CPU interrupt raised twice before it is taken is taken once") {
  Bench bench;
  bench.gic.raise(kCore1, kRescheduleIrq);
  bench.gic.raise(kCore1, kRescheduleIrq);
  bench.run(1us);
  bench.gic.raise(kCore1, kRescheduleIrq);
  bench.run(1us);
  CHECK(bench.gic.acknowledge(kCore1) == kRescheduleIrq);
  bench.gic.end(kCore1, kRescheduleIrq);
  CHECK(bench.gic.pending(kCore1) == kSpurious);
}

TEST_CASE("One raised while it is active becomes pending at its end") {
  Bench bench;
  bench.gic.raise(kCore0, kRescheduleIrq);
  bench.run(1us);
  bench.gic.acknowledge(kCore0);
  bench.gic.raise(kCore0, kRescheduleIrq);
  bench.run(1us);
  CHECK(bench.gic.pending(kCore0) == kSpurious);
  bench.gic.end(kCore0, kRescheduleIrq);
  CHECK(bench.gic.pending(kCore0) == kRescheduleIrq);
}
