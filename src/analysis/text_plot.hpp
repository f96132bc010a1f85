// Pictures of characters for a terminal: a histogram of bars, and a curve on one line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/histogram.hpp"

namespace vecusim {

/// `  174.7 … 182.9  ███████▌ 45`: the samples of ascending bins, in rows as wide as each other; what is far beyond
/// nearly all of them shares the last one. Nothing without samples.
std::string histogram_plot(const std::vector<Bin>& bins, std::size_t width);

/// `▁▂▅█`: a character for each value, as high as its place between `lo` and `hi`; a blank where there is none. More
/// values than `width` are joined to means of neighbours.
std::string sparkline(const std::vector<std::optional<double>>& values, double lo, double hi, std::size_t width);

}  // namespace vecusim
