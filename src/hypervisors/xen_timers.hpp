// XenTimers: the software timers of one pCPU behind its one comparator, with Xen's slop.
//
// Setting the earliest timer raises the TIMER softirq, whose handler runs what is due and programs the comparator for
// the next one, but not closer than `timer_slop` (50 us): a timer that is due sooner comes that late. Specification of
// the Xen schedulers, section 0.11.
#pragma once

#include <optional>
#include <vector>

#include "engine/simulation.hpp"

namespace vecusim {

class XenTimers {
 public:
  /// `expired` is the comparator's interrupt; `raise` asks this pCPU for its TIMER softirq.
  XenTimers(Simulation& simulation, Duration slop, Delegate<void()> comparator, Delegate<void()> raise);

  using Id = std::size_t;
  /// At assembly.
  Id add(Delegate<void()> action);
  void set(Id timer, Time due);
  void stop(Id timer);
  Time due(Id timer) const { return timers_[timer].due; }

  /// The timer that take_due() would take.
  std::optional<Id> next_due() const;
  /// The handler's next action: a timer that is due, taken off; null if none is left. Its action is to be called.
  const Delegate<void()>* take_due();
  /// The handler's end.
  void program();

 private:
  struct Entry {
    Delegate<void()> action;
    Time due = kNever;
    std::uint64_t sequence = 0;
  };
  const Entry* earliest() const;

  Simulation* simulation_;
  Duration slop_;
  Timer comparator_;
  Delegate<void()> raise_;
  std::vector<Entry> timers_;
  std::uint64_t sequence_ = 0;
};

}  // namespace vecusim
