// A device's own line: what level and edge keep of a second event.
#include "catch.hpp"
#include "models/board.hpp"
#include "models/device_line.hpp"

using namespace vecusim;

namespace {

constexpr PcpuIndex kCore{0};

struct Sink final : TraceSink {
  void on(const Dropped& event) override { merged += static_cast<int>(event.fate == Fate::merged); }
  int merged = 0;
};

struct Bench {
  explicit Bench(Trigger trigger) : line(gic, IrqId{33}, trigger) {
    PathBuilder path(interrupt.path);
    line.attach(interrupt, path);
    simulation.trace.attach(sink);
  }
  void event() {
    line.edge(interrupt.take_off());
    simulation.queue.run_until(simulation.now() + 1us);
  }
  bool signalled() { return gic.pending(kCore) == line.irq(); }

  QuantileTables tables;
  Simulation simulation{tables, 1, 0};
  Gic gic{simulation, 1, 2, 200ns};
  DeviceLine line;
  MeasuredInterrupt interrupt{simulation, InterruptId{0}, {}};
  Sink sink;
};

}  // namespace

TEST_CASE("A level line merges a second event until the handler has cleared the first, acknowledged or not") {
  Bench bench(Trigger::level);
  bench.event();
  bench.event();
  CHECK(bench.sink.merged == 1);
  bench.gic.acknowledge(kCore);
  bench.event();
  CHECK(bench.sink.merged == 2);
  CHECK(bench.line.take_latched().size() == 1);
  bench.gic.end(kCore, bench.line.irq());
  CHECK_FALSE(bench.signalled());
}

TEST_CASE("A level line that rises again while it is handled is signalled again at the end of that") {
  Bench bench(Trigger::level);
  bench.event();
  bench.gic.acknowledge(kCore);
  bench.line.take_latched();
  bench.event();
  CHECK_FALSE(bench.signalled());
  bench.gic.end(kCore, bench.line.irq());
  CHECK(bench.signalled());
  CHECK(bench.sink.merged == 0);
}

TEST_CASE("A level line that its handler has not cleared is signalled again") {
  Bench bench(Trigger::level);
  bench.event();
  bench.gic.acknowledge(kCore);
  bench.gic.end(kCore, bench.line.irq());
  CHECK(bench.signalled());
}

TEST_CASE("Of an edge line's events, those before the acknowledgement merge and one after it is kept") {
  Bench bench(Trigger::edge);
  bench.event();
  bench.event();
  CHECK(bench.sink.merged == 1);
  bench.gic.acknowledge(kCore);
  bench.event();
  CHECK(bench.sink.merged == 1);
  bench.event();
  CHECK(bench.sink.merged == 2);

  CHECK(bench.line.take_latched().front()->number() == 0);
  CHECK_FALSE(bench.signalled());
  bench.gic.end(kCore, bench.line.irq());
  CHECK(bench.signalled());
  bench.gic.acknowledge(kCore);
  CHECK(bench.line.take_latched().front()->number() == 2);
  CHECK(bench.line.take_latched().empty());
  bench.gic.end(kCore, bench.line.irq());
  CHECK_FALSE(bench.signalled());
}

TEST_CASE("A source is a pin by its number or a device by its name") {
  BoardSpec spec;
  spec.gpio_pins = 4;
  spec.lines = {{.name = "tmu0", .spi = 136}, {.name = "can0", .spi = 186}};
  CHECK(source_of(spec, "gpio3")->kind == InterruptSource::Kind::pin);
  CHECK(source_of(spec, "gpio3")->index == 3);
  CHECK(source_of(spec, "can0")->kind == InterruptSource::Kind::line);
  CHECK(source_of(spec, "can0")->index == 1);
  for (const char* unknown : {"gpio4", "gpio", "gpio-1", "gpio3x", "tmu", "tmu00", ""}) {
    CAPTURE(unknown);
    CHECK_FALSE(source_of(spec, unknown).has_value());
  }
}
