// Figures of a case: predicted numbers and ratios against measured ones, and where in the box of what is not known they
// agree.
#pragma once

#include <vector>

#include "analysis/case.hpp"
#include "analysis/trials.hpp"
#include "analysis/validate.hpp"

namespace vecusim {

/// Judges the figures of a case. Throws InvalidInput if a scenario or number is not there.
std::vector<JudgedRow> judge_figures(const LoadedCase& loaded, const Parallel& parallel);

}  // namespace vecusim
