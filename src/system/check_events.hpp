// Rules for event channels: who sends to whom.
#pragma once

#include <vector>

#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Ends of channels that lead nowhere. Places are empty.
std::vector<Problem> event_problems(const Scenario& scenario);

}  // namespace vecusim
