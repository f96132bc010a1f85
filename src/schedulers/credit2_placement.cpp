// Choosing a runqueue and a pCPU in it, and moving units there.
#include "schedulers/credit2_placement.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "schedulers/credit2_tickle.hpp"

namespace vecusim::credit2 {
namespace {

/// The least loaded of some runqueues, the first one on equality.
struct Least {
  RunqueueId runqueue = kNoRunqueue;
  std::int64_t load = std::numeric_limits<std::int64_t>::max();

  void consider(RunqueueId candidate, std::int64_t its_load) {
    if (its_load < load) *this = {candidate, its_load};
  }
};

/// If no load can be read: its own pCPU, or the first of the runqueue of that, or the first at all.
PcpuId pick_nearby(const State& state, const UnitState& shown, PcpuId home) {
  for (const PcpuMask step : BalanceSteps(shown, state.pool)) {
    const PcpuMask allowed = step & state.pool;
    if (allowed.contains(home)) return home;
    const PcpuMask near = allowed & state.runqueue(home).pcpus;
    if (!near.empty()) return near.first();
  }
  return (shown.hard & state.pool).first();
}

}  // namespace

PcpuId pick_pcpu(State& state, const HookContext& context, UnitId id, RunqueueId locked) {
  Unit& unit = state.unit(id);
  const UnitState& shown = context.machine[id];
  const PcpuMask allowed = shown.hard & state.pool;
  if (std::exchange(unit.migrate_request, false)) {
    Runqueue& target = state.runqueues[unit.migrate_target];
    if (allowed.intersects(target.pcpus)) return target.advance_bias(allowed & target.pcpus);
  }

  const bool has_soft = has_soft_affinity(shown, state.pool);
  Least least;
  Least least_soft;
  for (RunqueueId q = 0; q < state.runqueues.size(); ++q) {
    const Runqueue& runqueue = state.runqueues[q];
    if (q == locked || !allowed.intersects(runqueue.pcpus)) continue;
    std::int64_t load = runqueue.load.balanced_average;
    if (q == unit.runqueue) load = std::max<std::int64_t>(load - unit.load_average, 0);
    least.consider(q, load);
    if (has_soft && (allowed & shown.soft).intersects(runqueue.pcpus)) least_soft.consider(q, load);
  }
  if (least.runqueue == kNoRunqueue) return pick_nearby(state, shown, unit.pcpu);

  const PcpuMask candidates = least_soft.runqueue != kNoRunqueue
                                  ? allowed & shown.soft & state.runqueues[least_soft.runqueue].pcpus
                                  : allowed & state.runqueues[least.runqueue].pcpus;
  // Xen moves the bias of the least loaded runqueue of all even if another one was chosen for its soft affinity.
  return state.runqueues[least.runqueue].advance_bias(candidates);
}

bool migratable(const Call& call, UnitId id, const Runqueue& to) {
  return !call.unit(id).migrate_request && (call.shown(id).hard & call.state.pool).intersects(to.pcpus);
}

void move_unit(const Call& call, UnitId id, RunqueueId to) {
  Unit& unit = call.unit(id);
  if (unit.scheduled) {
    unit.migrate_target = to;
    unit.migrate_request = true;
    call.verdict.migrate(id);
    call.tickle(unit.pcpu);
    return;
  }
  State& state = call.state;
  const LoadScale& scale = state.parameters.load;
  const bool queued = unit.queued;
  if (queued) {
    Runqueue& from = call.runqueue(id);
    from.dequeue(state.units, id);
    from.load.update(scale, call.now(), -1);
  }
  state.deassign(id);
  Runqueue& target = state.runqueues[to];
  unit.pcpu = target.advance_bias(call.shown(id).hard & state.pool & target.pcpus);
  state.assign(id, to);
  if (queued) {
    target.load.update(scale, call.now(), +1);
    target.enqueue(state.units, id);
    tickle_for(call, id);
  }
}

}  // namespace vecusim::credit2
