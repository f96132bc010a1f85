// Decimal numbers as they are written in JSON, read and printed without going through binary fractions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vecusim::json {

/// ±digits · 10^exponent; no leading or trailing zeros, so zero has no digits at all.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;

  bool is_whole() const { return exponent >= 0; }
};

/// `number` must be a JSON number.
Decimal parse_decimal(std::string_view number);

/// |decimal| · 10^shift, rounded to the nearest integer (halves up); empty if that does not fit.
std::optional<std::uint64_t> scaled_magnitude(const Decimal& decimal, int shift);

/// decimal · 10^shift, rounded to the nearest integer (halves away from zero); empty if that does not fit.
std::optional<std::int64_t> scaled(const Decimal& decimal, int shift);

/// mantissa · 10^exponent, exact and as short as it can be without an exponent: (1500, -3) is "1.5", (2000, -3) is "2".
std::string print_decimal(std::int64_t mantissa, int exponent);

}  // namespace vecusim::json
