// The pass of Credit2: who runs, for how long, and what a switched-out unit does next (specification of the Xen
// schedulers, sections 1.10 to 1.14).
#pragma once

#include "schedulers/credit2_state.hpp"

namespace vecusim::credit2 {

/// For call.context.pcpu, on which `previous` (or kIdle) is loaded.
Decision make_pass(const Call& call, UnitId previous);

void finish_switch(const Call& call, UnitId previous);

}  // namespace vecusim::credit2
