// TextStream: text on its way to a file, handed on in large pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace vecusim {

class TextStream {
 public:
  using Write = std::function<void(std::string_view)>;

  explicit TextStream(Write write) : write_(std::move(write)) {}
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;

  TextStream& operator<<(std::string_view text);
  TextStream& operator<<(char letter) { return *this << std::string_view(&letter, 1); }
  TextStream& operator<<(std::uint64_t number);
  TextStream& operator<<(std::int64_t number);
  TextStream& operator<<(std::uint32_t number) { return *this << std::uint64_t{number}; }
  /// A time in µs, exact: 1500000 ps is "1.5".
  TextStream& us(std::int64_t ps);
  /// A field of comma-separated text, quoted where that is needed.
  TextStream& field(std::string_view text);
  /// Hands on what is left; at the end.
  void flush();

 private:
  Write write_;
  std::string block_;
};

}  // namespace vecusim
