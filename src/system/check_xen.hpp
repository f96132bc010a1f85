// Rules for scenarios under Xen: cpupools, and lint of each pool's scheduler.
#pragma once

#include <vector>

#include "models/board.hpp"
#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// What Xen refuses, or the simulator: which pools there are and who is in them. Places are empty.
std::vector<Problem> cpupool_problems(const Scenario& scenario, const BoardSpec& board);

/// What Xen takes and that does not do what its author probably expects, in a scenario without such problems.
std::vector<Problem> scheduler_problems(const Scenario& scenario, const BoardSpec& board);

}  // namespace vecusim
