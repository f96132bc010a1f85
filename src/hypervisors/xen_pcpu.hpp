// XenPcpu: what Xen does on one physical core: a chain of pieces of code at EL2, between which interrupts and softirqs
// are seen.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cpu.hpp"
#include "hypervisors/sched_core.hpp"
#include "hypervisors/xen_costs.hpp"
#include "hypervisors/xen_timers.hpp"
#include "hypervisors/xen_vcpu.hpp"
#include "models/gic.hpp"

namespace vecusim {

class Xen;
class XenDomain;
class XenPool;

/// An event channel, as its sender sees it.
struct XenChannel {
  XenDomain* to;
  std::size_t port;
};

/// Stages of an interrupt's path at EL2. A path has them twice: on the way to the handler, and on the way of the IPI by
/// which the handler's vCPU wakes another one; `console` is the same stage for both.
enum class XenStage : std::uint8_t { irq, wake, sgi, schedule, enter, console };
inline constexpr std::size_t kXenStages = 6;

class XenPcpu {
 public:
  XenPcpu(Xen& xen, PcpuIndex index);

  /// The core's interrupt input is high.
  void interrupted();
  /// The guest on this core has nothing to do: it executes WFI.
  void guest_waits();
  /// It writes the SGI register, for another vCPU of its domain and on behalf of `flight` (may be null).
  void trap_sgi(XenVcpu& target, Flight* flight);
  /// It prints its line on the console.
  void print();
  /// The console's lock is this core's.
  void console_granted();
  /// It sends an event.
  void trap_event(const XenChannel& channel);
  /// It makes a hypercall of that length, which is not preempted.
  void trap_hypercall(Duration length);
  /// The guest here has few list registers left to do, and more interrupts wait for one.
  void maintenance();

  /// A pass is to be made here. `from` is the core that asks; null at boot.
  void request_pass(XenPcpu* from);
  /// The timer of the guest on this core has been set.
  void program_guest_timer();
  /// An expired timer of this core: a vCPU's, or the policy's.
  void inject_timer(XenVcpu& target);
  /// At assembly; a core that joins no pool idles.
  void join(XenPool& pool) { pool_ = &pool; }
  /// Boot: the first softirqs.
  void start();

  PcpuIndex index() const { return index_; }
  PcpuId id() const { return static_cast<PcpuId>(index_); }
  Cpu& cpu() { return cpu_; }
  XenTimers& timers() { return timers_; }
  bool in_xen() const { return in_xen_; }
  /// Whether no vCPU has been chosen to run here.
  bool idles() const;

 private:
  using Then = void (XenPcpu::*)(Flight*);

  // xen_irq.cpp: each function is what follows when the code before it has been executed.
  void enter_xen();
  void hold_arrivals();
  void step(XenCode code, Flight* flight, XenStage stage, Then then);
  Duration step_cost();
  void step_done();
  Flight* carried() const;
  XenStage carried_stage() const;
  void leave_wfi(Flight* flight);
  void leave_guest(Flight* flight, XenStage stage, Then then);
  void read_registers(Flight* flight);
  void acknowledge(Flight* flight);
  void dispatch(Flight* flight);
  Flight* timer_flight() const;
  Flight* guest_timer_flight() const;
  void own_timer(Flight* flight);
  void guest_timer(Flight* flight);
  void maintained(Flight*);
  void event(Flight* flight);
  void guest_interrupt(Flight* flight);
  void inject(XenVcpu& target, IrqId irq, Flight* flight, Then then);
  void injected(Flight* flight);
  void wake_target(Flight* flight);
  void send_sgis(Flight* flight);
  void sgi_sent(Flight* flight);
  void trap_wfi();
  void trapped_wfi(Flight*);
  void block(Flight*);
  void trapped_sgi(Flight* flight);
  void send_guest_sgi(Flight* flight);
  void trapped_event(Flight* flight);
  void send_event(Flight* flight);

  // xen_print.cpp
  void trapped_print(Flight* flight);
  void want_console(Flight* flight);
  void occupy(Duration time, Flight* flight, Delegate<void()> then);
  void write_chunk();
  void write_own();
  Duration console_char();
  void chunk_written();
  void print_on();
  // xen_hypercall.cpp
  void hypercall_begins(Flight*);
  void hypercall_done();

  // xen_sched.cpp
  void softirqs(Flight*);
  void expire_timers(Flight*);
  void run_timer(Flight*);
  void program_comparator(Flight* flight);
  void decide(Flight* flight);
  void decided(Flight* flight);
  void switch_begins(Flight* flight);
  void saved(Flight* flight);
  void load(Flight* flight);
  void load_registers(Flight* flight);
  void restored(Flight* flight);
  void tell_loaded();
  void requeue(Flight* flight);
  void switch_ends(Flight* flight);
  void settled(Flight*);
  void return_to_guest();
  void take_along();
  void enter_guest(Flight* flight);
  void entered(Flight*);
  void slice_ended();
  void comparator();
  void raise_timer_softirq();
  void guest_timer_expired();

  Xen& xen_;
  PcpuIndex index_;
  XenPool* pool_ = nullptr;
  Cpu cpu_;
  XenTimers timers_;
  XenTimers::Id slice_;
  Timer guest_timer_;
  XenVcpu* loaded_ = nullptr;  // whose registers the core has; null: idle
  bool in_xen_ = false;
  bool asleep_ = false;  // halted, in the idle loop or in the guest
  bool up_ = false;

  Work work_;
  Work hypercall_;             // less urgent than work_
  bool in_interrupt_ = false;  // that interrupted a hypercall
  XenCode code_{};
  Passenger flight_;
  Then then_ = nullptr;
  std::size_t times_ = 1;           // the code is executed so often in a row
  std::size_t used_registers_ = 0;  // when the guest was left
  XenStage exit_stage_{};
  Then after_exit_ = nullptr;
  IrqId active_ = kSpurious;

  XenVcpu* target_ = nullptr;  // of the injection under way
  IrqId virtual_ = kSpurious;
  XenChannel channel_{};        // of the event being sent
  Then after_ = nullptr;        // what follows an injection or the sending of SGIs
  std::vector<XenPcpu*> sgis_;  // to be sent
  Passenger sgi_flight_;        // on its way here with an SGI
  Passenger wanted_;            // hopes for the next pass here
  const Delegate<void()>* expired_ = nullptr;
  bool injecting_ = false;

  Work printing_;
  Party printer_ = Party::nobody;  // for whom the core prints, or spins for the console's lock
  Duration own_{};                 // what a chunk takes, once the port is free

  bool timer_softirq_ = false;
  bool schedule_softirq_ = false;
  UnitId previous_ = kIdle;
  Decision decision_;
  bool switches_ = false;
};

}  // namespace vecusim
