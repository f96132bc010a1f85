// Hypotheses side by side, as text for people.
#pragma once

#include <string>

#include "analysis/hypotheses.hpp"
#include "analysis/text_layout.hpp"

namespace vecusim {

/// For a terminal of 80 columns.
std::string to_text(const HypothesisComparison& comparison, const Paint& paint);

}  // namespace vecusim
