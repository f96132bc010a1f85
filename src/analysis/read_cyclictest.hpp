// Reads what cyclictest prints, as text or with --json, and OSADL's latency plots, which are its histograms alone.
#pragma once

#include <string>
#include <string_view>

#include "analysis/reading.hpp"

namespace vecusim {

/// Histograms (-h, -H, also without a summary as OSADL publishes them), status lines, and single values (-v). Latencies
/// are whole µs, cut off; that -N made them ns cannot be seen. The column of sums that -H adds is checked and left
/// out. Cycle numbers of overflows are facts.
LatencyReading read_cyclictest(std::string_view text, const std::string& name);

/// The document of --json. The host's name in it is not kept.
LatencyReading read_cyclictest_json(std::string_view text, const std::string& name);

}  // namespace vecusim
