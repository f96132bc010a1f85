// Lint of consoles: what is printed where, and what that costs whom.
#pragma once

#include <vector>

#include "system/scenario.hpp"

namespace vecusim {

/// All findings, each with its pointer and an empty place.
std::vector<Problem> lint_console(const Scenario& scenario);

}  // namespace vecusim
