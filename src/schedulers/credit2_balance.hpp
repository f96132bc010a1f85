// Balancing the load between runqueues (specification of the Xen schedulers, section 1.16).
#pragma once

#include "schedulers/credit2_state.hpp"

namespace vecusim::credit2 {

/// Moves a unit to the runqueue whose load differs most from this one's, or from it, or swaps two, if that helps.
void balance(const Call& call, RunqueueId here);

}  // namespace vecusim::credit2
