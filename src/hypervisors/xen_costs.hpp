// What Xen's own code costs: pieces of its paths at EL2, each with a name in the cost table.
//
// The pieces are those that a function-level count of Xen 4.17 on Arm separates; where a piece depends on the
// scheduler, its name has the scheduler's. Specification of the Xen interrupt path on Arm, section 3.1, gives the
// stages they belong to.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/core.hpp"
#include "models/costs.hpp"
#include "models/linux_config.hpp"

namespace vecusim {

enum class XenCode : std::uint8_t {
  wfi_exit,          ///< W1: the core's own time
  exit_guest,        ///< E1–E3: vector and state of the guest, to the interrupt or trap handler
  exit_register,     ///< E3: one list register that is in use
  exit_idle,         ///< W2: from the idle loop, and back into it
  irq_ack,           ///< D1: one acknowledgement, with the end of it
  irq_timer,         ///< D2 of Xen's own timer
  irq_vtimer,        ///< D2 of the guest's timer
  irq_spi,           ///< D2 of a guest's interrupt
  irq_event,         ///< D2 of the event-check SGI
  irq_event_idle,    ///< the same in the idle loop
  irq_maintenance,   ///< D2 of the virtual interface's own interrupt
  inject,            ///< V1–V3: queueing a virtual interrupt
  inject_running,    ///< the same for the vCPU that is loaded: the list register is written at once
  wake,              ///< V3 for a blocked vCPU whose pCPU is idle: unblock, policy, tickle
  wake_busy,         ///< the same if its pCPU runs another vCPU, whose claim the policy weighs
  timer_expired,     ///< S1: one expired timer
  timer_softirq,     ///< S1: end of the timer softirq: programming the comparator
  schedule,          ///< S2: from the softirq to the policy, the pCPU being idle
  schedule_running,  ///< the same while a vCPU runs
  pass,              ///< S2: the policy's decision for a vCPU, up to the switch
  pass_idle,         ///< the same if there is nothing to run
  save,              ///< S4: registers, timer, FP and vGIC of the vCPU that leaves
  restore,           ///< S4: the same of the one that comes to an idle pCPU
  restore_after,     ///< S4: the same if another vCPU's state was there
  restore_idle,      ///< S4: to the idle loop
  switched,          ///< S5 and what follows a switch from idle to a vCPU
  switched_after,    ///< the same if a vCPU has left
  requeue,           ///< S5 for a vCPU that left and could still run
  switched_idle,     ///< S5 after a switch to idle
  retarget,          ///< S3: interrupts follow a vCPU that moved
  enter_guest,       ///< R1–R3
  enter_register,    ///< R2: one list register to write
  trap_wfi,          ///< WFI: trap, block
  trap_sgi,          ///< a write to the distributor's SGI register
  event_send,        ///< a hypercall that sends an event, up to the injection
  sgi_send,          ///< one SGI to another pCPU
  console_write,     ///< hypercall to the console, without trap, characters and return
  console_char,      ///< one character of it
};
inline constexpr std::size_t kXenCodes = 38;

/// What a hypercall costs that allocates memory in extents of 2^order pages.
struct AllocationCosts {
  AllocationCosts() = default;
  explicit AllocationCosts(CostTable& costs);
  Duration time(const HypercallConfig& hypercall) const;
  Duration base{};
  Duration page{};
  Duration flush{};  ///< of one page's lines to memory
};

/// The costs of one scheduler's Xen.
class XenCosts {
 public:
  XenCosts() = default;
  /// "xen.PIECE" or, where there is one, "xen.PIECE_SCHEDULER".
  XenCosts(CostTable& costs, std::string_view scheduler);
  const PathCost& operator[](XenCode code) const { return costs_[static_cast<std::size_t>(code)]; }
  static std::string_view name(XenCode code);

 private:
  std::array<PathCost, kXenCodes> costs_;
};

}  // namespace vecusim
