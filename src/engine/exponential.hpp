// exponential(x): e^x in plain arithmetic, so that every machine gets the same bits (a C library may not promise that).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace vecusim {

/// 1 / n! of the first terms of the series; what is left of it is below 1e-17 for |x| <= ln(2) / 2.
inline constexpr std::array<double, 14> kInverseFactorials = [] {
  std::array<double, 14> result{1.0};
  for (std::size_t n = 1; n < result.size(); ++n) result[n] = result[n - 1] / static_cast<double>(n);
  return result;
}();

/// Relative error below 1e-15 for |x| < 700. Every piece of code that is executed asks for three of these, so the
/// series is summed as a tree: its branches do not wait for each other.
inline double exponential(double x) {
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2High = 0x1.62e42fefa38p-1;  // the trailing zeros make halves * kLn2High exact
  constexpr double kLn2Low = 0x1.ef35793c7673p-45;
  constexpr double kWhole = 0x1.8p52;  // numbers of this size have no fraction
  const double halves = (x * kLog2E + kWhole) - kWhole;
  const double rest = (x - halves * kLn2High) - halves * kLn2Low;  // |rest| <= ln(2) / 2
  const auto& c = kInverseFactorials;
  const double rest2 = rest * rest;
  const double rest4 = rest2 * rest2;
  const double from2 = (c[2] + c[3] * rest) + (c[4] + c[5] * rest) * rest2;
  const double from6 = (c[6] + c[7] * rest) + (c[8] + c[9] * rest) * rest2;
  const double from10 = (c[10] + c[11] * rest) + (c[12] + c[13] * rest) * rest2;
  const double sum = 1.0 + (rest + rest2 * (from2 + rest4 * (from6 + rest4 * from10)));
  constexpr double kNormal = 1000.0;
  if (halves < -kNormal || halves > kNormal) return std::ldexp(sum, static_cast<int>(halves));
  constexpr std::int64_t kBias = 1023;
  constexpr int kFractionBits = 52;
  return sum * std::bit_cast<double>((static_cast<std::int64_t>(halves) + kBias) << kFractionBits);
}

}  // namespace vecusim
