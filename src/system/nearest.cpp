// Edit distance with swaps, and what counts as near.
#include "system/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vecusim {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Damerau-Levenshtein distance in its restricted form: no part is edited twice (G. Navarro, "A guided tour to
/// approximate string matching", ACM Computing Surveys 33(1), 2001, section 2).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

bool completes(std::string_view candidate, std::string_view word) {
  return word.size() >= 3 && candidate.size() > word.size() && candidate.starts_with(word) &&
         candidate[word.size()] == '_';
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::string best;
  std::size_t fewest = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t shorter = std::min(word.size(), candidate.size());
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (completes(candidate, word) && fewest > limit) {
      best = candidate;
      fewest = limit;
    }
    // The difference of the lengths is a bound, which spares the work for a word of a megabyte.
    if (longer - shorter > limit) continue;
    const std::size_t errors = distance(word, candidate);
    if (errors < fewest && errors < shorter) {
      best = candidate;
      fewest = errors;
    }
  }
  return best;
}

}  // namespace vecusim
