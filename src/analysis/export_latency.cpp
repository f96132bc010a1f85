// Distributions of latencies in the layouts of HdrHistogram, cyclictest and OSADL.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "analysis/export.hpp"

namespace vecusim {

namespace {

constexpr std::int64_t kPsPerUs = 1'000'000;
/// What cyclictest's histogram can have at most, in µs.
constexpr std::uint64_t kMostBuckets = 1'000'000;

template <class... Values>
void print(TextStream& out, const char* format, Values... values) {
  std::array<char, 128> text{};
  const int length = std::snprintf(text.data(), text.size(), format, values...);
  out << std::string_view(text.data(), static_cast<std::size_t>(length));
}

unsigned long long number(std::uint64_t value) { return value; }

std::uint64_t whole_us(Duration time) { return static_cast<std::uint64_t>(time.count() / kPsPerUs); }

/// How many samples lie in each whole µs.
std::map<std::uint64_t, std::uint64_t> buckets_of(const Samples& samples) {
  std::map<std::uint64_t, std::uint64_t> buckets;
  if (samples.exact()) {
    for (const Duration value : samples.values()) ++buckets[whole_us(value)];
    return buckets;
  }
  for (const Bin& bin : OrderStatistics(samples).bins(samples.n())) {
    buckets[whole_us(bin.from + (bin.below - bin.from) / 2)] += bin.n;
  }
  return buckets;
}

/// Columns of counts by whole µs, one for each interrupt, and a row for each µs up to the greatest below the limit.
class Matrix {
 public:
  explicit Matrix(const std::vector<NamedLatency>& latencies) {
    for (const NamedLatency& latency : latencies) {
      columns_.push_back(buckets_of(latency.tally->samples));
      if (!columns_.back().empty()) rows_ = std::max(rows_, columns_.back().rbegin()->first + 1);
    }
    rows_ = std::min(rows_, kMostBuckets);
  }

  void write(TextStream& out) const {
    std::vector<std::map<std::uint64_t, std::uint64_t>::const_iterator> next;
    for (const auto& column : columns_) next.push_back(column.begin());
    for (std::uint64_t row = 0; row < rows_; ++row) {
      print(out, "%06llu", number(row));
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const bool counts = next[i] != columns_[i].end() && next[i]->first == row;
        print(out, i == 0 ? " %06llu" : "\t%06llu", number(counts ? (next[i]++)->second : 0));
      }
      out << '\n';
    }
  }

  /// Of a column: samples in the rows, and beyond them.
  std::uint64_t within(std::size_t column) const { return count(column, true); }
  std::uint64_t beyond(std::size_t column) const { return count(column, false); }

 private:
  std::uint64_t count(std::size_t column, bool within) const {
    std::uint64_t sum = 0;
    for (const auto& [us, n] : columns_[column]) {
      if ((us < rows_) == within) sum += n;
    }
    return sum;
  }

  std::vector<std::map<std::uint64_t, std::uint64_t>> columns_;
  std::uint64_t rows_ = 0;
};

/// How many samples are not above `value`.
std::uint64_t rank_of(const OrderStatistics& ordered, std::uint64_t n, Duration value) {
  std::uint64_t below = 0;
  std::uint64_t above = n + 1;
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (ordered.at_rank(middle) <= value ? below : above) = middle;
  }
  return below;
}

}  // namespace

// Five steps for each halving of what is left above.
void write_hgrm(const NamedLatency& latency, TextStream& out) {
  constexpr int kSteps = 5;
  const Samples& samples = latency.tally->samples;
  const OrderStatistics ordered(samples);
  const std::uint64_t n = samples.n();
  out << "       Value     Percentile TotalCount 1/(1-Percentile)\n\n";
  double left = 1.0;  // above the first step of this halving
  for (int step = 0; true; ++step) {
    if (step == kSteps) {
      step = 0;
      left /= 2.0;
    }
    const double share = 1.0 - left * (1.0 - 0.5 * step / kSteps);
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(n)));
    const Duration value = ordered.at_rank(std::clamp<std::uint64_t>(wanted, 1, n));
    const std::uint64_t rank = rank_of(ordered, n, value);
    if (rank == n) break;
    print(out, "%12.3f %.12f %10llu %14.2f\n", to_us(value), share, number(rank), 1.0 / (1.0 - share));
  }
  print(out, "%12.3f %.12f %10llu\n", to_us(samples.max()), 1.0, number(n));
  print(out, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", samples.mean_us(), samples.std_us().value_or(0.0));
  print(out, "#[Max     = %12.3f, Total count    = %12llu]\n", to_us(samples.max()), number(n));
}

void write_osadl(const std::vector<NamedLatency>& latencies, TextStream& out) { Matrix(latencies).write(out); }

void write_cyclictest(const std::vector<NamedLatency>& latencies, const std::string& remark, TextStream& out) {
  const Matrix matrix(latencies);
  out << "# " << remark << '\n';
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    out << "# Thread " << std::uint64_t{i} << " is " << latencies[i].name << ": " << latencies[i].tally->lost
        << " lost, " << latencies[i].tally->merged << " merged\n";
  }
  out << "# Histogram\n";
  matrix.write(out);
  const auto summary = [&](std::string_view title, const char* format, auto value) {
    out << "# " << title << ':';
    for (std::size_t i = 0; i < latencies.size(); ++i) print(out, format, number(value(i)));
    out << '\n';
  };
  const auto samples = [&](std::size_t i) -> const Samples& { return latencies[i].tally->samples; };
  summary("Total", " %09llu", [&](std::size_t i) { return matrix.within(i); });
  summary("Min Latencies", " %05llu",
          [&](std::size_t i) { return samples(i).n() == 0 ? 0 : whole_us(samples(i).min()); });
  summary("Avg Latencies", " %05llu",
          [&](std::size_t i) { return samples(i).n() == 0 ? 0 : static_cast<std::uint64_t>(samples(i).mean_us()); });
  summary("Max Latencies", " %05llu",
          [&](std::size_t i) { return samples(i).n() == 0 ? 0 : whole_us(samples(i).max()); });
  summary("Histogram Overflows", " %05llu", [&](std::size_t i) { return matrix.beyond(i); });
}

}  // namespace vecusim
