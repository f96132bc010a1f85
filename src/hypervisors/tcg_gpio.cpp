// Edges in the emulated pins.
#include "hypervisors/tcg_gpio.hpp"

#include <algorithm>

namespace vecusim {

void EmulatedGpio::attach(const MeasuredInterrupt& interrupt) {
  pins_.push_back(std::make_unique<Pin>(*simulation_, *this, interrupt));
}

bool EmulatedGpio::edge(Flight& flight) {
  Pin& pin = **std::find_if(pins_.begin(), pins_.end(), [&](auto& p) { return &p->interrupt == &flight.interrupt(); });
  if (pin.latched != nullptr) return false;
  pin.latched = &flight;
  if (pulse_) pin.pulse_end.arm_in(*pulse_);
  update_line();
  return true;
}

void EmulatedGpio::lower(Pin& pin) {
  lost_.push_back(pin.latched);
  pin.latched = nullptr;
  update_line();
}

void EmulatedGpio::update_line() {
  gic_->set_line(irq_, std::any_of(pins_.begin(), pins_.end(), [](auto& pin) { return pin->latched != nullptr; }));
}

void EmulatedGpio::drop_lost() {
  for (Flight* flight : lost_) flight->drop(Fate::lost);
  lost_.clear();
}

Flight* EmulatedGpio::first_latched() const {
  Flight* first = nullptr;
  for (const auto& pin : pins_) {
    if (pin->latched != nullptr && (first == nullptr || pin->latched->began_before(*first))) first = pin->latched;
  }
  return first;
}

const std::vector<Flight*>& EmulatedGpio::take_latched() {
  taken_.clear();
  for (auto& pin : pins_) {
    if (pin->latched == nullptr) continue;
    taken_.push_back(pin->latched);
    pin->latched = nullptr;
    pin->pulse_end.disarm();
  }
  update_line();
  return taken_;
}

}  // namespace vecusim
