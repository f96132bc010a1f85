// KvmVcpu: a vCPU as a thread of the host: guest code while that lasts, KVM's own code around it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hypervisors/kvm_host.hpp"
#include "hypervisors/virtual_gic.hpp"

namespace vecusim {

class KvmGuest;

/// How a vCPU's thread competes for the host's CPUs.
struct KvmVcpuSched {
  TaskPolicy policy;
  std::int64_t priority;
  std::vector<std::int64_t> cpus;  ///< empty: all
};

class KvmVcpu final : public QemuThread {
 public:
  KvmVcpu(KvmHost& kvm, KvmGuest& guest, std::size_t index, CpuId id, const KvmVcpuSched& sched);

  Cpu& guest_cpu() { return guest_cpu_; }
  const std::string& name() const { return name_; }
  VirtualGic& vgic() { return vgic_; }

  /// A virtual interrupt, from code on that pCPU, on behalf of a flight (may be null). Returns the thread if it has to
  /// be woken for it.
  Thread* inject(IrqId irq, Flight* flight, KvmArrival arrival, std::size_t pcpu);

  // What the guest's code comes upon; each leaves guest mode if it is in it.
  void send_ipi(KvmVcpu& to, Flight* flight);
  void use_device(Flight& flight);
  /// KVM has so much to do; of no cycles where it is not asked.
  void emulate(const PathCost& cost);
  /// The virtual interface has become empty, and more is queued.
  void maintain();
  void wait_for_interrupt();
  void set_timer(Time due);
  /// A flight of the guest's timer begins.
  void timer_due(Flight& flight) const;

  /// An interrupt of the host's takes it out of guest mode.
  void interrupted();

  // Thread
  void start() override { rise(); }
  Flight* timed_flight() const override;
  bool timer_expired(Flight* flight) override;
  Duration put_away() override;
  Cpu* carried() override { return &guest_cpu_; }

 private:
  enum class Doing : std::uint8_t { blocked, waking, polling, outside, guest };
  // Why it has left guest mode.
  struct Trap {
    enum class Kind : std::uint8_t { halt, ipi, device, emulate } kind;
    KeptFlight kept = {};
    StageId stage{};  // that the flight waits in; another vCPU may have come to what an IPI is to tell it by itself
    KvmVcpu* to = nullptr;
    const PathCost* cost = nullptr;
    Flight* live() const { return kept.in(stage); }
  };
  // A flight whose interrupt is queued. The guest may find what it is about before that.
  struct Passenger {
    KeptFlight kept;
    KvmArrival arrival;
  };

  // kvm_vcpu.cpp: in and out of guest mode, and what waits for that
  void risen() override;
  void go_on();
  void enter();
  void entered();
  void leave(Wait kind, Party for_whom);
  void run_masked(const PathCost& cost, CodePath path, Delegate<void()> done);
  void unmask();
  Flight* live(const Passenger& passenger);
  void board(Flight* flight, KvmArrival arrival);
  void bring_passengers();
  void take_timer();
  void program_timer();

  // kvm_traps.cpp: what it does outside
  void trap(const Trap& trap);
  void exited();
  void next_trap();
  void ipi_sent();
  void signalled();
  void in_qemu();
  void locked();
  void wrote();
  void halt();
  void poll_over();
  void sleep();
  void asleep();
  void adapt_polling();

  KvmHost& kvm_;
  KvmGuest& guest_;
  std::size_t index_;
  std::string name_;
  Cpu guest_cpu_;
  VirtualGic vgic_;
  Doing doing_ = Doing::waking;
  bool loaded_ = false;  // its state is on the core
  std::vector<Trap> traps_;
  Trap trap_{};  // that is being handled
  std::vector<Passenger> passengers_;
  KvmArrival brings_ = KvmArrival::device;  // flight()'s kind
  PathCost cost_;                           // of what it is about to do

  Time timer_due_ = kNever;       // of the guest
  LinuxCpu* timer_on_ = nullptr;  // whose timer stands for it
  Duration poll_{};               // how long it polls next time
  Time halted_ = kNever;          // since when the guest waits for an interrupt; kNever: it does not
};

}  // namespace vecusim
