// Numbers and widths as text.
#include "analysis/text_layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "system/utf8.hpp"

namespace vecusim {
namespace {

template <class... Format>
std::string printed(double value, Format... format) {
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format...).ptr;
  return {text.data(), end};
}

std::string blanks(std::string_view text, std::size_t width) {
  const std::size_t taken = utf8_characters(text);
  return std::string(taken < width ? width - taken : 0, ' ');
}

}  // namespace

// Rounding first: 9.9996 has its decimals counted as 10.
std::string four_digits(double value) {
  if (!std::isfinite(value)) return "–";
  const std::string scientific = printed(value, std::chars_format::scientific, 3);
  double rounded = 0.0;
  std::from_chars(scientific.data(), scientific.data() + scientific.size(), rounded);
  if (std::abs(rounded) < 0.0005) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(rounded))));
  return printed(rounded, std::chars_format::fixed, std::clamp(3 - magnitude, 0, 3));
}

std::string four_digits(Duration value) { return four_digits(to_us(value)); }

std::string plain(double value) { return printed(value); }

std::string flush_right(std::string_view text, std::size_t width) { return blanks(text, width) + std::string(text); }
std::string flush_left(std::string_view text, std::size_t width) { return std::string(text) + blanks(text, width); }

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t column) {
  std::string result;
  bool line_empty = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t taken = utf8_characters(word);
    if (!line_empty && column + 1 + taken > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
      line_empty = true;
    }
    if (!line_empty) result += ' ';
    column += taken + (line_empty ? 0 : 1);
    result += word;
    line_empty = false;
  }
  return result;
}

std::string bar(double share, std::size_t width) {
  constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double clamped = std::clamp(share, 0.0, 1.0);
  const auto eighths = static_cast<std::size_t>(std::lround(clamped * 8.0 * static_cast<double>(width)));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + std::string(kEighths[eighths % 8]);
}

std::string Paint::with(std::string_view code, std::string_view text) const {
  if (!on_) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace vecusim
