// What `vecusim sweep` does instead of a grid: --find and --sensitivity.
#pragma once

#include <optional>
#include <string>

#include "app/commands.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// How far a value can go and still meet --meets.
Status run_find(const Session& session);
/// Each cost through its table's range alone.
Status run_sensitivity(const Session& session);

/// Whose latency a short figure is of, if that is clear.
std::optional<std::string> interrupt_of(const Arguments& arguments, const LoadedScenario& loaded);

}  // namespace vecusim
