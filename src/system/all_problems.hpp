// Everything that can be said against a scenario without running it.
#pragma once

#include <functional>

#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Of the scenario that `load` gives: its errors, its warnings, and the costs that its models lack.
Problems all_problems(const std::function<LoadedScenario()>& load);

}  // namespace vecusim
