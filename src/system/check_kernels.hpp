// Rules for what a kernel, or the machine under it, can do for its tasks.
#pragma once

#include <vector>

#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Tasks that ask for what their kernel does not have, and hypercalls without Xen. Places are empty.
std::vector<Problem> kernel_problems(const Scenario& scenario);

}  // namespace vecusim
