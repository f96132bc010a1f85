// VirtualGic: the virtual interrupts of one vCPU: Xen's queue, the list registers, and what the guest sees of them.
//
// All interrupts of a Linux guest have one priority, so the queue is first in, first out, and nothing is ever evicted
// from a list register. What does not fit waits; then a maintenance interrupt comes when the guest has at most one list
// register left to do. Specification of the Xen interrupt path on Arm, sections 2.2 (E3), 2.4 and 2.8 (R2).
#pragma once

#include <cstddef>
#include <vector>

#include "models/gic.hpp"

namespace vecusim {

class VirtualGic {
 public:
  explicit VirtualGic(std::size_t list_registers) : list_registers_(list_registers) { inflight_.reserve(32); }

  // Xen's side.

  /// V1, V2: queues an interrupt; one that is pending already is not counted twice. `loaded`: the vCPU's list registers
  /// are this core's, and a free one is written at once.
  void inject(IrqId irq, bool loaded);
  /// E3, at each exit from the guest: takes back the list registers that it is done with.
  void sync_from();
  /// R2, at each return: fills the free ones.
  void sync_to();
  /// How many list registers are in use; each is read at an exit.
  std::size_t used_registers() const;
  /// How many of them a return would write.
  std::size_t registers_to_write() const;
  /// Whether the interrupt waits for a list register.
  bool overflowed(IrqId irq) const;
  /// Whether the guest has anything to take: then WFI does not block the vCPU.
  bool needs_delivery() const;

  // The guest's side.

  /// The first interrupt that is pending in a list register; kSpurious if there is none.
  IrqId pending() const;
  /// The same, and makes it active.
  IrqId acknowledge();
  /// Its handler is done. True if that calls for the maintenance interrupt.
  bool end(IrqId irq);

 private:
  // The list register of an interrupt: none, its states, or one whose work is done, not yet taken back.
  enum class Register : std::uint8_t { none, pending, active, pending_and_active, done };
  struct Virq {
    IrqId irq;
    bool queued;  // asked for, and no list register says so yet
    Register state;
  };

  Virq* find(IrqId irq);
  bool waits(const Virq& virq) const { return virq.queued && virq.state == Register::none; }
  bool register_free() const { return used_registers() < list_registers_; }
  static void write(Virq& virq);

  std::size_t list_registers_;
  std::vector<Virq> inflight_;  // in order of arrival
  bool underflow_ = false;      // the maintenance interrupt is enabled
};

}  // namespace vecusim
