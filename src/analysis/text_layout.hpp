// What text reports are made of: numbers of four digits, padding that counts characters, bars, and colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/time.hpp"

namespace vecusim {

/// Rounded to four significant digits, with at most three decimals and never an exponent: "0.012", "182.4", "1054000".
std::string four_digits(double value);
/// The same, in µs.
std::string four_digits(Duration value);

/// As short as reads back as the same number: "99.9".
std::string plain(double value);

/// Blanks up to `width` characters (not bytes), before or behind the text.
std::string flush_right(std::string_view text, std::size_t width);
std::string flush_left(std::string_view text, std::size_t width);

/// The text on lines of at most `width` characters, broken at blanks; all lines but the first begin with `indent`
/// blanks. The first is taken to begin at column `column`. Without a line end. A longer word stands on a line of its
/// own.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t column = 0);

/// A bar of `share` (0 … 1) of `width` characters, in eighths of a character; as short as it is, without blanks.
std::string bar(double share, std::size_t width);

/// ANSI escapes around a text, or none.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string heading(std::string_view text) const { return with("1", text); }
  std::string good(std::string_view text) const { return with("32", text); }
  std::string bad(std::string_view text) const { return with("1;31", text); }
  std::string faint(std::string_view text) const { return with("2", text); }

 private:
  std::string with(std::string_view code, std::string_view text) const;

  bool on_;
};

}  // namespace vecusim
