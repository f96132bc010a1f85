// The search for a pCPU for a unit that was queued.
#include "schedulers/credit2_tickle.hpp"

namespace vecusim::credit2 {
namespace {

/// A running unit may be replaced this much before its rate limit is over, as far as tickling is concerned.
constexpr HvTime kTolerance = 50us;

/// An idle pCPU that nobody was sent to, on an idle core if there is one; or kNoPcpu.
PcpuId find_idle(const Call& call, UnitId id) {
  const Runqueue& runqueue = call.runqueue(id);
  const PcpuId home = call.unit(id).pcpu;
  const PcpuMask idle = runqueue.idle_untickled();
  if (call.shown(id).hard.size() == 1 && idle.contains(home)) return home;
  for (const PcpuMask step : BalanceSteps(call.shown(id), call.state.pool)) {
    for (const PcpuMask candidates : {runqueue.idle_cores & step, idle & step}) {
      if (!candidates.empty()) return candidates.test_or_cycle(home);
    }
  }
  return kNoPcpu;
}

bool preemptable(const Call& call, UnitId running) {
  const HvTime ratelimit = call.state.parameters.ratelimit;
  return ratelimit <= kTolerance || call.now() - call.shown(running).entry_time > ratelimit - kTolerance;
}

/// How much the unit deserves this busy pCPU more than the one that runs there; not above 0: it does not.
Credit score(const Call& call, UnitId id, PcpuId pcpu) {
  const UnitId running = call.context.machine.current_of(pcpu);
  if (running == kIdle || !preemptable(call, running)) return -1;
  call.burn(running);
  Credit score = call.unit(id).credit - call.unit(running).credit;
  if (call.unit(id).pcpu != pcpu) score -= call.state.parameters.migrate_resist;
  if (score > 0) {
    if (call.shown(id).soft.contains(pcpu)) score += kInitialCredit;
    if (!call.shown(running).soft.contains(pcpu)) score += kInitialCredit;
  }
  return score;
}

/// The busy pCPU of the best score, its own at once if it likes to be there; or kNoPcpu.
PcpuId find_victim(const Call& call, UnitId id) {
  const Runqueue& runqueue = call.runqueue(id);
  const PcpuId home = call.unit(id).pcpu;
  PcpuMask candidates = (runqueue.pcpus - runqueue.idle - runqueue.tickled) & call.shown(id).hard;
  PcpuId found = kNoPcpu;
  Credit best = 0;
  const auto examine = [&](PcpuId pcpu) {
    const Credit scored = score(call, id, pcpu);
    if (scored <= best) return;
    best = scored;
    found = pcpu;
  };
  if (candidates.contains(home)) {
    candidates.erase(home);
    examine(home);
    if (found == home && call.shown(id).soft.contains(home)) return home;
  }
  for (const PcpuId pcpu : candidates) examine(pcpu);
  return found;
}

}  // namespace

void tickle_for(const Call& call, UnitId id) {
  PcpuId target = find_idle(call, id);
  if (target == kNoPcpu) target = find_victim(call, id);
  if (target == kNoPcpu) return;  // nothing is armed either: it waits for a pass of somebody else's reason
  call.tickle(target);
  call.unit(id).tickled_pcpu = target;
}

}  // namespace vecusim::credit2
