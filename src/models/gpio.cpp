// Edges on their way into the latch.
#include "models/gpio.hpp"

#include <cassert>

namespace vecusim {

Gpio::Gpio(Simulation& simulation, Gic& gic, IrqId irq, double clock_mhz, std::size_t pins)
    : gic_(&gic),
      irq_(irq),
      clock_period_(from_us(1.0 / clock_mhz)),
      stream_(simulation.stream("gpio#synchronise")),
      pins_(pins) {}

void Gpio::attach(std::size_t pin, MeasuredInterrupt& interrupt, PathBuilder& path) {
  Pin& used = pins_[pin];
  used.interrupt = &interrupt;
  used.synchronise = path.then({"gpio_sync", Where::hardware, 2 * clock_period_, 3 * clock_period_});
  used.forward = path.then({"gic_forward", Where::hardware, gic_->forward(), gic_->forward()});
  path.waits_in(used.forward);
  attached_.push_back(pin);
  taken_.reserve(attached_.size());
}

void Gpio::edge(std::size_t pin, Flight& flight) {
  Pin& used = pins_[pin];
  // The edge falls anywhere in a clock period; then two more pass.
  const auto part = from_ps(stream_.uniform() * static_cast<double>(clock_period_.count()));
  flight.delay(used.synchronise, 2 * clock_period_ + part, Delegate<void(Flight&)>::to<&Gpio::synchronised>(*this));
}

void Gpio::synchronised(Flight& flight) {
  for (const std::size_t index : attached_) {
    Pin& pin = pins_[index];
    if (pin.interrupt != &flight.interrupt()) continue;
    if (pin.latched != nullptr) {
      flight.drop(Fate::merged);
      return;
    }
    pin.latched = &flight;
    flight.enter(pin.forward);
    if (gic_->active(irq_)) flight.wait(Wait::queue, Party::nobody);
    gic_->set_line(irq_, true);
    return;
  }
  assert(false);
}

Flight* Gpio::first_latched() const {
  Flight* first = nullptr;
  for (const std::size_t index : attached_) {
    Flight* flight = pins_[index].latched;
    if (flight != nullptr && (first == nullptr || flight->began_before(*first))) first = flight;
  }
  return first;
}

const std::vector<Flight*>& Gpio::take_latched() {
  taken_.clear();
  for (const std::size_t index : attached_) {
    Pin& pin = pins_[index];
    if (pin.latched == nullptr) continue;
    taken_.push_back(pin.latched);
    pin.latched = nullptr;
  }
  gic_->set_line(irq_, false);
  return taken_;
}

}  // namespace vecusim
