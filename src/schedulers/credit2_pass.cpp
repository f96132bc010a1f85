// The candidate, the reset of credits, the slice, and the return of a switched-out unit to the queue.
#include "schedulers/credit2_pass.hpp"

#include <algorithm>
#include <utility>

#include "schedulers/credit2_balance.hpp"
#include "schedulers/credit2_caps.hpp"
#include "schedulers/credit2_tickle.hpp"

namespace vecusim::credit2 {
namespace {

bool protected_by_ratelimit(const Call& call, UnitId running) {
  const HvTime ratelimit = call.state.parameters.ratelimit;
  return call.runnable(running) && call.now() - call.shown(running).entry_time < ratelimit;
}

/// Whether a pCPU that the unit would rather be on is idle, while it is here for its hard affinity only.
bool could_move_to_soft(const Call& call, UnitId id) {
  const UnitState& shown = call.shown(id);
  if (!has_soft_affinity(shown, call.state.pool)) return false;
  const PcpuMask liked = shown.soft & shown.hard;
  const Runqueue& runqueue = call.state.runqueue(call.context.pcpu);
  return !liked.contains(call.context.pcpu) && liked.intersects(runqueue.idle_untickled());
}

/// Whether a waiting unit may be taken to this pCPU in place of one that has `credit`.
bool may_come_here(const Call& call, UnitId id, Credit credit) {
  const PcpuId here = call.context.pcpu;
  const Unit& unit = call.unit(id);
  if (!call.shown(id).hard.contains(here)) return false;
  const bool for_another = unit.tickled_pcpu != kNoPcpu && unit.tickled_pcpu != here;
  if (for_another && call.state.runqueue(unit.tickled_pcpu).tickled.contains(unit.tickled_pcpu)) return false;
  return unit.pcpu == here || credit + call.state.parameters.migrate_resist <= unit.credit;
}

/// The first waiting unit that may run here and has more credit than `kept`, which is the answer if there is none.
UnitId scan_queue(const Call& call, UnitId kept, bool yields) {
  const XenBehaviour& behaviour = call.state.machine.behaviour;
  const Credit credit = call.state.credit_of(kept);
  const std::vector<UnitId>& queue = call.state.runqueue(call.context.pcpu).queue();
  std::size_t at = 0;
  while (at < queue.size()) {
    const UnitId id = queue[at];
    if (!yields && call.unit(id).credit <= credit) break;
    const bool runnable = call.runnable(id);
    if ((!runnable && behaviour.credit2_skips_unrunnable) || !may_come_here(call, id, credit)) {
      ++at;
      continue;
    }
    if (!runnable) break;
    if (take_budget(call, id)) return id;
    if (!behaviour.credit2_skips_unaffordable) break;  // else the next one, which has moved up
  }
  return kept;
}

UnitId choose(const Call& call, UnitId previous) {
  if (previous == kIdle) return scan_queue(call, kIdle, false);
  const bool yields = std::exchange(call.unit(previous).yielded, false);
  if (!yields && protected_by_ratelimit(call, previous)) return previous;
  const bool keeps = call.runnable(previous) && !could_move_to_soft(call, previous);
  return scan_queue(call, keeps ? previous : kIdle, yields);
}

/// New credit for all units of the runqueue, those that block included.
void reset_credits(const Call& call, const Runqueue& runqueue, UnitId next) {
  const Credit amount = call.unit(next).credit == kLeastCredit ? 2 * kInitialCredit : kInitialCredit;
  for (const UnitId id : runqueue.members()) {
    Unit& unit = call.unit(id);
    if (call.is_current(id)) {
      call.burn(id);
      if (unit.budget <= HvTime{0}) call.tickle(unit.pcpu);
    }
    unit.credit = std::min(unit.credit + amount, kMostCredit);
    unit.start_time = call.now();
  }
}

/// The credit that must be left to the next one in turn; not above 0: there is none.
Credit credit_in_turn(const Call& call, const Runqueue& runqueue, UnitId previous) {
  Credit credit = runqueue.queue().empty() ? 0 : call.unit(runqueue.queue().front()).credit;
  const bool minds_previous = call.state.machine.behaviour.credit2_slice_minds_preempted;
  if (minds_previous && previous != kIdle && call.unit(previous).delayed_add) {
    credit = std::max(credit, call.unit(previous).credit);
  }
  return credit;
}

HvTime slice_of(const Call& call, const Runqueue& runqueue, UnitId previous, UnitId next) {
  const Unit& unit = call.unit(next);
  const HvTime ratelimit = call.state.parameters.ratelimit;
  HvTime shortest = kMinSlice;
  if (ratelimit != HvTime{0}) {
    const bool goes_on = call.shown(next).running;
    shortest = std::max(shortest, goes_on ? call.shown(next).entry_time + ratelimit - call.now() : ratelimit);
  }
  const Credit ahead = unit.credit - std::max<Credit>(credit_in_turn(call, runqueue, previous), 0);
  HvTime slice = ahead > 0 ? unit.time_for(ahead, runqueue.max_weight) : HvTime{0};
  if (unit.capped()) slice = std::min(slice, unit.budget);
  return slice < shortest ? shortest : std::min(slice, kMaxSlice);  // the shortest may be longer than the longest
}

/// Puts the chosen unit on this pCPU; whether it comes from another one.
bool take_pcpu(const Call& call, Runqueue& runqueue, UnitId previous, UnitId next) {
  State& state = call.state;
  const PcpuId here = call.context.pcpu;
  Unit& unit = call.unit(next);
  if (next != previous) {
    runqueue.dequeue(state.units, next);
    unit.scheduled = true;
  } else if (state.machine.behaviour.credit2_updates_kept_unit) {
    call.update_loads(next, 0);
  }
  runqueue.leave_idle(here, state.siblings(here));
  Credit top = unit.credit;
  if (!runqueue.queue().empty()) top = std::max(top, call.unit(runqueue.queue().front()).credit);
  if (top <= 0) {
    reset_credits(call, runqueue, next);
    balance(call, state.runqueue_of[index(here)]);
  }
  unit.start_time = call.now();
  unit.tickled_pcpu = kNoPcpu;
  if (unit.pcpu == here) return false;
  unit.credit += kMigrationCompensation;
  unit.pcpu = here;
  return true;
}

}  // namespace

Decision make_pass(const Call& call, UnitId previous) {
  const PcpuId here = call.context.pcpu;
  const PcpuMask siblings = call.state.siblings(here);
  Runqueue& runqueue = call.state.runqueue(here);
  runqueue.answer_tickle(here, siblings);
  if (previous != kIdle) {
    call.burn(previous);
    take_budget(call, previous);
  }
  const UnitId next = choose(call, previous);
  if (next != previous && previous != kIdle && call.runnable(previous)) call.unit(previous).delayed_add = true;
  if (next == kIdle) {
    runqueue.enter_idle(here, siblings);
    runqueue.load.update(call.state.parameters.load, call.now());
    return {};
  }
  const bool migrated = take_pcpu(call, runqueue, previous, next);
  return {next, slice_of(call, runqueue, previous, next), migrated};
}

void finish_switch(const Call& call, UnitId previous) {
  Unit& unit = call.unit(previous);
  unit.scheduled = false;
  const bool releases = return_budget(call, previous);
  if (std::exchange(unit.delayed_add, false) && call.runnable(previous)) {
    call.runqueue(previous).enqueue(call.state.units, previous);
    tickle_for(call, previous);
  } else {
    call.update_loads(previous, -1);
  }
  if (releases) release_parked(call, call.state.domain(unit.domain));
}

}  // namespace vecusim::credit2
