// Lines, fields and numbers, read strictly.
#include "analysis/bench_data_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <istream>

#include "system/utf8.hpp"

namespace vecusim {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// ±digits · 10^exponent.
struct Scientific {
  bool negative = false;
  std::string digits;
  int exponent = 0;
};

/// Takes the digits at the front of `text` away.
std::string_view take_digits(std::string_view& text) {
  const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

/// JSON's form of a number, leading zeros allowed; empty for any other text, and for an exponent of more than 3 digits.
std::optional<Scientific> parse_scientific(std::string_view text) {
  Scientific result;
  if (!text.empty() && text.front() == '-') {
    result.negative = true;
    text.remove_prefix(1);
  }
  const std::string_view whole = take_digits(text);
  if (whole.empty()) return std::nullopt;
  result.digits = whole;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    const std::string_view fraction = take_digits(text);
    if (fraction.empty()) return std::nullopt;
    result.digits += fraction;
    result.exponent = -static_cast<int>(fraction.size());
  }
  if (text.empty()) return result;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{} || end != text.data() + text.size() || std::abs(exponent) > 999) return std::nullopt;
  result.exponent += exponent;
  return result;
}

SignedWide power_of_ten(int exponent) {
  SignedWide result = 1;
  for (int i = 0; i < exponent; ++i) result *= 10;
  return result;
}

}  // namespace

bool LineReader::next(std::string& line) {
  line.clear();
  std::streambuf& bytes = *in_->rdbuf();
  constexpr int kEnd = std::char_traits<char>::eof();
  int byte = bytes.sbumpc();
  if (byte == kEnd) return false;
  for (; byte != kEnd && byte != '\n'; byte = bytes.sbumpc()) {
    if (line.size() <= kMostBytes) line += static_cast<char>(byte);
  }
  if (++number_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

bool LineReader::at_end() { return in_->rdbuf()->sgetc() == std::char_traits<char>::eof(); }

void split_fields(std::string_view line, std::vector<TextField>& fields) {
  fields.clear();
  std::uint32_t column = 1;
  while (true) {
    const std::size_t comma = line.find(',');
    const std::string_view whole = line.substr(0, comma);
    const auto first = std::find_if_not(whole.begin(), whole.end(), is_blank);
    const auto last = std::find_if_not(whole.rbegin(), std::make_reverse_iterator(first), is_blank).base();
    const auto blanks = static_cast<std::uint32_t>(first - whole.begin());
    fields.push_back({whole.substr(blanks, static_cast<std::size_t>(last - first)), column + blanks});
    if (comma == std::string_view::npos) return;
    column += static_cast<std::uint32_t>(utf8_characters(whole)) + 1;
    line.remove_prefix(comma + 1);
  }
}

std::optional<Quantity> parse_quantity(std::string_view text, int digits_per_unit) {
  std::optional<Scientific> number = parse_scientific(text);
  if (!number) return std::nullopt;
  int exponent = number->exponent + digits_per_unit;
  std::string& digits = number->digits;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  const int magnitude = static_cast<int>(digits.size()) + exponent;
  if (!digits.empty() && magnitude > 30) return std::nullopt;

  bool round_up = false;
  const SignedWide step = power_of_ten(std::clamp(exponent, 0, 30));
  if (exponent < 0) {
    const int kept = std::max(magnitude, 0);
    round_up = magnitude >= 0 && !digits.empty() && digits[static_cast<std::size_t>(kept)] >= '5';
    digits.resize(static_cast<std::size_t>(std::min(kept, static_cast<int>(digits.size()))));
    exponent = 0;
  }
  SignedWide value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  value = (value + (round_up ? 1 : 0)) * power_of_ten(digits.empty() ? 0 : exponent);
  return Quantity{number->negative ? -value : value, step};
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace vecusim
