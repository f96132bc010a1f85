// Events of a device on their way into the interrupt controller.
#include "models/device_line.hpp"

namespace vecusim {

DeviceLine::DeviceLine(Gic& gic, IrqId irq, Trigger trigger) : gic_(&gic), irq_(irq), trigger_(trigger) {
  latched_.reserve(2);
  taken_.reserve(1);
  gic.set_trigger(irq, trigger);
}

void DeviceLine::attach(MeasuredInterrupt& interrupt, PathBuilder& path) {
  interrupt_ = &interrupt;
  forward_ = path.then({"gic_forward", Where::hardware, gic_->forward(), gic_->forward()});
}

bool DeviceLine::merges() const { return trigger_ == Trigger::level ? !latched_.empty() : gic_->noted(irq_); }

void DeviceLine::edge() {
  Flight& flight = interrupt_->take_off();
  if (merges()) {
    flight.drop(Fate::merged);
    return;
  }
  latched_.push_back(&flight);
  flight.enter(forward_);
  if (gic_->active(irq_)) flight.wait(Wait::queue, Party::nobody);
  gic_->set_line(irq_, true);
  if (trigger_ == Trigger::edge) gic_->set_line(irq_, false);
}

const std::vector<Flight*>& DeviceLine::take_latched() {
  taken_.clear();
  if (latched_.empty()) return taken_;
  taken_.push_back(latched_.front());
  latched_.erase(latched_.begin());
  if (trigger_ == Trigger::level) gic_->set_line(irq_, false);
  return taken_;
}

}  // namespace vecusim
