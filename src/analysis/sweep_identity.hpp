// What makes two sweeps one: program, scenario, inputs and varied pointers; and what makes two points one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/sweep.hpp"

namespace vecusim {

/// The form of a store's tables and states. In 1 states had no network figures and no figures of single replications.
inline constexpr std::string_view kStoreSchema = "vecusim/store/2";

/// Throws InvalidInput if the facts that were found in `file` are of a store in another form.
void check_schema(const std::string& file, const std::map<std::string, std::string>& found);

/// By name: `schema`, `program`, `scenario` (with all defaults, without what is varied and the number of replications),
/// `inputs` and `varied`, as text.
std::map<std::string, std::string> identity_of(const Sweep& sweep, const RunOptions& options);

/// Throws InvalidInput with everything in which what was found in `file` differs from what is wanted.
void check_identity(const std::string& file, const std::map<std::string, std::string>& wanted,
                    const std::map<std::string, std::string>& found);

/// The point's values by their pointers, as JSON; numbers of one value are one text.
std::string key_of(const SweepPoint& point);

/// Whether the point has these values at these pointers.
bool has_values(const SweepPoint& point, const std::vector<std::pair<std::string, json::Node>>& values);

}  // namespace vecusim
