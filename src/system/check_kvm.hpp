// Which domains there may be under KVM, what may be said of them, and what their threads do to the host.
#pragma once

#include <vector>

#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Under other hypervisors: that nothing is said that only KVM knows. Places are empty.
std::vector<Problem> kvm_problems(const Scenario& scenario, const BoardSpec& board);

}  // namespace vecusim
