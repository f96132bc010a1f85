// The text of bench data: lines of a stream, their fields, and decimal numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/time.hpp"
#include "system/place.hpp"

namespace vecusim {

/// Gives a stream line by line without ever holding more than one; a byte-order mark and the line ends are left out.
class LineReader {
 public:
  /// A line of bench data has no reason to be longer.
  static constexpr std::size_t kMostBytes = 4096;

  explicit LineReader(std::istream& in) : in_(&in) {}

  /// Whether there was a line; `line` is it, cut off at kMostBytes + 1 bytes.
  bool next(std::string& line);
  /// Of the line given last, from 1.
  std::uint32_t number() const { return number_; }
  /// Whether the line given last is the last one.
  bool at_end();

 private:
  std::istream* in_;
  std::uint32_t number_ = 0;
};

/// A field of a line, without the blanks around it.
struct TextField {
  std::string_view text;
  /// In characters from 1.
  std::uint32_t column;
};

/// Splits at commas; an empty line is one empty field. Overwrites `fields`.
void split_fields(std::string_view line, std::vector<TextField>& fields);

__extension__ typedef __int128 SignedWide;  // NOLINT(modernize-use-using): `__extension__` needs the old form

/// A decimal number of some unit of time as picoseconds, and the last digit's worth (at least 1 ps).
struct Quantity {
  SignedWide ps;
  SignedWide step_ps;
};

/// `digits_per_unit`: 12 for seconds, 6 for microseconds, … Digits below a picosecond round (halves away from zero).
/// Empty if `text` is no decimal number of JSON's form, or beyond 10^30 ps.
std::optional<Quantity> parse_quantity(std::string_view text, int digits_per_unit);

/// Whole and not negative; empty if it is not, or does not fit.
std::optional<std::int64_t> parse_count(std::string_view text);

}  // namespace vecusim
