// Ranges and units of fields in words: what the reader's messages, the schema and the reference page say of a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/fields.hpp"

namespace vecusim::json {

/// The power of ten of picoseconds that the suffix of `key` (_ps, _ns, _us, _ms, _s) stands for. A duration's key
/// without such a suffix is an error of the program.
int unit_power(std::string_view key);

/// Exactly, in the unit of that power: 1500 ps are "1.5" for the power 3.
std::string in_unit(Duration value, int power);

/// The ends of a range as JSON numbers; empty where it is open.
struct Bounds {
  std::string lo;
  std::string hi;
  std::string also;
  bool whole;
};

Bounds bounds(const Range<std::int64_t>& range);
Bounds bounds(const Range<double>& range);
Bounds bounds(const Range<Duration>& range, int power);

/// `0 or an integer in [100, 500000]`.
std::string in_words(const Bounds& bounds);
/// The same for several: `integers in [0, 3]`.
std::string in_words_each(const Bounds& bounds);

template <class T>
bool contains(const Range<T>& range, T value) {
  return (value >= range.lo && value <= range.hi) || (range.also && value == *range.also);
}

}  // namespace vecusim::json
