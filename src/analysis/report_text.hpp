// Results as text for a terminal of 80 columns.
#pragma once

#include <string>

#include "analysis/result.hpp"

namespace vecusim {

/// What `run` prints: latencies with their requirement and stages, load and counters. `colour`: with ANSI escapes;
/// `plots`: a histogram of each latency.
std::string to_text(const Result& result, bool colour, bool plots = false);

}  // namespace vecusim
