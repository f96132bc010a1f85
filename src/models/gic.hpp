// Gic: a GIC-400: distributor and CPU interfaces, with pending and active states, priorities, targets and SGIs.
//
// SPIs: level-sensitive ones are pending as long as their line is high, edge-triggered ones from a rising edge until
// they are acknowledged; neither is signalled again while it is active. A CPU interface signals its core whenever the
// most urgent pending interrupt is more urgent than what it is working on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/simulation.hpp"
#include "engine/trace.hpp"

namespace vecusim {

/// Numbers as in the GIC specification: 0–15 SGIs, 16–31 per-CPU interrupts (PPIs), from 32 on shared ones (SPIs).
enum class IrqId : std::uint16_t {};
inline constexpr IrqId kSpurious{1023};
/// The generic timer's per-CPU interrupt (virtual timer).
inline constexpr IrqId kTimerIrq{27};
/// The SGI by which an operating system asks another CPU to reschedule.
inline constexpr IrqId kRescheduleIrq{0};

/// The interrupt by which a hypervisor tells a guest of events: virtual, and the same for every domain here.
inline constexpr IrqId kEventIrq{31};

inline constexpr std::uint8_t kDefaultPriority = 0xa0;

/// What of a shared interrupt's line the controller looks at.
enum class Trigger : std::uint8_t { level, edge };

/// A physical core of the board.
enum class PcpuIndex : std::uint16_t {};

class Gic {
 public:
  /// `forward` is the time from a line or SGI to the core's interrupt input.
  Gic(Simulation& simulation, std::size_t pcpus, std::size_t spis, Duration forward);

  /// Called at assembly: what a core does when its interrupt input goes high.
  void connect(PcpuIndex pcpu, Delegate<void()> input);
  void set_target(IrqId irq, PcpuIndex pcpu);
  PcpuIndex target(IrqId irq) const;
  /// Smaller is more urgent.
  void set_priority(IrqId irq, std::uint8_t priority);

  void set_trigger(IrqId irq, Trigger trigger);
  /// The level of a shared interrupt's line.
  void set_line(IrqId irq, bool high);
  /// Whether a shared interrupt is pending, or on its way to that.
  bool noted(IrqId irq) const;
  /// Whether it is being handled; until that ends it is held back.
  bool active(IrqId irq) const { return source(PcpuIndex{0}, irq).active; }
  /// A per-CPU interrupt becomes pending, after the forwarding time.
  void raise(PcpuIndex pcpu, IrqId irq);

  /// Takes that back, if it is not active yet.
  void withdraw(PcpuIndex pcpu, IrqId irq);

  /// The most urgent pending interrupt of a core, kSpurious if there is none; changes nothing.
  IrqId pending(PcpuIndex pcpu) const;
  /// Whether a shared interrupt is pending at a core that has yet to acknowledge it.
  bool waits(PcpuIndex pcpu, IrqId irq) const;
  /// The most urgent one, and makes it active.
  IrqId acknowledge(PcpuIndex pcpu);
  /// The handler is done: the interrupt may be signalled again.
  void end(PcpuIndex pcpu, IrqId irq);

  Duration forward() const { return forward_; }

 private:
  // One interrupt as one core sees it: an SPI has one of these, an SGI or PPI one per core.
  struct Source {
    explicit Source(Gic& owner, IrqId id, PcpuIndex core)
        : gic(&owner),
          irq(id),
          target(core),
          arrives(owner.simulation_->queue, Delegate<void()>::to<&Source::arrive>(*this)) {}
    void arrive() { gic->arrive(*this); }
    Gic* gic;
    IrqId irq;
    PcpuIndex target;
    std::uint8_t priority = kDefaultPriority;
    Trigger trigger = Trigger::level;
    bool line = false;
    bool pending = false;
    bool active = false;
    Timer arrives;
  };
  static constexpr std::size_t kPrivate = 32;

  Source& source(PcpuIndex pcpu, IrqId irq);
  const Source& source(PcpuIndex pcpu, IrqId irq) const;
  Source* best(PcpuIndex pcpu) const;
  void arrive(Source& source);
  void signal(PcpuIndex pcpu);

  Simulation* simulation_;
  Duration forward_;
  std::vector<std::unique_ptr<Source>> private_;  // by core, then number
  std::vector<std::unique_ptr<Source>> shared_;
  std::vector<std::vector<Source*>> pending_;  // by core, unsorted, never more than a few
  std::vector<Delegate<void()>> inputs_;
};

}  // namespace vecusim
