// What data would tell of the parameters before there are any: for plans and for what a calibration cannot know.
#pragma once

#include <optional>
#include <vector>

#include "analysis/calibrate_fit.hpp"

namespace vecusim {

/// What further rows would tell at `point`: the information of their figures, row by row.
std::vector<double> information_at(const SummaryModel& model, const std::vector<double>& point);

/// σ of each parameter from information and priors; infinite where there is neither.
std::vector<double> sigmas_of(const std::vector<double>& information,
                              const std::vector<std::optional<UnitPrior>>& priors);

}  // namespace vecusim
