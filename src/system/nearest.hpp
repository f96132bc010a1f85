// "Did you mean …?": the known word that a mistyped one is nearest to.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vecusim {

/// The candidate with the fewest typing errors from `word` (letters missing, added, changed or swapped, by
/// Damerau-Levenshtein; upper case counts as lower case); the first of several. Empty if none is near: more than a
/// third of the word, and at least one, is wrong. A word that a candidate completes by a unit (`period` for
/// `period_us`) is near too.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace vecusim
