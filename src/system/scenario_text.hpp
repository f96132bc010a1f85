// A scenario that is given as a text, not by the name of a file or preset.
#pragma once

#include <string_view>

#include "system/scenario.hpp"

namespace vecusim {

/// Reads a scenario or result document from `text`, known as `name` in problems and among the inputs; files that it
/// names are looked for where the program runs. Throws InvalidInput with every problem found.
LoadedScenario load_scenario_text(std::string_view text, std::string_view name, const Settings& settings = {});

}  // namespace vecusim
