// What was measured of one row of a validation case, in the statistics' units.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/bench_data.hpp"
#include "analysis/case.hpp"
#include "analysis/feasibility.hpp"

namespace vecusim {

/// The true value is within half a step of the printed one.
struct Measured {
  double value;
  double step;
};

struct Measurement {
  /// Answered edges.
  std::int64_t n = 0;
  std::int64_t lost = 0;
  ByStatistic<Measured> values;
  PrintedRow printed;
  /// Null if only figures are known. `values` then lacks `ks_distance`, for which a model is needed.
  const BenchSamples* samples = nullptr;
  /// Of the samples.
  Duration step{};
};

/// `resolution` overrules the step that the data show. Refers to `samples`.
Measurement measurement_of(const BenchSamples& samples, std::optional<Duration> resolution);
Measurement measurement_of(const BenchRow& row, std::optional<Duration> resolution);

}  // namespace vecusim
