// What makes two sweeps one: program, scenario, inputs and varied pointers; and what makes two points one.
#pragma once

#include <map>
#include <string>

#include "analysis/sweep.hpp"

namespace vecusim {

/// By name: `schema`, `program`, `scenario` (with all defaults, without what is varied and the number of replications),
/// `inputs` and `varied`, as text.
std::map<std::string, std::string> identity_of(const Sweep& sweep, const RunOptions& options);

/// Throws InvalidInput with everything in which what was found in `file` differs from what is wanted.
void check_identity(const std::string& file, const std::map<std::string, std::string>& wanted,
                    const std::map<std::string, std::string>& found);

/// The point's values by their pointers, as JSON; numbers of one value are one text.
std::string key_of(const SweepPoint& point);

}  // namespace vecusim
