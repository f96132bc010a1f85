// What `vecusim sweep` does instead of a grid: --find and --sensitivity.
#pragma once

#include "app/commands.hpp"

namespace vecusim {

/// How far a value can go and still meet --meets.
Status run_find(const Session& session);
/// Each cost through its table's range alone.
Status run_sensitivity(const Session& session);

}  // namespace vecusim
