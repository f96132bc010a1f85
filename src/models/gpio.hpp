// Gpio: input pins with a synchroniser and the event latch of the BCM2711: one bit per pin, a second edge before the
// clear merges.
//
// Detected edges are ORed into GPEDS; the bank's interrupt line is high while any bit is set; writing a one clears a
// bit. There is no count and no time stamp: specification of the mechanisms, section 1.1.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulation.hpp"
#include "models/interrupt_device.hpp"
#include "models/path_builder.hpp"

namespace vecusim {

class Gpio final : public InterruptDevice {
 public:
  /// An input pin that is in use: where its edges are counted and which stages they pass.
  struct Pin {
    MeasuredInterrupt* interrupt = nullptr;
    StageId synchronise{};  ///< pad to latch: 2 to 3 periods of the block's clock
    StageId forward{};      ///< latch to the core's interrupt input
    Flight* latched = nullptr;
  };

  Gpio(Simulation& simulation, Gic& gic, IrqId irq, double clock_mhz, std::size_t pins);

  /// At assembly: uses a pin, and adds the stages that its edges pass in hardware to the interrupt's path.
  void attach(std::size_t pin, MeasuredInterrupt& interrupt, PathBuilder& path);
  /// An edge at the pad. The pin must have been attached.
  void edge(std::size_t pin, Flight& flight);

  IrqId irq() const override { return irq_; }
  Flight* first_latched() const override;
  /// Reads and clears the latch of all pins: the edges found, in the order of pins.
  const std::vector<Flight*>& take_latched() override;
  bool shared() const override { return true; }

 private:
  void synchronised(Flight& flight);

  Gic* gic_;
  IrqId irq_;
  Duration clock_period_;
  RandomStream stream_;
  std::vector<Pin> pins_;
  std::vector<std::size_t> attached_;
  std::vector<Flight*> taken_;
};

}  // namespace vecusim
