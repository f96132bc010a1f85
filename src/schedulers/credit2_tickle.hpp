// Which pCPU is made to pass for a unit that was queued (specification of the Xen schedulers, section 1.8).
#pragma once

#include "schedulers/credit2_state.hpp"

namespace vecusim::credit2 {

/// Tickles an idle pCPU for the unit, or the one whose unit it beats by most; nobody if there is none.
void tickle_for(const Call& call, UnitId id);

}  // namespace vecusim::credit2
