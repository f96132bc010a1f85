// Words: one line of a vector script, taken apart word by word; what is wrong is reported with its line.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "schedulers/types.hpp"
#include "system/golden_text.hpp"

namespace vecusim::golden {

/// The words of one line of a script, taken one after the other.
class Words {
 public:
  Words(std::string_view line, std::string_view file, std::size_t number) : rest_(line), file_(file), number_(number) {}

  bool empty() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
    return rest_.empty();
  }

  std::string_view word(std::string_view expected) {
    if (empty()) refuse(expected, "the end of the line");
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\r"));
    rest_.remove_prefix(word.size());
    return word;
  }

  template <class T>
  T number(std::string_view expected, T lo, T hi, int base = 10) {
    const std::string_view text = word(expected);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size() || value < lo || value > hi) refuse(expected, text);
    return value;
  }

  PcpuMask mask() {
    return PcpuMask::from_bits(number<std::uint64_t>("a mask in hexadecimal", 0, ~std::uint64_t{0}, 16));
  }

  void end() {
    if (!empty()) refuse("the end of the line", rest_);
  }

  [[noreturn]] void refuse(std::string_view expected, std::string_view found) const {
    fail(std::string(file_), number_, std::string(expected), '"' + std::string(found) + '"');
  }

 private:
  std::string_view rest_;
  std::string_view file_;
  std::size_t number_;
};

}  // namespace vecusim::golden
