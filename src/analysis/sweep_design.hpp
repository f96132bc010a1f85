// Which points a sweep has: dimensions of values, whose combinations are the grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/json_assign.hpp"
#include "system/problem.hpp"

namespace vecusim {

/// Values that change together: each step has one for each pointer.
struct Dimension {
  std::vector<std::string> pointers;
  std::vector<std::vector<json::Choice>> steps;
};

/// One pointer through its values.
Dimension alone(json::Variation variation);

/// Several pointers side by side: the first values of all, then the second ones, … Throws InvalidInput if they have
/// not equally many.
Dimension zipped(std::vector<json::Variation> variations);

/// A place in a document, and between what its value is drawn.
struct Span {
  std::string pointer;
  double lo;
  double hi;
  bool logarithmic;
  /// Both bounds are written as integers: so are the values.
  bool whole;
};

/// `PTR=LO:HI` or `PTR=log:LO:HI`.
std::optional<Span> parse_span(std::string_view text, Problems& problems, std::string_view option = "--vary");

/// The value at a share of the span, from 0 to 1.
json::Choice value_at(const Span& span, double share);

/// A Latin hypercube: `n` points; each span is cut into n equal parts (of its logarithm, if so said), of which each is
/// met once, in an order and at a place within it that follow from `seed`.
/// Source: M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21 (1979) 239.
Dimension latin_hypercube(const std::vector<Span>& spans, std::size_t n, std::uint64_t seed);

}  // namespace vecusim
