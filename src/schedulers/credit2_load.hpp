// Exponential load averages in fixed point (specification of the Xen schedulers, section 1.6).
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedulers/types.hpp"

namespace vecusim::credit2 {

/// How loads are averaged: over a window of 2^window load times (1024 ns each), with 2^precision for a load of one
/// unit.
struct LoadScale {
  static constexpr int kTimeShift = 10;

  int window = 30 - kTimeShift;
  int precision = 18;

  static std::int64_t time(HvTime now) { return now.count() >> kTimeShift; }

  std::int64_t fixed(std::int64_t load) const { return load << precision; }
  /// 2^exponent of a load.
  std::int64_t fixed_power(int exponent) const { return std::int64_t{1} << (precision + exponent); }

  /// `average`, last brought up to date at load time `since`, at load time `now`, when the load was `load` meanwhile.
  /// Both terms are truncated.
  std::int64_t follow(std::int64_t average, std::int64_t load, std::int64_t since, std::int64_t now) const {
    if (since + (std::int64_t{1} << window) < now) return fixed(load);
    const std::int64_t elapsed = std::max<std::int64_t>(now - since, 0);
    return average + ((elapsed * fixed(load)) >> window) - ((elapsed * average) >> window);
  }
};

/// The load of a runqueue: its runnable, running and just being parked units.
struct RunqueueLoad {
  std::int64_t count = 0;
  std::int64_t average = 0;
  /// As `average`, but a unit that is assigned brings its own average along, and takes it away again.
  std::int64_t balanced_average = 0;
  std::int64_t time = 0;

  void update(const LoadScale& scale, HvTime now, int change = 0) {
    const std::int64_t now_time = LoadScale::time(now);
    average = scale.follow(average, count, time, now_time);
    balanced_average = scale.follow(balanced_average, count, time, now_time);
    count += change;
    time = now_time;
  }
};

}  // namespace vecusim::credit2
