// Exact sums, and the change from values to a histogram.
#include "analysis/samples.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "analysis/statistics.hpp"

namespace vecusim {
namespace {

Duration checked_sum(Duration a, Duration b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a.count(), b.count(), &sum)) {
    throw std::overflow_error("the latencies of all samples add up to more than 106 days");
  }
  return Duration{sum};
}

}  // namespace

void Samples::add(Duration value) {
  assert(value >= Duration::zero());
  sum_ = checked_sum(sum_, value);
  squares_ += wide(value) * wide(value);
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  ++n_;
  if (exact()) {
    values_.push_back(value);
  } else {
    spill();
    histogram_->add(value);
  }
}

void Samples::merge(const Samples& other) {
  sum_ = checked_sum(sum_, other.sum_);
  squares_ += other.squares_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  n_ += other.n_;
  if (exact()) {
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
    return;
  }
  spill();
  if (other.histogram_) histogram_->merge(*other.histogram_);
  for (const Duration value : other.values_) histogram_->add(value);
}

// From now on a histogram.
void Samples::spill() {
  if (histogram_) return;
  histogram_.emplace();
  for (const Duration value : values_) histogram_->add(value);
  values_ = {};
}

double Samples::mean_us() const { return static_cast<double>(sum_.count()) / static_cast<double>(n_) * 1e-6; }

// n·(n - 1)·variance = n·Σx² - (Σx)², with the division by n done first, in integers with its remainder: nothing
// cancels.
std::optional<double> Samples::std_us() const {
  if (n_ < 2) return std::nullopt;
  const Wide square_of_sum = wide(sum_) * wide(sum_);
  const Wide whole = square_of_sum / n_;
  const auto remainder = static_cast<double>(square_of_sum % n_) / static_cast<double>(n_);
  const double deviations = static_cast<double>(squares_ - whole) - remainder;
  return std::sqrt(deviations / static_cast<double>(n_ - 1)) * 1e-6;
}

OrderStatistics::OrderStatistics(const Samples& samples) : samples_(samples), sorted_(samples.values()) {
  std::sort(sorted_.begin(), sorted_.end());
}

Duration OrderStatistics::at_rank(std::uint64_t rank) const {
  assert(rank >= 1 && rank <= samples_.n());
  if (samples_.exact()) return sorted_[rank - 1];
  if (rank == 1) return samples_.min();
  if (rank == samples_.n()) return samples_.max();
  return std::clamp(samples_.histogram_->at_rank(rank), samples_.min(), samples_.max());
}

Duration OrderStatistics::quantile(double p) const { return at_rank(nearest_rank(samples_.n(), p)); }

std::vector<Bin> OrderStatistics::bins(std::size_t most) const {
  return samples_.exact() ? bins_of(sorted_, most) : samples_.histogram_->bins(most);
}

}  // namespace vecusim
