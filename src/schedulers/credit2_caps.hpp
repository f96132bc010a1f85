// Caps: domains with a budget of CPU time per period, shared out to their units (specification of the Xen schedulers,
// section 1.18).
#pragma once

#include <vector>

#include "schedulers/credit2_state.hpp"

namespace vecusim::credit2 {

/// Gets a capped unit budget from its domain if it has none left. If there is none to be had the unit is parked, out of
/// its queue, and the answer is false.
bool take_budget(const Call& call, UnitId id);

/// A switched-out unit gives back what it has left; whether parked units are to be released then.
bool return_budget(const Call& call, UnitId id);

/// Lets all parked units of the domain go on, the last parked first.
void release_parked(const Call& call, Domain& domain);

/// The domain's timer: a new budget for a new period.
void replenish(const Call& call, Domain& domain);

/// Percent of one pCPU; 0 removes the cap.
void set_cap(const Call& call, Domain& domain, std::int32_t cap_pct);

}  // namespace vecusim::credit2
