// Names and values of the statistics.
#include "analysis/case_statistic.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace vecusim {
namespace {

struct Entry {
  std::string_view stem;
  std::string_view name;
  double quantile;  ///< 0: is none
};
constexpr std::array<Entry, kStatistics> kEntries = {{{"min", "min_us", 0.0},
                                                      {"mean", "mean_us", 0.0},
                                                      {"std", "std_us", 0.0},
                                                      {"p50", "p50_us", 0.5},
                                                      {"p90", "p90_us", 0.9},
                                                      {"p99", "p99_us", 0.99},
                                                      {"p99_9", "p99_9_us", 0.999},
                                                      {"p99_99", "p99_99_us", 0.9999},
                                                      {"max", "max_us", 0.0},
                                                      {"lost", "lost", 0.0},
                                                      {"ks_distance", "ks_distance", 0.0}}};

const Entry& entry_of(Statistic statistic) { return kEntries[static_cast<std::size_t>(statistic)]; }

}  // namespace

std::string_view name_of(Statistic statistic) { return entry_of(statistic).name; }

std::optional<Statistic> statistic_named(std::string_view stem) {
  for (std::size_t i = 0; i < kStatistics; ++i) {
    if (kEntries[i].stem == stem) return static_cast<Statistic>(i);
  }
  return std::nullopt;
}

bool is_latency(Statistic statistic) { return name_of(statistic).ends_with("_us"); }

std::optional<double> quantile_of(Statistic statistic) {
  const double p = entry_of(statistic).quantile;
  return p > 0.0 ? std::optional{p} : std::nullopt;
}

Reference::Reference(std::vector<Duration> latencies, Duration step)
    : step_(step), sorted_(shown(std::move(latencies))) {}

double Reference::distance(const std::vector<Duration>& latencies) const {
  return kolmogorov_smirnov(shown(latencies), sorted_).distance;
}

std::vector<Duration> Reference::shown(std::vector<Duration> latencies) const {
  if (step_ > Duration{1}) {
    for (Duration& latency : latencies) latency = (latency + step_ / 2) / step_ * step_;
  }
  std::sort(latencies.begin(), latencies.end());
  return latencies;
}

std::vector<double> values_of(const std::vector<Statistic>& statistics, const Answers& answers,
                              const Reference* reference) {
  const Samples& samples = answers.latencies;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const bool any = samples.n() > 0;
  std::optional<OrderStatistics> ordered;
  std::vector<double> values;
  for (const Statistic statistic : statistics) {
    switch (statistic) {
      case Statistic::min:
        values.push_back(any ? to_us(samples.min()) : kNone);
        break;
      case Statistic::mean:
        values.push_back(any ? samples.mean_us() : kNone);
        break;
      case Statistic::std:
        values.push_back(samples.std_us().value_or(kNone));
        break;
      case Statistic::max:
        values.push_back(any ? to_us(samples.max()) : kNone);
        break;
      case Statistic::lost:
        values.push_back(static_cast<double>(answers.lost));
        break;
      case Statistic::ks_distance:
        values.push_back(any && reference != nullptr && samples.exact() && !reference->empty()
                             ? reference->distance(samples.values())
                             : kNone);
        break;
      case Statistic::p50:
      case Statistic::p90:
      case Statistic::p99:
      case Statistic::p99_9:
      case Statistic::p99_99:
        if (any && !ordered) ordered.emplace(samples);
        values.push_back(any ? to_us(ordered->quantile(*quantile_of(statistic))) : kNone);
        break;
    }
  }
  return values;
}

}  // namespace vecusim
