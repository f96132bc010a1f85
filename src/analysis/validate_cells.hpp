// What a validation says of one statistic, as words for the cells of a table, and of all rows, as a line of counts.
#pragma once

#include <optional>
#include <string>

#include "analysis/validate.hpp"

namespace vecusim {

/// Four digits, or a dash where there is nothing to say.
std::string number_cell(const std::optional<double>& value);
std::string interval_cell(const std::optional<Interval>& interval);
/// "inside", "off mark", …
std::string judgement_cell(const JudgedStatistic& judged);
/// The naive prediction, and whether it is worse than the model's.
std::string naive_cell(const JudgedStatistic& judged);

/// "12 passed, 0 failed", and how many rows have no verdict.
std::string counts_line(const Validation& validation);

}  // namespace vecusim
