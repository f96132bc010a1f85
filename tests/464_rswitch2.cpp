// The R-Switch2 by itself: when its queues interrupt, and in which order frames leave by its ports.
#include "catch.hpp"
#include "models/linux_net.hpp"
#include "models/rswitch2.hpp"
#include "system/scenario.hpp"

using namespace vecusim;

namespace {

struct Handler final : NetJob {
  Duration begin(LinuxCpu&) override { return {}; }
  Next done(LinuxCpu&) override { return Next::nothing; }
};

FlowConfig flow(const char* name, FlowDirection direction, double rate_mbps) {
  FlowConfig config;
  config.name = name;
  config.direction = direction;
  config.rate_mbps = rate_mbps;
  return config;
}

/// Two queues; nothing takes time but frames on the wire of 12.304 us.
struct Bench final : TraceSink {
  explicit Bench(NetworkConfig its_config, const std::map<std::string, double>& not_free = {})
      : config(std::move(its_config)), values(costs_but(not_free)) {
    queues[0]->handle_by(handler);
    queues[1]->handle_by(handler);
    simulation.trace.attach(*this);
  }
  static Costs costs_but(const std::map<std::string, double>& not_free) {
    Costs costs = load_scenario("vc3-native-rx").scenario.costs;
    for (const std::string& name : costs.names()) {
      if (name.starts_with("rswitch2.")) costs[name].value = 0.0;
    }
    costs.at("rswitch2.bus").value = 1e9;
    costs.at("rswitch2.buffer").value = 1e9;
    for (const auto& [name, value] : not_free) costs.at(name).value = value;
    return costs;
  }
  void on(const Frames& event) override {
    if (event.what == FrameEvent::delivered) left.push_back(event.flow);
  }
  void send(std::size_t queue, std::size_t flow, std::size_t frames) {
    for (std::size_t i = 0; i < frames; ++i) {
      const FlowId id{static_cast<std::uint16_t>(flow)};
      queues[queue]->put({simulation.now(), id, static_cast<std::uint16_t>(config.flows[flow].frame_bytes)});
    }
    queues[queue]->doorbell();
  }
  /// Whether the queue interrupts within so long, and not before.
  bool interrupts_after(std::size_t queue, Duration time) {
    const Time at = simulation.now() + time;
    simulation.queue.run_until(at - 10ns);
    const bool early = queues[queue]->take_signal() != nullptr;
    simulation.queue.run_until(at + 10ns);
    return !early && queues[queue]->take_signal() != nullptr;
  }

  NetworkConfig config;
  Handler handler;
  Scenario scenario = load_scenario("vc3-native-rx").scenario;
  Costs values;
  CostTable costs{values};
  QuantileTables tables;
  Simulation simulation{tables, 1, 0};
  Board board{simulation, scenario.board.spec(), scenario.board.choice(), costs};
  RSwitch2 device{simulation, config, board, costs};
  QueuePair* queues[2] = {&device.add_queue(), &device.add_queue()};
  std::vector<FlowId> left;
};

constexpr Duration kWire = 12304ns;

NetworkConfig two_senders() {
  NetworkConfig config;
  config.flows = {flow("a", FlowDirection::tx, 100), flow("b", FlowDirection::tx, 100)};
  return config;
}

}  // namespace

TEST_CASE("A queue that only sends has its interrupts, whatever another one receives") {
  NetworkConfig config;
  config.flows = {flow("in", FlowDirection::rx, 1000), flow("out", FlowDirection::tx, 100)};
  Bench bench(config);
  bench.device.receive(FlowId{0}, *bench.queues[0]);
  bench.queues[1]->sent_frames_interrupt();
  bench.device.start();
  bench.send(1, 1, 1);
  CHECK(bench.interrupts_after(1, kWire));
}

TEST_CASE("A queue whose flow is rare does not work out the other's frames far ahead") {
  NetworkConfig config;
  config.flows = {flow("flood", FlowDirection::rx, 1000), flow("rare", FlowDirection::rx, 0.001)};  // one in 12 s
  Bench bench(config);
  bench.device.receive(FlowId{0}, *bench.queues[0]);
  bench.device.receive(FlowId{1}, *bench.queues[1]);
  bench.device.start();
  bench.simulation.queue.run_until(kStart + 1ms);
  CHECK(bench.queues[0]->received() >= 80);
  CHECK(bench.queues[1]->received() == 0);
}

TEST_CASE("A sent frame interrupts when it has left, behind those of other queues") {
  Bench bench(two_senders());
  bench.queues[1]->sent_frames_interrupt();
  bench.send(0, 0, 10);
  bench.send(1, 1, 1);
  CHECK(bench.interrupts_after(1, 11 * kWire));
  CHECK(bench.queues[0]->take_signal() == nullptr);
}

TEST_CASE("More urgent frames of another queue put a sent frame's interrupt off") {
  NetworkConfig config = two_senders();
  config.flows[0].priority = 7;
  Bench bench(config);
  bench.queues[1]->sent_frames_interrupt();
  bench.send(1, 1, 1);
  bench.send(0, 0, 5);
  CHECK(bench.interrupts_after(1, 6 * kWire));
  CHECK(bench.left.back() == FlowId{1});
}

TEST_CASE("Sent frames interrupt no sooner than moderation says") {
  NetworkConfig config = two_senders();
  config.moderation = 100us;
  Bench late(config);
  late.queues[0]->sent_frames_interrupt();
  late.send(0, 0, 4);
  CHECK(late.interrupts_after(0, kWire + 100us));

  config.moderation_frames = 3;
  Bench counted(config);
  counted.queues[0]->sent_frames_interrupt();
  counted.send(0, 0, 4);
  CHECK(counted.interrupts_after(0, 3 * kWire));
}

TEST_CASE("What has been taken back no longer interrupts") {
  NetworkConfig config = two_senders();
  config.moderation = 100us;
  Bench bench(config);
  bench.queues[0]->sent_frames_interrupt();
  bench.send(0, 0, 2);
  bench.simulation.queue.run_until(kStart + 50us);
  while (bench.queues[0]->sent() > 0) bench.queues[0]->reap();
  bench.simulation.queue.run_until(kStart + 1ms);
  CHECK(bench.queues[0]->take_signal() == nullptr);
}

TEST_CASE("Frames of several ports are taken back in the order in which they left") {
  NetworkConfig config = two_senders();
  config.flows[1].port = 1;
  config.flows[1].frame_bytes = 84;
  Bench bench(config);
  bench.send(0, 0, 1);
  bench.send(0, 1, 2);
  bench.simulation.queue.run_until(kStart + 1ms);
  CHECK(bench.queues[0]->sent() == 3);
  CHECK(bench.queues[0]->reap() == FlowId{1});
  CHECK(bench.queues[0]->reap() == FlowId{1});
  CHECK(bench.queues[0]->reap() == FlowId{0});
}

TEST_CASE("A routed frame takes the look-up of its route, another one that of its address") {
  NetworkConfig config;
  config.flows = {flow("switched", FlowDirection::rx, 1000), flow("routed", FlowDirection::rx, 1000)};
  config.flows[1].routed = true;
  config.flows[0].arrivals = config.flows[1].arrivals = Arrivals::recorded;
  config.flows[0].times = config.flows[1].times = {100us};
  config.flows[0].sizes_bytes = config.flows[1].sizes_bytes = {1538};
  Bench bench(config, {{"rswitch2.forward", 1.0}, {"rswitch2.route", 3.0}});
  bench.device.receive(FlowId{0}, *bench.queues[0]);
  bench.device.receive(FlowId{1}, *bench.queues[1]);
  bench.device.start();
  CHECK(bench.interrupts_after(0, 101us));
  CHECK(bench.interrupts_after(1, 2us));
}
