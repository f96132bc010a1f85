// InterruptDevice: what a handler finds behind an interrupt: edges that have arrived and wait to be taken.
#pragma once

#include <vector>

#include "models/flight.hpp"
#include "models/gic.hpp"

namespace vecusim {

class InterruptDevice {
 public:
  virtual ~InterruptDevice() = default;

  virtual IrqId irq() const = 0;
  /// The edge that has been there for longest; null if there is none. Changes nothing.
  virtual Flight* first_latched() const = 0;
  /// The handler has seen to the device: the edges found. The span holds until the next call.
  virtual const std::vector<Flight*>& take_latched() = 0;
  /// A driver's handler that is to run and that no flight is about; null if there is none left. The edges come first.
  virtual class NetJob* take_signal() { return nullptr; }
  /// Whether several sources share the interrupt, so that the handler has to find out which it was.
  virtual bool shared() const = 0;
};

}  // namespace vecusim
