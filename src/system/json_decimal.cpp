// Arithmetic on the digits of a decimal number.
#include "system/json_decimal.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace vecusim::json {
namespace {

/// An exponent that no double has, and far from overflow when digits are counted onto it.
constexpr std::int64_t kHugeExponent = 1'000'000'000;

std::int64_t parse_exponent(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error == std::errc::result_out_of_range) exponent = text.front() == '-' ? -kHugeExponent : kHugeExponent;
  return std::clamp(exponent, -kHugeExponent, kHugeExponent);
}

}  // namespace

Decimal parse_decimal(std::string_view number) {
  Decimal result;
  if (!number.empty() && number.front() == '-') {
    result.negative = true;
    number.remove_prefix(1);
  }
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  if (mark < number.size()) result.exponent = parse_exponent(number.substr(mark + 1));
  const std::string_view mantissa = number.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  result.digits = mantissa.substr(0, point);
  if (point < mantissa.size()) {
    const std::string_view fraction = mantissa.substr(point + 1);
    result.digits += fraction;
    result.exponent -= static_cast<std::int64_t>(fraction.size());
  }
  while (!result.digits.empty() && result.digits.back() == '0') {
    result.digits.pop_back();
    ++result.exponent;
  }
  result.digits.erase(0, std::min(result.digits.find_first_not_of('0'), result.digits.size()));
  if (result.digits.empty()) result = Decimal{};
  return result;
}

std::optional<std::uint64_t> scaled_magnitude(const Decimal& decimal, int shift) {
  constexpr std::int64_t kMostDigits = std::numeric_limits<std::uint64_t>::digits10 + 1;
  if (decimal.digits.empty()) return 0;
  const auto size = static_cast<std::int64_t>(decimal.digits.size());
  const std::int64_t whole_digits = size + decimal.exponent + shift;
  if (whole_digits > kMostDigits) return std::nullopt;
  if (whole_digits < 0) return 0;
  const auto digit = [&](std::int64_t i) {
    return i < size ? static_cast<std::uint64_t>(decimal.digits[static_cast<std::size_t>(i)] - '0') : 0U;
  };
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t result = 0;
  for (std::int64_t i = 0; i < whole_digits; ++i) {
    if (result > (kMax - digit(i)) / 10) return std::nullopt;
    result = result * 10 + digit(i);
  }
  if (digit(whole_digits) < 5) return result;
  if (result == kMax) return std::nullopt;
  return result + 1;
}

std::optional<std::int64_t> scaled(const Decimal& decimal, int shift) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::optional<std::uint64_t> magnitude = scaled_magnitude(decimal, shift);
  if (!magnitude || *magnitude > kMax + (decimal.negative ? 1 : 0)) return std::nullopt;
  // Two's complement: the negation of an unsigned number is its bit pattern.
  return static_cast<std::int64_t>(decimal.negative ? 0 - *magnitude : *magnitude);
}

std::string print_decimal(std::int64_t mantissa, int exponent) {
  if (mantissa == 0) return "0";
  std::string digits = std::to_string(mantissa);
  const std::string sign = mantissa < 0 ? "-" : "";
  digits.erase(0, sign.size());
  if (exponent >= 0) return sign + digits.append(static_cast<std::size_t>(exponent), '0');
  const auto places = static_cast<std::size_t>(-exponent);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, 1, '.');
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return sign + digits;
}

}  // namespace vecusim::json
