// Figures and samples brought into one form.
#include "analysis/validate_measurement.hpp"

#include <cmath>
#include <vector>

namespace vecusim {

Measurement measurement_of(const BenchSamples& samples, std::optional<Duration> resolution) {
  Measurement measurement;
  measurement.n = static_cast<std::int64_t>(samples.latencies.size());
  measurement.lost = samples.missed;
  measurement.printed.n = measurement.n;
  measurement.samples = &samples;
  measurement.step = resolution.value_or(samples.step);

  Answers answers;
  for (const Duration latency : samples.latencies) answers.latencies.add(latency);
  answers.lost = samples.missed;
  std::vector<Statistic> all;
  for (std::size_t i = 0; i < kStatistics; ++i) all.push_back(static_cast<Statistic>(i));
  const std::vector<double> values = values_of(all, answers);
  for (std::size_t i = 0; i < kStatistics; ++i) {
    if (std::isnan(values[i])) continue;
    double step = is_latency(all[i]) ? to_us(measurement.step) : 0.0;
    // A histogram of many samples knows their quantiles to 0.1 %.
    if (quantile_of(all[i]) && !answers.latencies.exact()) step += 2e-3 * values[i];
    measurement.values[i] = {values[i], step};
  }
  return measurement;
}

Measurement measurement_of(const BenchRow& row, std::optional<Duration> resolution) {
  BenchRow shown = row;
  for (auto& [statistic, figure] : shown.figures) figure.step = resolution.value_or(figure.step);
  Measurement measurement;
  measurement.n = row.n;
  measurement.lost = row.lost.value_or(0);
  measurement.printed = shown.printed();
  for (const auto& [statistic, figure] : shown.figures) {
    measurement.values[static_cast<std::size_t>(statistic)] = {to_us(figure.value), to_us(figure.step)};
  }
  if (row.lost) measurement.values[static_cast<std::size_t>(Statistic::lost)] = {static_cast<double>(*row.lost), 0.0};
  return measurement;
}

}  // namespace vecusim
