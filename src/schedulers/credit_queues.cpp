// The order of the queues, tickling and stealing.
#include "schedulers/credit_queues.hpp"

#include <algorithm>
#include <utility>

namespace vecusim::credit {
namespace {

/// From Xen 4.18 on, a pCPU balances at most once in this time.
constexpr HvTime kBalancePeriod = 1ms;

}  // namespace

Queues::Queues(State& state, const MachineDescription& machine) : state_(state), behaviour_(machine.behaviour) {
  memories_.resize(machine.pcpus.size());
  for (std::size_t p = 0; p < machine.pcpus.size(); ++p) {
    const auto node = static_cast<std::size_t>(machine.pcpus[p].node);
    if (nodes_.size() <= node) nodes_.resize(node + 1);
    nodes_[node].pcpus.insert(static_cast<PcpuId>(p));
    memories_[p].node = node;
  }
}

void Queues::enqueue(UnitId unit) {
  std::vector<UnitId>& queue = state_.queue_of(unit);
  const Rank rank = state_.rank(unit);
  auto before = std::find_if(queue.begin(), queue.end(), [&](UnitId other) { return state_.rank(other) < rank; });
  if (state_[unit].yielding && before != queue.end()) ++before;
  queue.insert(before, unit);
}

bool Queues::dequeue(UnitId unit) { return std::erase(state_.queue_of(unit), unit) != 0; }

void Queues::wake(const HookContext& context, UnitId id, Verdict& verdict) {
  Unit& unit = state_[id];
  const std::vector<UnitId>& queue = state_.queue_of(id);
  if (context.machine.current_of(unit.pcpu) == id) return;
  if (std::find(queue.begin(), queue.end(), id) != queue.end()) return;
  const bool placed = std::exchange(unit.placed, false);
  if (!placed && !unit.parked && unit.rank == Rank::under) unit.rank = Rank::boost;
  enqueue(id);
  tickle_for(context, id, verdict);
}

void Queues::sleep(const HookContext& context, UnitId unit, Verdict& verdict) {
  if (context.machine.current_of(state_[unit].pcpu) == unit) {
    verdict.tickle(state_[unit].pcpu);
  } else {
    dequeue(unit);
  }
}

void Queues::sort(PcpuId pcpu) {
  if (!std::exchange(state_.pcpus[index(pcpu)].unsorted, false)) return;
  std::vector<UnitId>& queue = state_.pcpus[index(pcpu)].queue;
  auto end_of_front = queue.begin();
  for (auto unit = queue.begin(); unit != queue.end(); ++unit) {
    if (state_.rank(*unit) == Rank::over) continue;
    std::rotate(end_of_front, unit, unit + 1);
    ++end_of_front;
  }
}

// ---- Tickling ----

void Queues::tickle_for(const HookContext& context, UnitId id, Verdict& verdict) {
  const PcpuId home = state_[id].pcpu;
  const UnitState& unit = context.machine[id];
  const UnitId current = context.machine.current_of(home);
  const bool better = state_.rank(id) > state_.rank(current);
  const bool pinned_to_idle = unit.hard.size() == 1 && state_.idlers.contains(home);
  if (pinned_to_idle || current == kIdle || (state_.idlers.empty() && better)) return tickle(home, verdict);
  if (state_.idlers.empty()) return;
  for (const PcpuMask step : BalanceSteps(unit, state_.pool)) {
    const PcpuMask candidates = step & state_.idlers;
    if (candidates.empty()) continue;
    PcpuId& last = memories_[index(context.pcpu)].tickled;
    last = candidates.cycle(last);
    return tickle(last, verdict);
  }
  if (better) tickle(home, verdict);
}

void Queues::tickle(PcpuId pcpu, Verdict& verdict) {
  state_.idlers.erase(pcpu);
  verdict.tickle(pcpu);
}

// ---- Taking ----

Queues::Taken Queues::take(const HookContext& context) {
  std::vector<UnitId>& queue = state_.pcpus[index(context.pcpu)].queue;
  for (;;) {
    const UnitId first = queue.empty() ? kIdle : queue.front();
    const Rank own = state_.rank(first);
    const UnitId stolen = own > Rank::over ? kIdle : steal(context, own);
    const UnitId next = stolen != kIdle ? stolen : first;
    if (next == kIdle) return {};
    if (stolen == kIdle) queue.erase(queue.begin());
    if (runnable(context, state_, next)) return {next, stolen != kIdle};
  }
}

/// A unit of a better class than `own` from another pCPU, now assigned to this one; those that prefer this pCPU first.
UnitId Queues::steal(const HookContext& context, Rank own) {
  Memory& memory = memories_[index(context.pcpu)];
  if (behaviour_.credit_limits_balancing) {
    if (context.now < memory.may_balance) return kIdle;
    memory.may_balance = context.now + kBalancePeriod;
  }
  for (const bool soft : {true, false}) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      Node& node = nodes_[(memory.node + n) % nodes_.size()];
      PcpuMask peers = (state_.pool & node.pcpus) - state_.idlers;
      peers.erase(context.pcpu);
      for (PcpuId peer = peers.cycle(node.bias); peer != kNoPcpu; peer = peers.cycle(peer)) {
        peers.erase(peer);
        const UnitId found = stealable(context, peer, own, soft);
        if (found == kIdle) continue;
        dequeue(found);
        state_[found].pcpu = context.pcpu;
        node.bias = peer;
        return found;
      }
    }
  }
  return kIdle;
}

UnitId Queues::stealable(const HookContext& context, PcpuId peer, Rank own, bool soft) const {
  if (context.machine.current_of(peer) == kIdle) return kIdle;
  for (const UnitId id : state_.pcpus[index(peer)].queue) {
    if (state_.rank(id) <= own) break;
    const UnitState& unit = context.machine[id];
    if (unit.running || (soft && !has_soft_affinity(unit, state_.pool))) continue;
    if (behaviour_.credit_keeps_yield && state_[id].yielding) continue;
    const PcpuMask allowed = soft ? unit.soft & unit.hard : unit.hard;
    if (allowed.contains(context.pcpu)) return id;
  }
  return kIdle;
}

}  // namespace vecusim::credit
