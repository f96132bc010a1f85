// Results as text for a terminal of 80 columns.
#pragma once

#include <string>

#include "analysis/result.hpp"

namespace vecusim {

/// What `run` prints: latencies with their requirement and stages, load and counters. `colour`: with ANSI escapes.
std::string to_text(const Result& result, bool colour);

}  // namespace vecusim
