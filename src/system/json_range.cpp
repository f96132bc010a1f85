// Wording of ranges.
#include "system/json_range.hpp"

#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include "system/json_decimal.hpp"
#include "system/json_node.hpp"

namespace vecusim::json {
namespace {

std::string interval(const Bounds& bounds) {
  if (bounds.lo.empty() && bounds.hi.empty()) return {};
  if (bounds.hi.empty()) return " of at least " + bounds.lo;
  if (bounds.lo.empty()) return " of at most " + bounds.hi;
  return " in [" + bounds.lo + ", " + bounds.hi + "]";
}

}  // namespace

int unit_power(std::string_view key) {
  constexpr std::array<std::pair<std::string_view, int>, 5> kUnits{
      {{"_ps", 0}, {"_ns", 3}, {"_us", 6}, {"_ms", 9}, {"_s", 12}}};
  for (const auto& [suffix, power] : kUnits) {
    if (key.ends_with(suffix)) return power;
  }
  assert(false && "the key of a duration must end in its unit");
  return 0;
}

std::string in_unit(Duration value, int power) { return print_decimal(value.count(), -power); }

Bounds bounds(const Range<std::int64_t>& range) {
  using Limits = std::numeric_limits<std::int64_t>;
  Bounds result{{}, {}, {}, true};
  if (range.lo != Limits::min()) result.lo = std::to_string(range.lo);
  if (range.hi != Limits::max()) result.hi = std::to_string(range.hi);
  if (range.also) result.also = std::to_string(*range.also);
  return result;
}

Bounds bounds(const Range<double>& range) {
  using Limits = std::numeric_limits<double>;
  Bounds result{{}, {}, {}, range.whole};
  if (range.lo > Limits::lowest()) result.lo = Node::floating(range.lo).text;
  if (range.hi < Limits::max()) result.hi = Node::floating(range.hi).text;
  if (range.also) result.also = Node::floating(*range.also).text;
  return result;
}

Bounds bounds(const Range<Duration>& range, int power) {
  Bounds result{{}, {}, {}, range.whole};
  if (range.lo != Duration::min()) result.lo = in_unit(range.lo, power);
  if (range.hi != Duration::max()) result.hi = in_unit(range.hi, power);
  if (range.also) result.also = in_unit(*range.also, power);
  return result;
}

std::string in_words(const Bounds& bounds) {
  const std::string number = (bounds.whole ? "an integer" : "a number") + interval(bounds);
  return bounds.also.empty() ? number : bounds.also + " or " + number;
}

std::string in_words_each(const Bounds& bounds) { return (bounds.whole ? "integers" : "numbers") + interval(bounds); }

}  // namespace vecusim::json
