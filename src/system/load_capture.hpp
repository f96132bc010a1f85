// Captured frames in a file of their own become part of the scenario whose flow names it.
#pragma once

#include <filesystem>
#include <string_view>

#include "system/scenario.hpp"

namespace vecusim {

/// Reads the file of each flow {"arrivals": "recorded", "file": …}, a capture (pcap or pcapng) of Ethernet frames,
/// relative to `beside`, into its `times_us` and `sizes_bytes`, unless those are there already as in a result's
/// scenario. Only times and lengths are read, no content.
void merge_captures(json::Node& document, const std::filesystem::path& beside, LoadedScenario& loaded);

/// Whether it points to the name of such a file, or to something that has one in it.
bool names_capture(std::string_view pointer);
/// Whether it points to one of the times or lengths.
bool within_capture(std::string_view pointer);
/// What `pointer` names is another file from now on: what was read of the last one no longer holds.
void forget_capture(json::Node& document, std::string_view pointer);

}  // namespace vecusim
