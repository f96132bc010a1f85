// Plain data as bytes and back: little-endian, without names or padding; whoever stores them says what they are.
#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/wide.hpp"

namespace vecusim {

/// Bytes that are not what they are said to be.
class DamagedBytes : public std::runtime_error {
 public:
  DamagedBytes() : std::runtime_error("damaged data") {}
};

/// One description serves both directions: `template <class Bytes> void transfer(Bytes& bytes)` hands every member to
/// `bytes(member)`, and a ByteWriter appends it, a ByteReader fills it in.
class ByteWriter {
 public:
  template <std::integral T>
  void operator()(const T& value) {
    put(static_cast<std::uint64_t>(value));
  }
  void operator()(const Wide& value) {
    put(static_cast<std::uint64_t>(value));
    put(static_cast<std::uint64_t>(value >> 64U));
  }
  void operator()(const double& value) { put(std::bit_cast<std::uint64_t>(value)); }
  void operator()(const Duration& value) { put(static_cast<std::uint64_t>(value.count())); }
  void operator()(const std::string& value) {
    put(value.size());
    text_ += value;
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    put(values.size());
    for (T& value : values) (*this)(value);
  }
  template <class T, std::size_t N>
  void operator()(std::array<T, N>& values) {
    for (T& value : values) (*this)(value);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    put(value ? 1 : 0);
    if (value) (*this)(*value);
  }
  template <class T>
  requires requires(T& value, ByteWriter& bytes) { value.transfer(bytes); }
  void operator()(T& value) { value.transfer(*this); }

  static constexpr bool reads = false;
  const std::string& text() const { return text_; }

 private:
  // Small numbers are frequent: seven bits in a byte, the eighth says that more follow.
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) text_ += static_cast<char>(0x80U | (value & 0x7fU));
    text_ += static_cast<char>(value);
  }

  std::string text_;
};

/// Throws DamagedBytes. The text must outlive it.
class ByteReader {
 public:
  explicit ByteReader(std::string_view text) : rest_(text) {}

  template <std::integral T>
  void operator()(T& value) {
    value = static_cast<T>(get());
  }
  void operator()(Wide& value) {
    const Wide low = get();
    value = low | static_cast<Wide>(get()) << 64U;
  }
  void operator()(double& value) { value = std::bit_cast<double>(get()); }
  void operator()(Duration& value) { value = Duration{static_cast<Duration::rep>(get())}; }
  void operator()(std::string& value) {
    const std::size_t size = count();
    value = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    values.clear();
    for (std::size_t left = count(); left > 0; --left) (*this)(values.emplace_back());
  }
  template <class T, std::size_t N>
  void operator()(std::array<T, N>& values) {
    for (T& value : values) (*this)(value);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    value.reset();
    if (get() != 0) (*this)(value.emplace());
  }
  template <class T>
  requires requires(T& value, ByteReader& bytes) { value.transfer(bytes); }
  void operator()(T& value) { value.transfer(*this); }

  static constexpr bool reads = true;
  /// Everything must have been taken.
  void finish() const {
    if (!rest_.empty()) throw DamagedBytes();
  }

 private:
  std::uint64_t get() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) throw DamagedBytes();
      const auto byte = static_cast<std::uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    throw DamagedBytes();
  }
  // Each of so many things takes a byte at least.
  std::size_t count() {
    const std::uint64_t value = get();
    if (value > rest_.size()) throw DamagedBytes();
    return static_cast<std::size_t>(value);
  }

  std::string_view rest_;
};

}  // namespace vecusim
