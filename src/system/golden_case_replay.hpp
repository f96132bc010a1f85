// Runs the workloads of a golden case on the ideal machine and writes the golden trace (golden trace format, sections 2
// and 3).
#pragma once

#include <memory>

#include "system/golden_case.hpp"
#include "system/golden_replay.hpp"

namespace vecusim::golden {

std::unique_ptr<Replay> replay_case(Case golden_case);

}  // namespace vecusim::golden
