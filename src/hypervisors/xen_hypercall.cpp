// Hypercalls that take long: Xen works for the guest that asked, with interrupts on, and looks at softirqs only when it
// returns.
//
//   trap_hypercall → hypercall_begins ─┬────────────────────┬─ hypercall_done → softirqs
//                                      └─ (interrupts) … ───┘
//
// Whoever an interrupt wakes meanwhile waits for the end: specification of the Xen interrupt path on Arm, section 2.6,
// H1. Populating memory is not preempted within one extent of 2^order pages.
#include "hypervisors/xen.hpp"

namespace vecusim {

AllocationCosts::AllocationCosts(CostTable& costs)
    : base(costs.duration("xen.allocate")),
      page(costs.duration("xen.allocate_page")),
      flush(costs.duration("xen.flush_page")) {}

Duration AllocationCosts::time(const HypercallConfig& hypercall) const {
  const Duration each = hypercall.flush ? page + flush : page;
  return base + (std::int64_t{1} << hypercall.allocate_order) * each;
}

void XenDomain::hypercall(std::size_t cpu, const HypercallConfig& hypercall) {
  vcpus[cpu]->loaded->trap_hypercall(allocation_.time(hypercall));
}

void XenDomain::hypercall(std::size_t cpu, Duration time) { vcpus[cpu]->loaded->trap_hypercall(time); }

void XenPcpu::trap_hypercall(Duration length) {
  enter_xen();
  hypercall_.demand = length;
  step(XenCode::exit_guest, nullptr, XenStage::irq, &XenPcpu::hypercall_begins);
}

void XenPcpu::hypercall_begins(Flight*) {
  cpu_.submit(hypercall_);
  if (xen_.board_.gic().pending(index_) != kSpurious) interrupted();
}

void XenPcpu::hypercall_done() { softirqs(nullptr); }

}  // namespace vecusim
