// Rules of buses and of the frames that interrupts come with.
#pragma once

#include <vector>

#include "system/scenario.hpp"

namespace vecusim {

std::vector<Problem> frame_problems(const Scenario& scenario);

}  // namespace vecusim
