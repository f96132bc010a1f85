// Recorded times in a file of their own become part of the scenario that names it.
#pragma once

#include <filesystem>
#include <string_view>

#include "system/scenario.hpp"

namespace vecusim {

/// Reads the file of each stimulus {"model": "recorded", "file": …}, relative to `beside`, into its `times_us`, unless
/// those are there already as in a result's scenario. Everything wrong in it is a problem with its own file and line.
void merge_times(json::Node& document, const std::filesystem::path& beside, LoadedScenario& loaded);

/// Whether it points to the name of such a file, or to something that has one in it.
bool names_times(std::string_view pointer);
/// Whether it points to one of the times.
bool within_times(std::string_view pointer);
/// What `pointer` names is another file from now on: what was read of the last one no longer holds.
void forget_times(json::Node& document, std::string_view pointer);

}  // namespace vecusim
