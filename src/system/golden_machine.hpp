// The ideal machine of the golden traces: a policy, its pCPUs and units under a clock where passes, switches and IPIs
// take no time.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "engine/event_queue.hpp"
#include "hypervisors/sched_core.hpp"

namespace vecusim::golden {

/// Who watches the passes.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  /// The policy has decided; nothing has been done about it yet.
  virtual void decided(PcpuId pcpu, UnitId previous, const Decision& decision) = 0;
  /// Another unit than `previous` now runs on `pcpu`; the policy does not know yet that `previous` was switched out.
  virtual void switched(PcpuId pcpu, UnitId previous, UnitId next) = 0;
};

/// The clock, the timers and the passes around the generic layer of Xen's scheduling (golden trace format, section 3).
///
/// Whatever is not a pass happens inside an event: the caller says on which pCPU by executes_on(), calls verbs of
/// core() with moment(), and calls settle() at the event's end, also after an EventQueue::step().
class IdealMachine final : private SchedHost {
 public:
  /// The policy must have been made for the same number of pCPUs.
  IdealMachine(std::unique_ptr<Policy> policy, std::size_t pcpus, PassObserver& observer);

  EventQueue& queue() { return queue_; }
  SchedCore& core() { return core_; }
  const SchedCore& core() const { return core_; }
  const Policy& policy() const { return core_.policy(); }

  HvTime now() const;
  /// On pCPU 0, until said otherwise.
  void executes_on(PcpuId pcpu) { executing_ = pcpu; }
  Moment moment() const { return {now(), executing_}; }

  /// Adds all pCPUs upwards; each is to make a pass.
  void add_pcpus();
  void request_pass(PcpuId pcpu) override { pending_.insert(pcpu); }
  void drop_requests() { pending_ = {}; }
  /// Makes the requested passes: the lowest pCPU first, again as long as it asks itself again, then from pCPU 0.
  void settle();

  /// How long the pCPU was idle up to `end`, which is not before now.
  HvTime idle_time(PcpuId pcpu, HvTime end) const;

 private:
  struct Pcpu {
    Pcpu(IdealMachine& owner, PcpuId pcpu);
    void slice_ends() { machine.request_pass(id); }

    IdealMachine& machine;
    PcpuId id;
    Timer slice;
    HvTime idle_since{};
    HvTime idle_total{};
  };

  struct PolicyTimer {
    PolicyTimer(IdealMachine& owner, TimerId timer);
    void fire();

    IdealMachine& machine;
    TimerId id;
    Timer timer;
  };

  void arm(TimerId timer, HvTime at) override;
  void cancel(TimerId timer) override { timer_of(timer).disarm(); }
  Timer& timer_of(TimerId timer);
  void pass(PcpuId pcpu);

  EventQueue queue_;
  PassObserver& observer_;
  SchedCore core_;
  std::deque<Pcpu> pcpus_;
  std::deque<PolicyTimer> timers_;
  PcpuMask pending_;
  PcpuId executing_{};
};

/// The moment of an EventQueue's clock; kNever if it is beyond what that can tell (106 days).
Time to_time(HvTime at);

}  // namespace vecusim::golden
