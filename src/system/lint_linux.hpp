// What users of a real-time Linux trip over.
#pragma once

#include <vector>

#include "system/scenario.hpp"

namespace vecusim {

std::vector<Problem> lint_linux(const Scenario& scenario);

}  // namespace vecusim
