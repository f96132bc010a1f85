// What a policy asks of its caller: an ordered list of requests, and from a scheduling pass also the decision.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "schedulers/types.hpp"

namespace vecusim {

/// Make this pCPU pass through its scheduler (in Xen: raise its SCHEDULE softirq). A flag: asking twice is asking once.
struct Tickle {
  PcpuId pcpu;
};
/// Call Policy::timer(timer) at this moment since boot; a moment that has passed means now. Arming an armed timer moves
/// it, and puts it behind everything armed before for the same moment.
struct Arm {
  TimerId timer;
  HvTime at;
};
struct Cancel {
  TimerId timer;
};
/// From now on the unit counts as not runnable, until Unpark. Its runstate stays what it is (Credit2's cap).
struct Park {
  UnitId unit;
};
struct Unpark {
  UnitId unit;
};
/// As Park, and a unit in runstate runnable goes offline (Credit's cap, which pauses the vCPU).
struct Pause {
  UnitId unit;
};
/// Takes a Pause back; if the unit is now runnable and its runstate is blocked or offline, that becomes runnable.
struct Unpause {
  UnitId unit;
};
/// Mark the unit as being migrated: it counts as not runnable until it has been switched out, right after which the
/// caller calls pick(), clears the mark, calls migrate() with what was picked and, if the unit is runnable, wake().
/// Only for a unit that is running (also while it is being switched out), or that this very pass chooses.
struct Migrate {
  UnitId unit;
};

using Request = std::variant<Tickle, Arm, Cancel, Park, Unpark, Pause, Unpause, Migrate>;

/// Requests in the order in which the caller must carry them out, all of them before it calls the next hook. None of
/// them makes the caller call a hook in turn (Migrate does so later): what a policy must do about a unit that it parks
/// or releases it does itself. One object is used again and again; it allocates in reserve() only.
class Verdict {
 public:
  /// To be called whenever a pCPU or unit was added. The bound: a hook tickles each pCPU at most a few times, and
  /// parks, releases or migrates each unit at most twice.
  void reserve(std::size_t pcpus, std::size_t units) { requests_.reserve(16 + 4 * pcpus + 4 * units); }
  void clear() { requests_.clear(); }

  void tickle(PcpuId pcpu) { add(Tickle{pcpu}); }
  void arm(TimerId timer, HvTime at) { add(Arm{timer, at}); }
  void cancel(TimerId timer) { add(Cancel{timer}); }
  void park(UnitId unit) { add(Park{unit}); }
  void unpark(UnitId unit) { add(Unpark{unit}); }
  void pause(UnitId unit) { add(Pause{unit}); }
  void unpause(UnitId unit) { add(Unpause{unit}); }
  void migrate(UnitId unit) { add(Migrate{unit}); }

  std::span<const Request> requests() const { return requests_; }

 private:
  void add(const Request& request) {
    assert(requests_.size() < requests_.capacity());
    requests_.push_back(request);
  }

  std::vector<Request> requests_;
};

inline constexpr HvTime kNoSlice{-1};

/// Who runs on the pCPU that asked, and for how long.
struct Decision {
  UnitId unit = kIdle;
  /// From the `now` of the pass; at its end the caller makes the pCPU pass through the scheduler again. kNoSlice: no
  /// end.
  HvTime slice = kNoSlice;
  /// The unit was assigned to another pCPU before.
  bool migrated = false;
};

}  // namespace vecusim
