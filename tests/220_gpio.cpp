// The event latch of the pins: one bit, no count.
#include "catch.hpp"
#include "models/gpio.hpp"

using namespace vecusim;

namespace {

struct Sink final : TraceSink {
  void on(const Stimulated&) override { ++stimuli; }
  void on(const Dropped& event) override { merged += static_cast<int>(event.fate == Fate::merged); }
  int stimuli = 0;
  int merged = 0;
};

struct Bench {
  Bench() {
    PathBuilder path(interrupt.path);
    gpio.attach(17, interrupt, path);
    simulation.trace.attach(sink);
  }
  void run(Duration time) { simulation.queue.run_until(simulation.now() + time); }

  QuantileTables tables;
  Simulation simulation{tables, 1, 0};
  Gic gic{simulation, 1, 1, 200ns};
  Gpio gpio{simulation, gic, IrqId{32}, 500.0, 58};
  MeasuredInterrupt interrupt{simulation, InterruptId{0}, {}};
  Sink sink;
};

}  // namespace

TEST_CASE("An edge is in the latch after two to three periods of the block's clock") {
  Bench bench;
  bench.gpio.edge(17, bench.interrupt.take_off());
  bench.run(4ns - Duration{1});
  CHECK(bench.gpio.first_latched() == nullptr);
  bench.run(2ns + Duration{1});
  CHECK(bench.gpio.first_latched() != nullptr);
}

TEST_CASE("Two edges before the clear make one event, and the second one is counted as merged") {
  Bench bench;
  bench.gpio.edge(17, bench.interrupt.take_off());
  bench.run(1us);
  bench.gpio.edge(17, bench.interrupt.take_off());
  bench.run(1us);
  CHECK(bench.sink.stimuli == 2);
  CHECK(bench.sink.merged == 1);
  CHECK(bench.gpio.take_latched().size() == 1);
  CHECK(bench.gpio.take_latched().empty());
}

TEST_CASE("Two edges with the clear between them make two events") {
  Bench bench;
  bench.gpio.edge(17, bench.interrupt.take_off());
  bench.run(1us);
  CHECK(bench.gpio.take_latched().size() == 1);
  bench.gpio.edge(17, bench.interrupt.take_off());
  bench.run(1us);
  CHECK(bench.gpio.take_latched().size() == 1);
  CHECK(bench.sink.merged == 0);
}

TEST_CASE("The interrupt's line is high as long as an event is latched") {
  Bench bench;
  bench.gpio.edge(17, bench.interrupt.take_off());
  bench.run(1us);
  CHECK(bench.gic.pending(PcpuIndex{0}) == bench.gpio.irq());
  bench.gpio.take_latched();
  CHECK(bench.gic.pending(PcpuIndex{0}) == kSpurious);
}
