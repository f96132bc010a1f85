// Figures from counts, and series put together.
#include "analysis/latency_figures.hpp"

#include <algorithm>

#include "analysis/bench_data_text.hpp"
#include "analysis/statistics.hpp"

namespace vecusim {
namespace {

bool by_value(const LatencyCount& a, const LatencyCount& b) { return a.value < b.value; }

std::optional<Duration> mean_of(const std::vector<LatencyCount>& counts, std::uint64_t n) {
  if (n == 0) return std::nullopt;
  SignedWide sum = 0;
  for (const LatencyCount& count : counts)
    sum += static_cast<SignedWide>(count.value.count()) * static_cast<SignedWide>(count.n);
  return Duration{static_cast<std::int64_t>(sum / static_cast<SignedWide>(n))};
}

/// The last point of the path that rtla measures: user space, the thread, or the handler.
std::string_view last_point(const LatencyReading& reading) {
  for (const std::string_view point : {"Usr-", "Thr-", "IRQ-"}) {
    for (const LatencySeries& series : reading.series) {
      if (series.name.starts_with(point)) return point;
    }
  }
  return {};
}

/// Sums of printed means; nothing if one is not printed.
void add_printed(LatencySeries& all, SignedWide& sum, const LatencySeries& series) {
  const LatencyFigures figures = figures_of(series);
  if (figures.n == 0) return;
  all.printed_min = all.printed_min ? std::min(all.printed_min, figures.min) : figures.min;
  all.printed_max = std::max(all.printed_max, figures.max);
  sum += static_cast<SignedWide>(figures.mean.value_or(Duration{}).count()) * static_cast<SignedWide>(figures.n);
}

BenchRow row_of(const LatencySeries& series, Duration step, const std::string& file) {
  const LatencyFigures figures = figures_of(series);
  BenchRow row;
  row.name = "1";
  row.n = static_cast<std::int64_t>(figures.n);
  row.place = {std::make_shared<const std::string>(file), 1, 1};
  const auto set = [&](Statistic statistic, const std::optional<Duration>& value) {
    if (value) row.figures[statistic] = {*value, step};
  };
  constexpr std::array kQuantiles = {Statistic::p50, Statistic::p90, Statistic::p99, Statistic::p99_9,
                                     Statistic::p99_99};
  set(Statistic::min, figures.min);
  set(Statistic::mean, figures.mean);
  set(Statistic::max, figures.max);
  for (std::size_t i = 0; i < kQuantiles.size(); ++i) set(kQuantiles[i], figures.quantiles[i]);
  return row;
}

}  // namespace

LatencyFigures figures_of(const LatencySeries& series) {
  LatencyFigures figures;
  figures.n = series.n();
  std::vector<LatencyCount> sorted = series.counts;
  std::sort(sorted.begin(), sorted.end(), by_value);
  const std::uint64_t counted = series.counted();
  if (!sorted.empty()) {
    figures.min = sorted.front().value;
    if (series.overflows == 0) {
      figures.max = sorted.back().value;
      figures.mean = mean_of(sorted, counted);
    }
  }
  if (!figures.min) figures.min = series.printed_min;
  if (!figures.max) figures.max = series.printed_max;
  if (!figures.mean) figures.mean = series.printed_mean;
  std::uint64_t below = 0;
  auto at = sorted.begin();
  for (std::size_t i = 0; i < kFigureLevels.size(); ++i) {
    if (!resolves(figures.n, kFigureLevels[i])) continue;
    const std::uint64_t rank = nearest_rank(figures.n, kFigureLevels[i]);
    while (at != sorted.end() && below + at->n < rank) below += (at++)->n;
    if (at != sorted.end()) figures.quantiles[i] = at->value;
  }
  return figures;
}

LatencySeries pooled(const LatencyReading& reading) {
  const std::string_view point = last_point(reading);
  LatencySeries all{"all"};
  SignedWide sum = 0;
  std::uint64_t n = 0;
  for (const LatencySeries& series : reading.series) {
    if (!series.name.starts_with(point)) continue;
    all.counts.insert(all.counts.end(), series.counts.begin(), series.counts.end());
    all.overflows += series.overflows;
    all.missed += series.missed;
    n += series.n();
    add_printed(all, sum, series);
  }
  all.printed_n = n;
  if (n > 0) all.printed_mean = Duration{static_cast<std::int64_t>(sum / static_cast<SignedWide>(n))};
  return all;
}

BenchData bench_data_of(const LatencyReading& reading, const std::string& name) {
  const LatencySeries all = pooled(reading);
  // A value that was cut off lies within half of two steps around what is printed.
  const Duration step = reading.truncated ? 2 * reading.step : reading.step;
  BenchData data{name, {}, {}};
  for (const Problem& problem : reading.problems.kept()) {
    if (problem.severity == Severity::warning) data.warnings.add(problem);
  }
  if (all.overflows == 0 && !all.counts.empty() && all.n() <= kMostExpanded) {
    BenchSamples samples;
    samples.missed = static_cast<std::int64_t>(all.missed);
    samples.step = step;
    samples.latencies.reserve(all.n());
    for (const LatencyCount& count : all.counts)
      samples.latencies.insert(samples.latencies.end(), count.n, count.value);
    data.content = std::move(samples);
  } else {
    data.content = std::vector<BenchRow>{row_of(all, step, name)};
  }
  return data;
}

}  // namespace vecusim
