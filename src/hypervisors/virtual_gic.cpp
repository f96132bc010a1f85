// The states of queued virtual interrupts.
#include "hypervisors/virtual_gic.hpp"

#include <algorithm>

namespace vecusim {

VirtualGic::Virq* VirtualGic::find(IrqId irq) {
  const auto known = std::find_if(inflight_.begin(), inflight_.end(), [&](const Virq& v) { return v.irq == irq; });
  return known == inflight_.end() ? nullptr : &*known;
}

std::size_t VirtualGic::used_registers() const {
  return static_cast<std::size_t>(
      std::count_if(inflight_.begin(), inflight_.end(), [](const Virq& v) { return v.state != Register::none; }));
}

std::size_t VirtualGic::registers_to_write() const {
  const auto wait = std::count_if(inflight_.begin(), inflight_.end(), [&](const Virq& v) { return waits(v); });
  return std::min(static_cast<std::size_t>(wait), list_registers_ - used_registers());
}

void VirtualGic::write(Virq& virq) {
  virq.queued = false;
  virq.state = virq.state == Register::active ? Register::pending_and_active : Register::pending;
}

void VirtualGic::inject(IrqId irq, bool loaded) {
  if (Virq* known = find(irq)) {
    known->queued = true;
    // Its own register is refreshed, which leaves it in its place; one in the queue is in its place already.
    if (loaded && known->state != Register::none) write(*known);
    return;
  }
  const bool at_once = loaded && register_free() &&
                       std::none_of(inflight_.begin(), inflight_.end(), [&](const Virq& v) { return waits(v); });
  inflight_.push_back({irq, true, Register::none});
  if (at_once) write(inflight_.back());
}

void VirtualGic::sync_from() {
  underflow_ = false;
  const std::size_t before = inflight_.size();
  for (std::size_t i = 0; i < before; ++i) {
    Virq& virq = inflight_[i];
    if (virq.state == Register::active && virq.queued) write(virq);
    if (virq.state == Register::pending) virq.queued = false;
    if (virq.state == Register::done && virq.queued) inflight_.push_back({virq.irq, true, Register::none});
  }
  std::erase_if(inflight_, [](const Virq& v) { return v.state == Register::done; });
}

void VirtualGic::sync_to() {
  for (Virq& virq : inflight_) {
    if (!waits(virq)) continue;
    underflow_ = !register_free();
    if (underflow_) return;
    write(virq);
  }
}

bool VirtualGic::overflowed(IrqId irq) const {
  return std::any_of(inflight_.begin(), inflight_.end(), [&](const Virq& v) { return v.irq == irq && waits(v); });
}

bool VirtualGic::needs_delivery() const {
  return std::any_of(inflight_.begin(), inflight_.end(),
                     [](const Virq& v) { return v.queued || v.state == Register::pending; });
}

IrqId VirtualGic::pending() const {
  for (const Virq& virq : inflight_) {
    if (virq.state == Register::pending) return virq.irq;
  }
  return kSpurious;
}

IrqId VirtualGic::acknowledge() {
  const IrqId irq = pending();
  if (Virq* taken = find(irq)) taken->state = Register::active;
  return irq;
}

bool VirtualGic::end(IrqId irq) {
  Virq* ended = find(irq);
  if (ended == nullptr) return false;
  ended->state = ended->state == Register::pending_and_active ? Register::pending : Register::done;
  const auto left = std::count_if(inflight_.begin(), inflight_.end(),
                                  [](const Virq& v) { return v.state != Register::none && v.state != Register::done; });
  return underflow_ && left <= 1;
}

}  // namespace vecusim
