// Rules for a scenario's network: who can have which path, and what the device's ports cannot carry.
#pragma once

#include <vector>

#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Places are empty.
std::vector<Problem> network_problems(const Scenario& scenario);

}  // namespace vecusim
