// Frames on buses: their bits, whom they let pass, and what becomes of each.
#include <algorithm>
#include <memory>
#include <numeric>

#include "catch.hpp"
#include "models/bus.hpp"
#include "models/device_line.hpp"

using namespace vecusim;

namespace {

double least_us(const FrameBits& bits, const BitRates& rates) { return to_us(occupied(bits, rates, kUnstuffed)); }
double most_us(const FrameBits& bits, const BitRates& rates) { return to_us(occupied(bits, rates, kFullyStuffed)); }

constexpr BitRates kCan{500e3, 500e3};
constexpr BitRates kCanFd2{500e3, 2e6};
constexpr BitRates kCanFd5{500e3, 5e6};

/// A bus with devices whose handlers are there at once.
struct Bench final : TraceSink {
  explicit Bench(const BusConfig& config) : bus(make_bus(simulation, config)) { simulation.trace.attach(*this); }

  struct Frame {
    Frame(Bench& owner, const FrameConfig& config, Point from)
        : bench(owner),
          interrupt(owner.simulation, InterruptId{static_cast<std::uint16_t>(owner.frames.size())},
                    {from, Point::response, MeasureClock::stimulus, LateAnswer::separate}) {
      ingress = owner.bus->join("frame", config, Delegate<void(Flight&)>::to<&Frame::arrived>(*this));
      interrupt.ingress = ingress.get();
      PathBuilder path(interrupt.path);
      ingress->add_stages(path);
      last = path.then({"device", Where::hardware});
    }
    void send() { ingress->send(interrupt.take_off()); }
    void arrived(Flight& flight) {
      at.push_back(bench.simulation.now() - kStart);
      flight.enter(last);
      flight.pass(Point::response);
      flight.release();
    }
    Bench& bench;
    MeasuredInterrupt interrupt;
    std::unique_ptr<Ingress> ingress;
    StageId last{};
    std::vector<Duration> at;
  };
  Frame& add(const FrameConfig& config, Point from = Point::producer) {
    frames.push_back(std::make_unique<Frame>(*this, config, from));
    return *frames.back();
  }
  void run(Duration time) { simulation.queue.run_until(simulation.now() + time); }

  void on(const FlightDone& event) override { latencies.push_back(event.at - event.began); }
  void on(const Dropped& event) override { (event.fate == Fate::merged ? merged : lost) += 1; }

  QuantileTables tables;
  Simulation simulation{tables, 3, 0};
  std::unique_ptr<Bus> bus;
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<Duration> latencies;
  int merged = 0;
  int lost = 0;
};

BusConfig can(Stuffing stuffing = Stuffing::most) {
  BusConfig config;
  config.name = "can";
  config.stuffing = stuffing;
  return config;
}

FrameConfig with_id(std::int64_t id, std::int64_t bytes = 8) {
  FrameConfig config;
  config.bus = "can";
  config.form.id = id;
  config.form.bytes = bytes;
  return config;
}

}  // namespace

TEST_CASE("A CAN frame of 8 bytes has 111 to 135 bits, with a long identifier 131 to 160") {
  CHECK(can_frame(8, false).nominal.fixed == 111);
  CHECK(can_frame(8, false).nominal.fixed + can_frame(8, false).nominal.stuff == 135);
  CHECK(can_frame(8, true).nominal.fixed == 131);
  CHECK(can_frame(8, true).nominal.fixed + can_frame(8, true).nominal.stuff == 160);
  CHECK(least_us(can_frame(8, false), kCan) == Approx(222));
  CHECK(most_us(can_frame(8, false), kCan) == Approx(270));
  CHECK(most_us(can_frame(0, false), kCan) == Approx(110));
}

TEST_CASE("CAN FD frames take what the specification says") {
  CHECK(least_us(canfd_frame(64, false), kCanFd2) == Approx(334.5));
  CHECK(most_us(canfd_frame(64, false), kCanFd2) == Approx(407.5));
  CHECK(least_us(canfd_frame(8, false), kCanFd2) == Approx(108).margin(0.5));
  CHECK(most_us(canfd_frame(8, false), kCanFd2) == Approx(125).margin(0.5));
  CHECK(least_us(canfd_frame(64, false), kCanFd5) == Approx(170).margin(0.5));
  CHECK(most_us(canfd_frame(64, false), kCanFd5) == Approx(204).margin(0.5));
}

TEST_CASE("FlexRay frames of 8 and 127 words take 25.4 and 263.4 us at 10 Mbit/s") {
  CHECK(least_us(flexray_frame(8), {10e6, 10e6}) == Approx(17.4 + 8.0));
  CHECK(least_us(flexray_frame(127), {10e6, 10e6}) == Approx(263.4));
}

TEST_CASE("A frame's time grows with what stuffing it needs, by whole bits") {
  const FrameBits bits = can_frame(8, false);
  Duration before{};
  for (int share = 0; share < 100; ++share) {
    const Duration time = occupied(bits, kCan, share / 100.0);
    CHECK(time >= before);
    CHECK(time % 2us == Duration::zero());
    CHECK(time - received(bits, kCan, share / 100.0) == 8us);  // the last bit of the end and three of the gap
    before = time;
  }
}

TEST_CASE("A frame alone arrives four bits before the bus is free, within its shortest and longest time") {
  Bench bench(can(Stuffing::any));
  auto& frame = bench.add(with_id(100));
  for (int i = 0; i < 1000; ++i) {
    frame.send();
    bench.run(1ms);
  }
  REQUIRE(bench.latencies.size() == 1000);
  const auto [least, most] = std::minmax_element(bench.latencies.begin(), bench.latencies.end());
  CHECK(*least == 107 * 2us);
  CHECK(*most == 131 * 2us);
}

TEST_CASE("Measured from the edge a frame's time on the bus does not count") {
  Bench bench(can());
  bench.add(with_id(100), Point::edge).send();
  bench.run(1ms);
  REQUIRE(bench.latencies.size() == 1);
  CHECK(bench.latencies.front() == Duration::zero());
}

TEST_CASE("Of frames queued together the smallest identifier goes first, whoever asked first") {
  Bench bench(can());
  auto& last = bench.add(with_id(300));
  auto& first = bench.add(with_id(100));
  auto& second = bench.add(with_id(200));
  last.send();
  second.send();
  first.send();
  bench.run(2ms);
  CHECK(first.at.front() == 131 * 2us);
  CHECK(second.at.front() == (135 + 131) * 2us);
  CHECK(last.at.front() == (2 * 135 + 131) * 2us);
}

TEST_CASE("A long identifier competes by its first eleven bits, and loses to a short one of the same bits") {
  // 0x18FEF100 begins with the bits of 0x63F.
  FrameConfig extended = with_id(0x18fef100);
  extended.form.extended = true;
  FrameConfig later = with_id(0x18fef101);
  later.form.extended = true;
  const auto order_of = [](const std::vector<FrameConfig>& configs) {
    Bench bench(can());
    for (const FrameConfig& config : configs) bench.add(config);
    for (auto& frame : bench.frames) frame->send();
    bench.run(10ms);
    std::vector<std::size_t> order(configs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return bench.frames[a]->at.front() < bench.frames[b]->at.front(); });
    return order;
  };
  CHECK(order_of({with_id(0x640), extended}) == std::vector<std::size_t>{1, 0});
  CHECK(order_of({extended, with_id(0x63f)}) == std::vector<std::size_t>{1, 0});
  CHECK(order_of({with_id(0x640), later, extended, with_id(0x63f), with_id(0x63e)}) ==
        std::vector<std::size_t>{4, 3, 2, 1, 0});
}

TEST_CASE("A frame on the wire is not interrupted by a more urgent one") {
  Bench bench(can());
  auto& urgent = bench.add(with_id(1));
  auto& other = bench.add(with_id(2));
  other.send();
  bench.run(10us);
  urgent.send();
  bench.run(2ms);
  CHECK(other.at.front() == 131 * 2us);
  CHECK(urgent.at.front() == (135 + 131) * 2us);
}

TEST_CASE("Urgent traffic makes a frame wait, less urgent traffic for at most one frame") {
  const auto worst = [](std::int64_t traffic_id) {
    BusConfig config = can();
    TrafficConfig traffic;
    traffic.form = with_id(traffic_id).form;
    traffic.period = 800us;
    config.traffic = {traffic, traffic};
    config.traffic.back().period = 1100us;
    Bench bench(config);
    auto& frame = bench.add(with_id(500));
    bench.bus->start();
    for (int i = 0; i < 500; ++i) {
      frame.send();
      bench.run(1237us);
    }
    bench.run(20ms);
    CHECK(bench.latencies.size() == 500);
    return *std::max_element(bench.latencies.begin(), bench.latencies.end());
  };
  CHECK(worst(900) <= (135 + 131) * 2us);
  CHECK(worst(900) > 131 * 2us);
  CHECK(worst(100) > (135 + 131) * 2us);
}

TEST_CASE(
    "A frame waits for its slot of FlexRay and is there at its end; an older one that still waits is overwritten") {
  BusConfig config;
  config.name = "flexray";
  config.model = BusModel::flexray;
  config.bitrate_hz = 10e6;
  config.phase = Duration::zero();
  Bench bench(config);
  FrameConfig slot;
  slot.slot = 3;
  slot.form.bytes = 16;
  auto& frame = bench.add(slot);
  frame.send();
  bench.run(40us);
  frame.send();
  bench.run(65us);  // the slot has begun: this one waits for the next cycle
  frame.send();
  bench.run(10ms);
  CHECK(bench.merged == 1);
  CHECK(frame.at == std::vector<Duration>{150us, 5150us});
}

TEST_CASE("Switches receive a whole frame before they send it, and a receiver tells of several frames at once") {
  BusConfig config;
  config.name = "link";
  config.model = BusModel::ethernet;
  config.bitrate_hz = 1e9;
  config.switches = 2;
  config.switch_delay = 3us;
  FrameConfig form;
  form.form.bytes = 1512;  // 12 us without the gap
  Bench plain(config);
  auto& alone = plain.add(form);
  alone.send();
  plain.run(1ms);
  CHECK(alone.at.front() == 3 * 12us + 2 * 3us);

  config.switches = 0;
  config.moderation = 50us;
  Bench moderated(config);
  auto& frame = moderated.add(form);
  frame.send();
  frame.send();
  moderated.run(1ms);
  CHECK(frame.at == std::vector<Duration>{62us, 62us});
}

TEST_CASE("Frames that are as urgent as each other go in the order in which they were queued") {
  BusConfig config;
  config.name = "link";
  config.model = BusModel::ethernet;
  config.bitrate_hz = 1e9;
  Bench bench(config);
  FrameConfig form;
  form.form.bytes = 1512;
  auto& a = bench.add(form);
  auto& b = bench.add(form);
  a.send();
  bench.run(1us);
  b.send();
  a.send();
  bench.run(1ms);
  CHECK(b.at.front() < a.at.back());
}

TEST_CASE("Every frame is delivered, merged, lost or under way, whatever the bus and the traffic") {
  for (const BusModel model : {BusModel::can, BusModel::canfd, BusModel::flexray, BusModel::ethernet}) {
    BusConfig config;
    config.name = "bus";
    config.model = model;
    if (model == BusModel::flexray) config.bitrate_hz = 10e6;
    if (model == BusModel::ethernet) config.bitrate_hz = 1e7;
    TrafficConfig traffic;
    traffic.form.id = 50;
    traffic.form.bytes = model == BusModel::ethernet ? 500 : 8;
    traffic.period = 900us;
    if (model != BusModel::flexray) config.traffic = {traffic};
    Bench bench(config);
    FrameConfig form;
    form.form = traffic.form;
    form.slot = 7;
    auto& a = bench.add(form);
    form.form.id = 60;
    form.slot = 8;
    auto& b = bench.add(form);
    bench.bus->start();
    RandomStream random = bench.simulation.stream("test");
    std::uint64_t sent = 0;
    for (int i = 0; i < 2000; ++i, ++sent) {
      (random.uniform() < 0.5 ? a : b).send();
      bench.run(from_us(1500.0 * random.uniform()));
    }
    const auto settled = bench.latencies.size() + static_cast<std::size_t>(bench.merged + bench.lost);
    CHECK(settled + a.interrupt.under_way() + b.interrupt.under_way() == sent);
    bench.run(1s);
    CHECK(bench.latencies.size() + static_cast<std::size_t>(bench.merged + bench.lost) == sent);
    CHECK(bench.latencies.size() > sent / 4);
  }
}

TEST_CASE("A device keeps as many frames as its queue has room for, and its handler takes them all") {
  QuantileTables tables;
  Simulation simulation{tables, 1, 0};
  Bench bench(can());
  Gic gic{simulation, 1, 2, 200ns};
  DeviceLine line(gic, IrqId{33}, Trigger::level);
  FrameConfig config = with_id(1);
  config.rx_fifo = 3;
  MeasuredInterrupt interrupt{simulation, InterruptId{0}, {}};
  const auto ingress = bench.bus->join("frame", config, {});
  interrupt.ingress = ingress.get();
  PathBuilder path(interrupt.path);
  line.attach(interrupt, path);
  struct Fates final : TraceSink {
    void on(const Dropped& event) override { lost += static_cast<int>(event.fate == Fate::lost); }
    int lost = 0;
  } fates;
  simulation.trace.attach(fates);
  for (int i = 0; i < 5; ++i) line.edge(interrupt.take_off());
  CHECK(fates.lost == 2);
  CHECK(line.take_latched().size() == 3);
  CHECK(line.take_latched().empty());
}
