// SharedCache: a cluster's L2: when each code path last ran, and what has been evicted since, by page colour.
//
// Two things evict: the background of an idle system, a rate of the cost table; and what tasks stream through memory
// while they run. Page colours divide the cache: a stream evicts only lines of its own colours, and a path whose memory
// has other ones does not notice, but has only its share of the cache against the background. Specification of the
// mechanisms, sections 6.1 and 7 (U1, U2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/time.hpp"

namespace vecusim {

/// A code path whose warmth is remembered: an index that the board hands out.
enum class CodePath : std::uint16_t {};

/// Page colours in use: bit n for colour n.
using Colors = std::uint64_t;
inline constexpr Colors kAllColors = ~Colors{0};

/// Before the simulation began nothing was warm.
inline constexpr Time kNeverRan = Time::min();

/// The share of a cache of so many lines that `lines` evictions at random places leave without their old content.
double evicted_share(double lines, double capacity);

class SharedCache {
 public:
  SharedCache(double lines, std::size_t colors, double background_per_s);

  /// At assembly: room for one more code path, cold, in memory of these colours.
  void add_code_path(Colors colors);
  /// The share of a path's lines that are gone since it last ran.
  double gone(CodePath path, Time now) const;
  /// It has run, and is warm.
  void ran(CodePath path, Time until);

  /// All paths are cold again.
  void empty();

  /// A task begins to stream so many lines a second through memory of these colours, or (negative) no longer does.
  void stream(Time now, double lines_per_s, Colors colors);

  double lines() const { return lines_; }

 private:
  struct Path {
    Colors colors;
    std::size_t share;  // colours of this cache that it may use
    Time last = kNeverRan;
    std::vector<double> before;  // streamed lines by colour, as of then; empty: none had been
  };
  double streamed(std::size_t color, Time now) const;
  bool has(Colors colors, std::size_t color) const { return ((colors >> color) & 1) != 0; }
  std::size_t count(Colors colors) const;

  double lines_;
  std::size_t colors_;
  double background_per_s_;
  std::vector<Path> paths_;
  // Of streams, by colour: lines a second, and lines in all as of `since_`. Empty until there is the first one.
  std::vector<double> rate_;
  std::vector<double> total_;
  Time since_{};
};

}  // namespace vecusim
