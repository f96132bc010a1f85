// Simulated time: integer picoseconds as std::chrono, so that units cannot be mixed and nothing is lost in rounding.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>

namespace vecusim {

using namespace std::chrono_literals;

/// The clock of a simulation. It has no now(): time belongs to an EventQueue.
struct SimClock {
  using rep = std::int64_t;
  using period = std::pico;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<SimClock>;
  static constexpr bool is_steady = true;
};

/// A length of time in integer picoseconds; the range is about ±106 days. Integer literals convert (40us + 3ns), a
/// double does not.
using Duration = SimClock::duration;
/// A moment of simulated time; the simulation starts at Time{}.
using Time = SimClock::time_point;

inline constexpr Time kStart{};
inline constexpr Time kNever = Time::max();

/// `value` rounded to the nearest picosecond; `value` is in picoseconds. Beyond the range it is the end of the range.
inline Duration from_ps(double value) {
  if (value >= 0x1p63) return Duration::max();
  if (value < -0x1p63) return Duration::min();
  return Duration{std::llround(value)};
}
inline Duration from_ns(double value) { return from_ps(value * 1e3); }
inline Duration from_us(double value) { return from_ps(value * 1e6); }

/// For reports only: a simulation computes with Duration.
constexpr double to_us(Duration d) { return static_cast<double>(d.count()) * 1e-6; }
constexpr double to_s(Duration d) { return static_cast<double>(d.count()) * 1e-12; }

}  // namespace vecusim
