// Numbers and pieces.
#include "analysis/text_stream.hpp"

#include <array>
#include <charconv>

namespace vecusim {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;
constexpr std::int64_t kPsPerUs = 1'000'000;

template <class Number>
std::string_view print(std::array<char, 24>& text, Number number) {
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), static_cast<std::size_t>(end - text.data())};
}

}  // namespace

TextStream& TextStream::operator<<(std::string_view text) {
  block_ += text;
  if (block_.size() >= kBlock) flush();
  return *this;
}

TextStream& TextStream::operator<<(std::uint64_t number) {
  std::array<char, 24> text{};
  return *this << print(text, number);
}

TextStream& TextStream::operator<<(std::int64_t number) {
  std::array<char, 24> text{};
  return *this << print(text, number);
}

TextStream& TextStream::us(std::int64_t ps) {
  if (ps < 0) {
    *this << '-';
    ps = -ps;
  }
  *this << ps / kPsPerUs;
  std::int64_t fraction = ps % kPsPerUs;
  if (fraction == 0) return *this;
  std::array<char, 24> text{};
  std::string_view digits = print(text, kPsPerUs + fraction).substr(1);
  while (digits.back() == '0') digits.remove_suffix(1);
  return *this << '.' << digits;
}

TextStream& TextStream::field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return *this << text;
  *this << '"';
  for (const char letter : text) {
    if (letter == '"') *this << '"';
    *this << letter;
  }
  return *this << '"';
}

void TextStream::flush() {
  write_(block_);
  block_.clear();
}

}  // namespace vecusim
