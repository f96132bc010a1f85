// The search for the most different runqueue, and for the best exchange with it.
#include "schedulers/credit2_balance.hpp"

#include <algorithm>
#include <cstdlib>

#include "schedulers/credit2_placement.hpp"

namespace vecusim::credit2 {
namespace {

/// The runqueue whose balanced load differs most, and by how much; all loads are brought up to date.
struct Difference {
  RunqueueId runqueue = kNoRunqueue;
  std::int64_t size = 0;
};

Difference find_most_different(const Call& call, RunqueueId here) {
  State& state = call.state;
  const LoadScale& scale = state.parameters.load;
  RunqueueLoad& own = state.runqueues[here].load;
  own.update(scale, call.now());
  Difference most;
  for (RunqueueId q = 0; q < state.runqueues.size(); ++q) {
    if (q == here) continue;
    RunqueueLoad& load = state.runqueues[q].load;
    load.update(scale, call.now());
    const std::int64_t size = std::abs(own.balanced_average - load.balanced_average);
    if (size > most.size) most = {q, size};
  }
  return most;
}

/// The difference from which on balancing is worth while: less of it under full load. What Xen takes for the load of
/// both is that of this runqueue and of the last one, whichever was chosen.
std::int64_t threshold(const State& state, RunqueueId here) {
  const Parameters& parameters = state.parameters;
  const Runqueue& own = state.runqueues[here];
  const Runqueue& last = state.runqueues.back();
  const std::int64_t load = std::max(own.load.balanced_average, last.load.balanced_average);
  const std::size_t pcpus = std::max(own.pcpus.size(), last.pcpus.size());
  const bool underloaded = load < parameters.load.fixed(static_cast<std::int64_t>(pcpus));
  return parameters.load.fixed_power(underloaded ? parameters.balance_under : parameters.balance_over);
}

/// The exchange of units between two runqueues that makes their loads most equal.
class BestExchange {
 public:
  BestExchange(const Call& call, const Runqueue& here, const Runqueue& far, std::int64_t difference)
      : call_(call), here_(here), far_(far), difference_(difference) {
    bool updated = false;
    for (const UnitId push : here.members()) {
      call.update_load(push, 0);
      if (!migratable(call, push, far)) continue;
      for (const UnitId pull : far.members()) {
        if (!updated) call.update_load(pull, 0);
        if (migratable(call, pull, here)) consider(push, pull);
      }
      updated = true;
      consider(push, kIdle);
    }
    for (const UnitId pull : far.members()) {
      if (migratable(call, pull, here)) consider(kIdle, pull);
    }
  }

  /// The unit to go to the far runqueue, and the one to come from there; kIdle: none.
  UnitId push() const { return push_; }
  UnitId pull() const { return pull_; }

 private:
  std::int64_t average(UnitId id) const { return id == kIdle ? 0 : call_.unit(id).load_average; }

  void consider(UnitId push, UnitId pull) {
    const std::int64_t moved = average(push) - average(pull);
    const std::int64_t difference =
        std::abs((here_.load.balanced_average - moved) - (far_.load.balanced_average + moved));
    if (difference >= difference_) return;
    difference_ = difference;
    push_ = push;
    pull_ = pull;
  }

  const Call& call_;
  const Runqueue& here_;
  const Runqueue& far_;
  /// With the best exchange so far.
  std::int64_t difference_;
  UnitId push_ = kIdle;
  UnitId pull_ = kIdle;
};

}  // namespace

void balance(const Call& call, RunqueueId here) {
  State& state = call.state;
  const Difference most = find_most_different(call, here);
  if (most.runqueue == kNoRunqueue || most.size < threshold(state, here)) return;
  const BestExchange best(call, state.runqueues[here], state.runqueues[most.runqueue], most.size);
  if (best.push() != kIdle) move_unit(call, best.push(), most.runqueue);
  if (best.pull() != kIdle) move_unit(call, best.pull(), here);
}

}  // namespace vecusim::credit2
