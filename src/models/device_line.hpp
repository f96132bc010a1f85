// DeviceLine: a device with an interrupt of its own, such as a timer of the chip: its line goes to the controller.
//
// Level: the device notes one event and holds its line until the handler has cleared it; a second event before that
// merges into the first. Edge: the controller notes the edge until it is acknowledged (by whoever runs the controller,
// a hypervisor included); a second one before that merges, a later one waits for the end of the first.
// A level line of a device with a receive queue stays high until the handler has emptied it; what finds it full is
// lost.
#pragma once

#include <cstdint>
#include <vector>

#include "models/interrupt_device.hpp"
#include "models/path_builder.hpp"

namespace vecusim {

class DeviceLine final : public InterruptDevice {
 public:
  DeviceLine(Gic& gic, IrqId irq, Trigger trigger);

  /// At assembly: its events are counted for this interrupt, whose path begins here.
  void attach(MeasuredInterrupt& interrupt, PathBuilder& path);
  void edge(Flight& flight);

  IrqId irq() const override { return irq_; }
  Flight* first_latched() const override { return latched_.empty() ? nullptr : latched_.front(); }
  const std::vector<Flight*>& take_latched() override;
  bool shared() const override { return false; }

 private:
  bool full() const;

  Gic* gic_;
  IrqId irq_;
  Trigger trigger_;
  std::size_t depth_ = 1;
  StageId forward_{};
  std::vector<Flight*> latched_;  // edge: at most two, the second one while the first is being handled
  std::vector<Flight*> taken_;
};

}  // namespace vecusim
