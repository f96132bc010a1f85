// RandomStream: a draw is a function of seed, replication, name of use and index, by Random123's Philox4x32-10.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vecusim {

/// Any 64 bits as a number in the open interval (0, 1): one of the odd multiples of 2^-53.
constexpr double to_uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

/// One named use of randomness. Adding a stream changes no other stream's numbers, and no thread shares one.
/// At most 2^32 draws per stream and replication.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint32_t replication, std::string_view use)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, replication_(replication) {
    const std::uint64_t name = hash(use);
    name_low_ = static_cast<std::uint32_t>(name);
    name_high_ = static_cast<std::uint32_t>(name >> 32);
  }

  /// 64 random bits.
  std::uint64_t bits() {
    assert(index_ < (std::uint64_t{1} << 32));
    // One block of the generator gives two draws.
    if ((index_ & 1) == 0) next_block();
    const std::size_t half = 2 * (index_++ & 1);
    return (static_cast<std::uint64_t>(block_[half + 1]) << 32) | block_[half];
  }

  /// Uniform in the open interval (0, 1).
  double uniform() { return to_uniform(bits()); }

  /// Draws so far.
  std::uint64_t index() const { return index_; }

 private:
  // FNV-1a, 64 bits.
  static constexpr std::uint64_t hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return value;
  }

  void next_block();

  std::array<std::uint32_t, 2> key_;
  std::uint32_t replication_;
  std::uint32_t name_low_;
  std::uint32_t name_high_;
  std::uint64_t index_ = 0;
  std::array<std::uint32_t, 4> block_{};
};

}  // namespace vecusim
