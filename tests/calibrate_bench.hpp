// A bench for calibrations that needs no simulator: a path of cycles and lines with jitter, whose truth is known.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/calibrate.hpp"
#include "engine/random.hpp"

namespace vecusim::test {

/// What is measured and what is simulated share no randomness.
inline constexpr std::uint64_t kModelSeed = 1;
inline constexpr std::uint64_t kTruthSeed = 77;

/// T = (cycles / clock + lines · 100 ns) · exp(sigma · N) µs, the first answer 1.5 times as long.
inline Repetition path_model(double cycles, double lines, double sigma, double clock_mhz, std::uint64_t seed) {
  return [=](std::int64_t n, std::uint32_t index) {
    RandomStream stream(seed, index, "path");
    Answers answers;
    for (std::int64_t i = 0; i < n; ++i) {
      const double median = (cycles / clock_mhz + 0.1 * lines) * (i == 0 ? 1.5 : 1.0);
      answers.latencies.add(from_us(median * std::exp(sigma * normal_quantile(stream.uniform()))));
    }
    return answers;
  };
}

/// What a bench would have measured in one experiment of n, with figures or samples as the latencies stand.
inline FittedRow measured_row(const std::string& name, const Answers& answers, bool samples) {
  BenchSamples bench{answers.latencies.values(), 0, Duration{1000}};
  if (samples) return fitted_row(name, measurement_of(bench, {}));
  Measurement measurement = measurement_of(bench, {});
  measurement.samples = nullptr;
  for (const Statistic left : {Statistic::std, Statistic::p50, Statistic::p90, Statistic::p99, Statistic::p99_9,
                               Statistic::p99_99, Statistic::lost}) {
    measurement.values[static_cast<std::size_t>(left)].reset();
  }
  return fitted_row(name, measurement);
}

inline FreeCost free_cost(const std::string& name, double lo, double hi, double start, bool prior = false) {
  return {"/costs/" + name + "/value", name, lo, hi, start, prior};
}

}  // namespace vecusim::test
