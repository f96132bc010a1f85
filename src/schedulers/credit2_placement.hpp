// Where units go: the choice of a pCPU, and the move to another runqueue (specification of the Xen schedulers, sections
// 1.15 and 1.17).
#pragma once

#include "schedulers/credit2_state.hpp"

namespace vecusim::credit2 {

/// A pCPU for the unit in the runqueue with the least load. The load of the runqueue `locked` cannot be read.
PcpuId pick_pcpu(State& state, const HookContext& context, UnitId id, RunqueueId locked = kNoRunqueue);

/// Whether the unit may be moved to that runqueue, and is not on its way already.
bool migratable(const Call& call, UnitId id, const Runqueue& to);

/// Moves the unit to another runqueue: at once, or, if it is running, once it has been switched out.
void move_unit(const Call& call, UnitId id, RunqueueId to);

}  // namespace vecusim::credit2
