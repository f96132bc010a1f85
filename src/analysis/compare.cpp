// Matching by name, and differences of estimates.
#include "analysis/compare.hpp"

#include <algorithm>
#include <cmath>

namespace vecusim {
namespace {

/// Beyond this the distributions are not compared as a whole: it would take minutes, and any difference shows.
constexpr std::uint64_t kMostSamples = 200'000;

/// The samples as far as the histogram has them: evenly within each bin.
std::vector<Duration> spread(const LatencyResult& latency) {
  std::vector<Duration> samples;
  samples.reserve(latency.n);
  for (const Bin& bin : latency.histogram) {
    const double width = static_cast<double>((bin.below - bin.from).count());
    for (std::uint64_t i = 0; i < bin.n; ++i) {
      const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(bin.n);
      samples.push_back(bin.from + Duration{static_cast<Duration::rep>(width * place)});
    }
  }
  return samples;
}

TwoSampleOutcome distributions(const LatencyResult& before, const LatencyResult& after) {
  if (before.histogram.empty() || after.histogram.empty())
    return {{}, "distributions are not compared: one side has no samples, only figures"};
  if (std::max(before.n, after.n) > kMostSamples) {
    return {{},
            "distributions are not compared: of more than " + std::to_string(kMostSamples) +
                " samples the figures say enough"};
  }
  return compare_distributions(spread(before), spread(after));
}

void add(std::vector<Difference>& figures, std::string_view name, const std::optional<double>& before,
         const std::optional<Interval>& of_before, const std::optional<double>& after,
         const std::optional<Interval>& of_after) {
  if (!before || !after) return;
  Difference difference{std::string(name), *before, *after, {}};
  if (of_before && of_after) difference.interval95 = difference_interval(*before, *of_before, *after, *of_after);
  figures.push_back(std::move(difference));
}

std::optional<double> us(const std::optional<Duration>& value) {
  return value ? std::optional(to_us(*value)) : std::nullopt;
}

std::optional<Interval> us(const std::optional<DurationInterval>& value) {
  return value ? std::optional(Interval{to_us(value->lo), to_us(value->hi)}) : std::nullopt;
}

std::vector<Difference> figures_of(const LatencyResult& before, const LatencyResult& after) {
  std::vector<Difference> figures;
  add(figures, "min_us", us(before.min), {}, us(after.min), {});
  add(figures, "mean_us", before.mean_us, before.mean_ci95, after.mean_us, after.mean_ci95);
  for (std::size_t i = 0; i < kLevels; ++i) {
    const QuantileResult& a = before.quantiles[i];
    const QuantileResult& b = after.quantiles[i];
    add(figures, kLevelList[i].key, us(a.value), us(a.ci95), us(b.value), us(b.ci95));
  }
  add(figures, "max_us", us(before.max), {}, us(after.max), {});
  return figures;
}

std::vector<std::string> lost_figures(const LatencyResult& before, const LatencyResult& after) {
  std::vector<std::string> lost;
  if (before.mean_ci95 && !after.mean_ci95) lost.emplace_back("mean_us");
  for (std::size_t i = 0; i < kLevels; ++i) {
    if (before.quantiles[i].ci95 && !after.quantiles[i].ci95) lost.emplace_back(kLevelList[i].key);
  }
  return lost;
}

ComparedLatency compare_latency(const LatencyResult& before, const LatencyResult& after) {
  ComparedLatency compared;
  compared.name = before.name;
  compared.n_before = before.n;
  compared.n_after = after.n;
  compared.figures = figures_of(before, after);
  compared.lost_figures = lost_figures(before, after);
  if (before.name != after.name) compared.name += " / " + after.name;
  if (before.requirement && after.requirement) {
    compared.verdict = VerdictChange{before.requirement->met, after.requirement->met};
  }
  compared.requirement_gone = before.requirement && !after.requirement;
  compared.distributions = distributions(before, after);
  return compared;
}

ComparedFlow compare_flow(const FlowResult& before, const FlowResult& after) {
  ComparedFlow compared{before.name, {}};
  add(compared.figures, "goodput_mbps", before.goodput_mbps, {}, after.goodput_mbps, {});
  add(compared.figures, "dropped_pps", before.dropped_pps, {}, after.dropped_pps, {});
  add(compared.figures, "mean_us", before.mean_us, {}, after.mean_us, {});
  for (std::size_t i = 0; i < kLevels; ++i) {
    add(compared.figures, kLevelList[i].key, us(before.quantiles[i]), {}, us(after.quantiles[i]), {});
  }
  add(compared.figures, "max_us", us(before.max), {}, us(after.max), {});
  return compared;
}

template <class T>
const T* named(const std::vector<T>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& item) { return item.name == name; });
  return found == list.end() ? nullptr : &*found;
}

bool changed(const ComparedLatency& latency) {
  return latency.verdict && latency.verdict->before != latency.verdict->after;
}

}  // namespace

Interval difference_interval(double before, const Interval& of_before, double after, const Interval& of_after) {
  const double change = after - before;
  return {change - std::hypot(after - of_after.lo, of_before.hi - before),
          change + std::hypot(of_after.hi - after, before - of_before.lo)};
}

std::vector<std::string> Comparison::missing() const {
  std::vector<std::string> missing;
  for (const std::string& name : only_before) missing.push_back("the latency of " + name);
  for (const ComparedLatency& compared : latency) {
    if (compared.requirement_gone) missing.push_back("the requirement of " + compared.name);
    for (const std::string& figure : compared.lost_figures) {
      missing.push_back(figure + " of " + compared.name + " (n " + std::to_string(compared.n_after) + " for " +
                        std::to_string(compared.n_before) + ")");
    }
  }
  for (const std::string& name : lost_flows) missing.push_back("the flow " + name);
  return missing;
}

bool Comparison::judges() const {
  return std::any_of(latency.begin(), latency.end(), [](const ComparedLatency& compared) {
    const bool intervals = std::any_of(compared.figures.begin(), compared.figures.end(),
                                       [](const Difference& d) { return d.interval95.has_value(); });
    return compared.verdict.has_value() || (compared.enough() && intervals);
  });
}

bool Comparison::worse() const {
  if (!missing().empty()) return true;
  return std::any_of(latency.begin(), latency.end(), [](const ComparedLatency& compared) {
    const bool broken = compared.verdict && compared.verdict->before == true && compared.verdict->after != true;
    return broken ||
           (compared.enough() && std::any_of(compared.figures.begin(), compared.figures.end(),
                                             [](const Difference& d) { return d.shown() && d.change() > 0.0; }));
  });
}

Comparison compare(const Side& before, const Side& after) {
  Comparison comparison;
  comparison.before = before.name;
  comparison.after = after.name;
  for (const Side* side : {&before, &after}) {
    if (side->replications == 1) comparison.single.push_back(side->name);
  }
  const bool alone = before.latency.size() == 1 && after.latency.size() == 1;
  for (const LatencyResult& a : before.latency) {
    const LatencyResult* b = alone ? &after.latency.front() : named(after.latency, a.name);
    if (b == nullptr) {
      comparison.only_before.push_back(a.name);
    } else {
      comparison.latency.push_back(compare_latency(a, *b));
    }
  }
  for (const LatencyResult& b : after.latency) {
    if (!alone && named(before.latency, b.name) == nullptr) comparison.only_after.push_back(b.name);
  }
  for (const FlowResult& a : before.network) {
    const FlowResult* b = named(after.network, a.name);
    if (b == nullptr) {
      comparison.lost_flows.push_back(a.name);
    } else {
      comparison.network.push_back(compare_flow(a, *b));
    }
  }
  for (const LoadResult& a : before.load) {
    const LoadResult* b = named(after.load, a.name);
    if (b != nullptr) comparison.load.push_back({a.name, a.pcpu_pct, b->pcpu_pct, {}});
  }
  std::stable_partition(comparison.latency.begin(), comparison.latency.end(), changed);
  return comparison;
}

}  // namespace vecusim
