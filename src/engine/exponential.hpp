// exponential(x): e^x in plain arithmetic, so that every machine gets the same bits (a C library may not promise that).
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace vecusim {

/// 1 / n! of the first terms of the series; what is left of it is below 1e-17 for |x| <= ln(2) / 2.
inline constexpr std::array<double, 14> kInverseFactorials = [] {
  std::array<double, 14> result{1.0};
  for (std::size_t n = 1; n < result.size(); ++n) result[n] = result[n - 1] / static_cast<double>(n);
  return result;
}();

/// Relative error below 1e-15 for |x| < 700.
inline double exponential(double x) {
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2High = 0x1.62e42fefa38p-1;  // the trailing zeros make halves * kLn2High exact
  constexpr double kLn2Low = 0x1.ef35793c7673p-45;
  const double halves = std::round(x * kLog2E);
  const double rest = (x - halves * kLn2High) - halves * kLn2Low;  // |rest| <= ln(2) / 2
  double sum = 0.0;
  for (std::size_t n = kInverseFactorials.size(); n-- > 0;) sum = sum * rest + kInverseFactorials[n];
  return std::ldexp(sum, static_cast<int>(halves));
}

}  // namespace vecusim
