// exponential(x): e^x in plain arithmetic, so that every machine gets the same bits (a C library may not promise that).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace vecusim {

/// 2^(i / 64) for i from 0 to 63, each by the exponential's series.
inline constexpr std::size_t kPowerSteps = 64;
inline constexpr std::array<double, kPowerSteps> kPowers = [] {
  constexpr double kLn2 = 0.6931471805599453;
  std::array<double, kPowerSteps> result{};
  for (std::size_t i = 0; i < kPowerSteps; ++i) {
    const double x = kLn2 * static_cast<double>(i) / static_cast<double>(kPowerSteps);
    double sum = 1.0;
    for (int n = 20; n > 0; --n) sum = 1.0 + sum * x / n;
    result[i] = sum;
  }
  return result;
}();

/// Relative error below 1e-15 for |x| < 700. Every piece of code that is executed asks for up to three of these, so it
/// is a power of 2 from a table times what little is left, of which a short series is enough.
inline double exponential(double x) {
  constexpr auto kSteps = static_cast<double>(kPowerSteps);
  constexpr double kStepsPerUnit = kSteps * 1.4426950408889634;
  constexpr double kStepHigh = 0x1.62e42fefap-7;  // ln(2) / 64; the trailing zeros make steps * kStepHigh exact
  constexpr double kStepLow = 0x1.cf79abc9e3b3ap-46;
  constexpr double kWhole = 0x1.8p52;  // numbers of this size have no fraction
  const double steps = (x * kStepsPerUnit + kWhole) - kWhole;
  const double rest = (x - steps * kStepHigh) - steps * kStepLow;  // |rest| <= ln(2) / 128
  const double rest2 = rest * rest;
  const double more = rest + rest2 * ((1.0 / 2 + rest * (1.0 / 6)) + rest2 * (1.0 / 24 + rest * (1.0 / 120)));
  constexpr double kNormal = 1020.0 * kSteps;
  if (!(std::fabs(steps) < kNormal)) return x > 0 ? HUGE_VAL : 0.0;
  const auto whole = static_cast<std::int64_t>(steps);
  const double power = kPowers[static_cast<std::size_t>(whole) % kPowerSteps];
  constexpr std::int64_t kBias = 1023;
  constexpr int kFractionBits = 52;
  constexpr int kPowerBits = std::bit_width(kPowerSteps - 1);
  return (power + power * more) * std::bit_cast<double>(((whole >> kPowerBits) + kBias) << kFractionBits);
}

}  // namespace vecusim
