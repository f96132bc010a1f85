// Events of a device on their way into the interrupt controller.
#include "models/device_line.hpp"

#include "models/bus.hpp"

namespace vecusim {

DeviceLine::DeviceLine(Gic& gic, IrqId irq, Trigger trigger) : gic_(&gic), irq_(irq), trigger_(trigger) {
  latched_.reserve(2);
  taken_.reserve(1);
  gic.set_trigger(irq, trigger);
}

void DeviceLine::attach(MeasuredInterrupt& interrupt, PathBuilder& path) {
  if (interrupt.ingress != nullptr) depth_ = interrupt.ingress->rx_fifo();
  forward_ = path.then({"gic_forward", Where::hardware, gic_->forward(), gic_->forward()});
  if (depth_ > 1) path.waits_in(forward_);
}

bool DeviceLine::full() const { return trigger_ == Trigger::level ? latched_.size() >= depth_ : gic_->noted(irq_); }

void DeviceLine::edge(Flight& flight) {
  if (full()) {
    flight.drop(depth_ > 1 ? Fate::lost : Fate::merged);
    return;
  }
  latched_.push_back(&flight);
  flight.enter(forward_);
  if (gic_->active(irq_) || (trigger_ == Trigger::level && latched_.size() > 1))
    flight.wait(Wait::queue, Party::nobody);
  gic_->set_line(irq_, true);
  if (trigger_ == Trigger::edge) gic_->set_line(irq_, false);
}

const std::vector<Flight*>& DeviceLine::take_latched() {
  taken_.clear();
  if (latched_.empty()) return taken_;
  const auto end = latched_.begin() + (depth_ > 1 ? static_cast<std::ptrdiff_t>(latched_.size()) : 1);
  taken_.assign(latched_.begin(), end);
  latched_.erase(latched_.begin(), end);
  if (trigger_ == Trigger::level) gic_->set_line(irq_, false);
  return taken_;
}

}  // namespace vecusim
