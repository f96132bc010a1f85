// EmulatedGpio: the guest's input pins, as QEMU models them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/simulation.hpp"
#include "models/interrupt_device.hpp"

namespace vecusim {

/// All pins share one level-sensitive interrupt of the guest's controller. A pin either latches edges, or (`pulse`) its
/// level is raised for a while and nothing remembers it: what the guest has not read by then is lost.
class EmulatedGpio final : public InterruptDevice {
 public:
  EmulatedGpio(Simulation& simulation, Gic& gic, IrqId irq, std::optional<Duration> pulse)
      : simulation_(&simulation), gic_(&gic), irq_(irq), pulse_(pulse) {}

  /// At assembly: one more pin.
  void attach(const MeasuredInterrupt& interrupt);
  /// The pin's edge. False if an earlier one has not been read yet: nothing tells two from one.
  bool edge(Flight& flight);
  /// Whoever has been looking for an interrupt has found none: edges that were lost are nobody's any more.
  void drop_lost();

  IrqId irq() const override { return irq_; }
  Flight* first_latched() const override;
  const std::vector<Flight*>& take_latched() override;
  bool shared() const override { return true; }

 private:
  struct Pin {
    Pin(Simulation& simulation, EmulatedGpio& owner, const MeasuredInterrupt& measured)
        : gpio(owner), interrupt(measured), pulse_end(simulation.queue, Delegate<void()>::to<&Pin::lowered>(*this)) {}
    void lowered() { gpio.lower(*this); }

    EmulatedGpio& gpio;
    const MeasuredInterrupt& interrupt;
    Flight* latched = nullptr;
    Timer pulse_end;
  };
  void lower(Pin& pin);
  void update_line();

  Simulation* simulation_;
  Gic* gic_;
  IrqId irq_;
  std::optional<Duration> pulse_;
  std::vector<std::unique_ptr<Pin>> pins_;
  std::vector<Flight*> taken_;
  std::vector<Flight*> lost_;
};

}  // namespace vecusim
