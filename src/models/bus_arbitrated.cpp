// Frames by urgency.
#include "models/bus_arbitrated.hpp"

#include <utility>

namespace vecusim {

namespace {

// What arbitration compares, bit by bit: eleven bits of the identifier, then whether there are more (a short frame's
// RTR and IDE are dominant where a long one's SRR and IDE are recessive), then those.
std::int64_t arbitration_field(const FrameForm& form) {
  constexpr int kMoreBits = 18;
  constexpr std::int64_t kMore = std::int64_t{1} << kMoreBits;
  const std::int64_t id = form.id.value_or(0);
  return form.extended ? (id >> kMoreBits) * 2 * kMore + kMore + id % kMore : id * 2 * kMore;
}

std::int64_t urgency_of(const BusConfig& config, const FrameForm& form) {
  return config.model == BusModel::ethernet ? -form.pcp.value_or(0) : arbitration_field(form);
}

}  // namespace

/// The frame of an interrupt: the wait for the bus, the wire, and on Ethernet what lies behind the first link.
class ArbitratedBus::Source final : public Ingress {
 public:
  Source(ArbitratedBus& bus, const std::string& name, const FrameConfig& frame, Delegate<void(Flight&)> device)
      : Ingress(static_cast<std::size_t>(frame.rx_fifo), device),
        bus_(bus),
        sender_(bus.simulation_, "frame of \"" + name + "\" on " + bus.config_.name, bus.config_, frame.form),
        collected_(bus.simulation_.queue, Delegate<void()>::to<&Source::collected>(*this)) {
    sender_.source = this;
    bus.senders_.push_back(&sender_);
  }

  void add_stages(PathBuilder& path) override {
    const BusConfig& config = bus_.config_;
    const BitRates rates = config.rates();
    const double least = config.stuffing == Stuffing::most ? kFullyStuffed : kUnstuffed;
    const double most = config.stuffing == Stuffing::none ? kUnstuffed : kFullyStuffed;
    waits_ = path.then({"bus_wait", Where::hardware});
    frame_ = path.then({"frame", Where::hardware, vecusim::received(sender_.bits, rates, least),
                        vecusim::received(sender_.bits, rates, most)});
    if (config.switches > 0) {
      const Duration each = config.switch_delay + vecusim::received(sender_.bits, rates, kUnstuffed);
      behind_ = each * config.switches;
      switches_ = path.then({"switches", Where::hardware, behind_, behind_});
    }
    if (config.moderation > Duration::zero()) moderated_ = path.then({"moderation", Where::hardware});
  }

  void send(Flight& flight) override {
    flight.enter(waits_);
    if (bus_.on_wire_ != nullptr) flight.wait(Wait::queue, bus_.on_wire_->party);
    sender_.flights.push_back(&flight);
    bus_.queue(sender_);
  }
  void on_wire(Flight& flight) { flight.enter(frame_); }
  void received(Flight& flight) {
    if (bus_.config_.switches > 0) {
      flight.delay(switches_, behind_, Delegate<void(Flight&)>::to<&Source::passed>(*this));
    } else {
      passed(flight);
    }
  }

 private:
  void passed(Flight& flight) {
    if (bus_.config_.moderation == Duration::zero()) {
      deliver(flight);
      return;
    }
    flight.enter(moderated_);
    flight.wait(Wait::moderation, Party::nobody);
    held_.push_back(&flight);
    if (!collected_.armed()) collected_.arm_in(bus_.config_.moderation);
  }
  void collected() {
    for (Flight* flight : held_) deliver(*flight);
    held_.clear();
  }

  ArbitratedBus& bus_;
  Sender sender_;
  StageId waits_{};
  StageId frame_{};
  StageId switches_{};
  StageId moderated_{};
  Duration behind_{};
  std::vector<Flight*> held_;
  Timer collected_;
};

ArbitratedBus::Sender::Sender(Simulation& simulation, const std::string& name, const BusConfig& config,
                              const FrameForm& form)
    : urgency(urgency_of(config, form)),
      bits(config.bits(form)),
      party(simulation.party(name)),
      stuffing(simulation.stream(name + "#stuffing")) {}

ArbitratedBus::Traffic::Traffic(Simulation& simulation, ArbitratedBus& owner, const std::string& name,
                                const TrafficConfig& config)
    : bus(owner),
      sender(simulation, name, owner.config_, config.form),
      period(config.period),
      stream(simulation.stream(name + "#phase")),
      timer(simulation.queue, Delegate<void()>::to<&Traffic::due>(*this)) {
  owner.senders_.push_back(&sender);
}

void ArbitratedBus::Traffic::due() {
  timer.arm_in(period);
  bus.queue(sender);
}

ArbitratedBus::ArbitratedBus(Simulation& simulation, const BusConfig& config)
    : simulation_(simulation),
      config_(config),
      arbitrates_(simulation.queue, Delegate<void()>::to<&ArbitratedBus::arbitrate>(*this)),
      receives_(simulation.queue, Delegate<void()>::to<&ArbitratedBus::received>(*this)),
      frees_(simulation.queue, Delegate<void()>::to<&ArbitratedBus::freed>(*this)) {
  for (std::size_t i = 0; i < config.traffic.size(); ++i) {
    const std::string name = "traffic " + std::to_string(i) + " on " + config.name;
    traffic_.push_back(std::make_unique<Traffic>(simulation, *this, name, config.traffic[i]));
  }
}

std::unique_ptr<Ingress> ArbitratedBus::join(const std::string& name, const FrameConfig& frame,
                                             Delegate<void(Flight&)> device) {
  return std::make_unique<Source>(*this, name, frame, device);
}

void ArbitratedBus::start() {
  for (auto& traffic : traffic_) {
    traffic->timer.arm_at(kStart + Distribution::uniform({}, traffic->period).quantile(traffic->stream.uniform()));
  }
}

void ArbitratedBus::queue(Sender& sender) {
  sender.waiting.push_back(queued_++);
  if (on_wire_ == nullptr && !arbitrates_.armed()) arbitrates_.arm_in(Duration::zero());
}

double ArbitratedBus::stuffed(Sender& sender) {
  if (config_.stuffing == Stuffing::any) return sender.stuffing.uniform();
  return config_.stuffing == Stuffing::most ? kFullyStuffed : kUnstuffed;
}

void ArbitratedBus::arbitrate() {
  Sender* first = nullptr;
  for (Sender* sender : senders_) {
    if (sender->waiting.empty()) continue;
    const auto place = [](const Sender& s) { return std::pair(s.urgency, s.waiting.front()); };
    if (first == nullptr || place(*sender) < place(*first)) first = sender;
  }
  if (first == nullptr) return;
  first->waiting.pop_front();
  on_wire_ = first;
  const double share = stuffed(*first);
  if (first->source != nullptr) {
    carried_ = first->flights.front();
    first->flights.pop_front();
    first->source->on_wire(*carried_);
    receives_.arm_in(vecusim::received(first->bits, config_.rates(), share));
  }
  for (Sender* sender : senders_) {
    for (Flight* flight : sender->flights) flight->wait(Wait::queue, first->party);
  }
  frees_.arm_in(occupied(first->bits, config_.rates(), share));
}

void ArbitratedBus::received() {
  Flight& flight = *carried_;
  carried_ = nullptr;
  on_wire_->source->received(flight);
}

void ArbitratedBus::freed() {
  on_wire_ = nullptr;
  arbitrate();
}

}  // namespace vecusim
