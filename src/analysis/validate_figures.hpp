// Figures of a case: predicted numbers and ratios against measured ones, and where in the box of what is not known they
// agree.
#pragma once

#include <vector>

#include "analysis/case.hpp"
#include "analysis/experiment.hpp"
#include "analysis/validate.hpp"

namespace vecusim {

/// Judges the figures of a case, each from all replications of its scenarios (or as many as the options say). Throws
/// InvalidInput if a scenario or number is not there, or a condition has no values.
std::vector<JudgedRow> judge_figures(const LoadedCase& loaded, const RunOptions& options);

}  // namespace vecusim
