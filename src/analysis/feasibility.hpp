// Feasibility: whether the figures printed for n samples can belong to one set of n samples at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/time.hpp"

namespace vecusim {

/// A figure as it was printed; the true value is within half a step of it.
struct Figure {
  Duration value{};
  Duration step{};

  friend bool operator==(const Figure&, const Figure&) = default;
};

/// What a table says of n samples; what it does not print is empty.
struct PrintedRow {
  std::int64_t n = 0;
  std::optional<Figure> min = {};
  std::optional<Figure> mean = {};
  std::optional<Figure> max = {};
};

/// Which figures contradict each other.
enum class Contradiction : std::uint8_t {
  none,
  order,         ///< not min <= mean <= max, or not all the same for one sample
  mean_too_low,  ///< n - 1 samples of at least min and one of max have a larger mean
  mean_too_high  ///< n - 1 samples of at most max and one of min have a smaller mean
};

/// How the figures can be judged nevertheless.
enum class Reading : std::uint8_t {
  printed,    ///< as they stand
  max_apart,  ///< max is not among the samples of min and mean, as when the answer to a lost edge is counted as late
  min_apart,  ///< min is not among the samples of mean and max
  none        ///< no figure can be left out to repair it
};

struct Feasibility {
  Contradiction contradiction = Contradiction::none;
  Reading reading = Reading::printed;
  /// The smallest number of samples that the figures could belong to, with the kindest rounding and with none; empty if
  /// there is none.
  std::optional<std::int64_t> smallest_n = {};
  std::optional<std::int64_t> smallest_n_unrounded = {};

  bool feasible() const { return contradiction == Contradiction::none; }
};

/// For n >= 1 samples: min <= mean <= max and ((n-1) min + max)/n <= mean <= (min + (n-1) max)/n, each figure anywhere
/// within its print rounding. Figures that are not printed contradict nothing. Exact, in integers.
Feasibility feasibility(const PrintedRow& row);

/// In one sentence for people: which figures contradict, from which n on they would not, and under which reading they
/// can be judged. Empty if they do not contradict.
std::string explain(const Feasibility& feasibility, const PrintedRow& row);

}  // namespace vecusim
