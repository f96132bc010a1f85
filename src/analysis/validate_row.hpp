// The verdict on one row: feasible or not, inside or not, and whether a perturbed model would have been noticed.
#pragma once

#include "analysis/validate.hpp"
#include "analysis/validate_measurement.hpp"

namespace vecusim {

/// Every statistic that the row judges must be in `measurement` (`ks_distance`: there must be samples).
JudgedRow judge_row(const CaseRow& row, const Measurement& measurement, const Simulator& simulator,
                    const ValidationOptions& options);

}  // namespace vecusim
