// The list registers of a vCPU.
#include "hypervisors/xen_vcpu.hpp"

#include <algorithm>

namespace vecusim {

bool VirtualGic::inject(IrqId irq) {
  const auto known = std::find_if(inflight_.begin(), inflight_.end(), [&](const Virq& v) { return v.irq == irq; });
  if (known == inflight_.end()) {
    inflight_.push_back({irq, true, false});
    return true;
  }
  const bool news = !known->pending;
  known->pending = true;
  return news;
}

IrqId VirtualGic::pending() const {
  const std::size_t loaded = std::min(list_registers_, inflight_.size());
  for (std::size_t i = 0; i < loaded; ++i) {
    if (inflight_[i].pending && !inflight_[i].active) return inflight_[i].irq;
  }
  return kSpurious;
}

IrqId VirtualGic::acknowledge() {
  const IrqId irq = pending();
  for (Virq& virq : inflight_) {
    if (virq.irq != irq) continue;
    virq.pending = false;
    virq.active = true;
  }
  return irq;
}

bool VirtualGic::end(IrqId irq) {
  const bool overflow = inflight_.size() > list_registers_;
  const auto done = std::find_if(inflight_.begin(), inflight_.end(), [&](const Virq& v) { return v.irq == irq; });
  if (done == inflight_.end()) return false;
  done->active = false;
  if (!done->pending) inflight_.erase(done);
  return overflow;
}

}  // namespace vecusim
