// Widths that people like to read, and ranks that are dense where the samples are few.
#include "analysis/report_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vecusim::report {
namespace {

/// Beyond so many medians the tail would squeeze all else into a bin or two.
constexpr double kFar = 100.0;
constexpr double kFewestBins = 80.0;
constexpr double kMostBins = 400.0;
/// Of logarithmic bins, per decade.
constexpr int kPerDecade = 40;

/// 1, 2 or 5 times a power of ten, at least `least`.
Duration round_width(double least) {
  const double decade = std::pow(10.0, std::floor(std::log10(std::max(least, 1.0))));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * decade >= least) return Duration{std::llround(step * decade)};
  }
  return Duration{std::llround(10.0 * decade)};
}

Edges even(Duration lo, Duration hi, std::uint64_t n) {
  const double bins = std::clamp(8.0 * std::sqrt(static_cast<double>(n)), kFewestBins, kMostBins);
  const auto span = static_cast<double>((hi - lo).count());
  // Of latencies that hardly differ a bin is a thousandth.
  const Duration width = round_width(std::max(span / bins, static_cast<double>(hi.count()) * 1e-3));
  Edges edges;
  for (Duration at = lo / width * width; edges.at.empty() || edges.at.back() <= hi; at += width) edges.at.push_back(at);
  return edges;
}

Edges logarithmic(Duration lo, Duration hi) {
  Edges edges;
  edges.logarithmic = true;
  const double least = std::max(1.0, static_cast<double>(lo.count()));
  for (int step = static_cast<int>(std::floor(std::log10(least) * kPerDecade));
       edges.at.empty() || edges.at.back() <= hi; ++step) {
    edges.at.push_back(Duration{std::llround(std::pow(10.0, step / static_cast<double>(kPerDecade)))});
  }
  return edges;
}

Duration median(const Values& values) {
  const std::uint64_t half = (count(values) + 1) / 2;
  std::uint64_t seen = 0;
  for (const Counted& counted : values) {
    seen += counted.n;
    if (seen >= half) return counted.value;
  }
  return Duration::zero();
}

}  // namespace

Values values_of(const Samples& samples) {
  if (!samples.exact()) return values_of(OrderStatistics(samples).bins(static_cast<std::size_t>(-1)));
  std::vector<Duration> sorted = samples.values();
  std::sort(sorted.begin(), sorted.end());
  Values values;
  for (const Duration value : sorted) {
    if (values.empty() || values.back().value != value) values.push_back({value, 0});
    ++values.back().n;
  }
  return values;
}

Values values_of(const std::vector<Bin>& bins) {
  Values values;
  for (const Bin& bin : bins) values.push_back({bin.from + (bin.below - bin.from) / 2, bin.n});
  return values;
}

std::uint64_t count(const Values& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Counted& counted) { return sum + counted.n; });
}

Edges edges_for(const std::vector<const Values*>& samples) {
  Duration lo = Duration::max();
  Duration hi = Duration::zero();
  Duration middle = Duration::zero();
  std::uint64_t n = 0;
  for (const Values* values : samples) {
    if (values->empty()) continue;
    lo = std::min(lo, values->front().value);
    hi = std::max(hi, values->back().value);
    middle = std::max(middle, median(*values));
    n = std::max(n, count(*values));
  }
  const bool far = static_cast<double>(hi.count()) > kFar * static_cast<double>(middle.count());
  return far ? logarithmic(lo, hi) : even(lo, hi, n);
}

std::vector<std::uint64_t> counts(const Edges& edges, const Values& values) {
  std::vector<std::uint64_t> result(edges.at.size() - 1, 0);
  for (const Counted& counted : values) {
    const auto above = std::upper_bound(edges.at.begin(), edges.at.end(), counted.value);
    if (above == edges.at.begin() || above == edges.at.end()) continue;
    result[static_cast<std::size_t>(above - edges.at.begin()) - 1] += counted.n;
  }
  return result;
}

// A value is kept if its rank, from below or from above, is a step further on a logarithmic scale than the last one.
std::vector<Share> shares(const Values& values, std::size_t most) {
  const auto n = static_cast<double>(count(values));
  const double step = 2.0 * std::log(std::max(n, 2.0)) / static_cast<double>(most);
  std::vector<Share> result;
  std::uint64_t below = 0;
  double last = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    below += values[i].n;
    const double at_most = static_cast<double>(below) / n;
    const double beyond = (n - static_cast<double>(below)) / n;
    // Grows from 0 to twice ln n, evenly in the logarithm of whichever end is nearer.
    const double place = std::log(n * at_most) - std::log(std::max(n * beyond, 1.0)) + std::log(n);
    const bool end = i == 0 || i + 1 == values.size();
    if (!end && values.size() > most && place - last < step) continue;
    result.push_back({values[i].value, at_most, beyond});
    last = place;
  }
  return result;
}

}  // namespace vecusim::report
