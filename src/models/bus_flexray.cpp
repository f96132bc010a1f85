// FlexRay's static segment: a frame waits for its slot, which takes the newest data there are at its beginning.
#include "models/bus_arbitrated.hpp"

namespace vecusim {

namespace {

class Slot final : public Ingress {
 public:
  Slot(Simulation& simulation, const BusConfig& config, Time first_cycle, const FrameConfig& frame,
       Delegate<void(Flight&)> device)
      : Ingress(static_cast<std::size_t>(frame.rx_fifo), device),
        simulation_(simulation),
        cycle_(config.cycle),
        first_(first_cycle + config.slot * (frame.slot.value_or(1) - 1)),
        wire_(received(config.bits(frame.form), config.rates(), kUnstuffed)),
        rest_(config.slot - wire_),
        begins_(simulation.queue, Delegate<void()>::to<&Slot::begins>(*this)) {}

  void add_stages(PathBuilder& path) override {
    waits_ = path.then({"slot_wait", Where::hardware, Duration::zero(), cycle_});
    frame_ = path.then({"frame", Where::hardware, wire_, wire_});
    slot_end_ = path.then({"slot_end", Where::hardware, rest_, rest_});
  }

  void send(Flight& flight) override {
    if (staged_ != nullptr) staged_->drop(Fate::merged);  // overwritten before anybody has seen it
    staged_ = &flight;
    flight.enter(waits_);
    flight.wait(Wait::slot, Party::nobody);
    if (!begins_.armed()) begins_.arm_at(next_slot());
  }

 private:
  Time next_slot() const {
    const Duration since = simulation_.now() - first_;
    if (since <= Duration::zero()) return first_;
    const Duration::rep cycles = (since + cycle_ - Duration{1}) / cycle_;
    return first_ + cycles * cycle_;
  }
  void begins() {
    Flight& flight = *staged_;
    staged_ = nullptr;
    flight.delay(frame_, wire_, Delegate<void(Flight&)>::to<&Slot::sent>(*this));
  }
  void sent(Flight& flight) { flight.delay(slot_end_, rest_, Delegate<void(Flight&)>::to<&Slot::ended>(*this)); }
  void ended(Flight& flight) { deliver(flight); }

  Simulation& simulation_;
  Duration cycle_;
  Time first_;
  Duration wire_;
  Duration rest_;
  Timer begins_;
  Flight* staged_ = nullptr;
  StageId waits_{};
  StageId frame_{};
  StageId slot_end_{};
};

class FlexRay final : public Bus {
 public:
  FlexRay(Simulation& simulation, const BusConfig& config) : simulation_(simulation), config_(config) {
    // The draw is taken even if the phase is given, as a stimulus does.
    const Duration drawn =
        Distribution::uniform({}, config.cycle).quantile(simulation.stream(config.name + "#phase").uniform());
    first_cycle_ = kStart + config.phase.value_or(drawn);
  }
  std::unique_ptr<Ingress> join(const std::string&, const FrameConfig& frame, Delegate<void(Flight&)> device) override {
    return std::make_unique<Slot>(simulation_, config_, first_cycle_, frame, device);
  }
  void start() override {}  // what is in other slots is in nobody's way

 private:
  Simulation& simulation_;
  BusConfig config_;
  Time first_cycle_{};
};

}  // namespace

std::unique_ptr<Bus> make_bus(Simulation& simulation, const BusConfig& config) {
  if (config.model == BusModel::flexray) return std::make_unique<FlexRay>(simulation, config);
  return std::make_unique<ArbitratedBus>(simulation, config);
}

}  // namespace vecusim
