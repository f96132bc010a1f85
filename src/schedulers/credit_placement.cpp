// The walk over idle pCPUs: away from busy cores and sockets.
#include "schedulers/credit_placement.hpp"

namespace vecusim::credit {

Placement::Placement(const State& state, const MachineDescription& machine) : state_(state) {
  const auto last = static_cast<PcpuId>(machine.pcpus.size() - 1);
  for (const PcpuPlace& pcpu : machine.pcpus) {
    PcpuMask socket;
    for (std::size_t other = 0; other < machine.pcpus.size(); ++other) {
      if (machine.pcpus[other].socket == pcpu.socket) socket.insert(static_cast<PcpuId>(other));
    }
    places_.push_back({pcpu.socket, pcpu.siblings, socket, last});
  }
}

PcpuId Placement::choose(const HookContext& context, UnitId unit) {
  const Choice choice = search(context, unit);
  if (choice.remembered_by != kNoPcpu) places_[index(choice.remembered_by)].bias = choice.pcpu;
  return choice.pcpu;
}

PcpuId Placement::try_out(const HookContext& context, UnitId unit) const { return search(context, unit).pcpu; }

Placement::Choice Placement::search(const HookContext& context, UnitId unit) const {
  const PcpuId home = state_[unit].pcpu;
  Choice choice;
  for (const PcpuMask step : BalanceSteps(context.machine[unit], state_.pool)) {
    const PcpuMask allowed = step & state_.pool;
    if (allowed.empty()) continue;
    choice.pcpu = allowed.test_or_cycle(home);
    PcpuMask idle = state_.idlers;
    if (choice.pcpu == home && state_.pcpus[index(home)].queue.empty()) idle.insert(home);
    const PcpuMask candidates = allowed & idle;
    if (!candidates.empty()) choice.pcpu = candidates.test_or_cycle(choice.pcpu);
    walk(choice, candidates, idle);
    if (idle.contains(choice.pcpu)) break;
  }
  return choice;
}

/// Goes to another of the candidates while its core, or else its socket, has more idle pCPUs than that of the present
/// choice; a socket must have more than twice as many.
void Placement::walk(Choice& choice, PcpuMask rest, PcpuMask idle) const {
  rest.erase(choice.pcpu);
  while (!rest.empty()) {
    const PcpuId next = rest.cycle(choice.pcpu);
    const Place& here = places_[index(choice.pcpu)];
    const Place& there = places_[index(next)];
    const bool same_socket = here.socket == there.socket;
    const PcpuMask idle_here = idle & (same_socket ? here.in_core : here.in_socket);
    const PcpuMask idle_there = idle & (same_socket ? there.in_core : there.in_socket);
    const std::size_t factor = same_socket ? 1 : 2;
    if (idle_here.size() * factor < idle_there.size()) {
      choice.pcpu = (idle_there & rest).cycle(there.bias);
      choice.remembered_by = next;
      rest = rest - places_[index(choice.pcpu)].in_core;
    } else {
      rest = rest - idle_there;
    }
  }
}

}  // namespace vecusim::credit
