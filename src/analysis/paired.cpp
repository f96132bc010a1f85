// Pairing by replication, and the estimators of differences.
#include "analysis/paired.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "analysis/replication_figures.hpp"
#include "analysis/sweep_identity.hpp"
#include "system/json_assign.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

/// Half the width of the 95 % interval of the difference of two means, from what each replication adds to the error of
/// either (both add up to 0). What goes another way at one point than at the other is rare: as much of it as
/// replications may have missed with a probability of 5 % scatters as if nothing were shared.
double reach_of_difference(const std::vector<double>& base, const std::vector<double>& point) {
  const auto n = static_cast<double>(base.size());
  const double unseen = std::min(1.0, std::log(20.0) / n);
  double paired = 0.0;
  double apart = 0.0;
  for (std::size_t i = 0; i < base.size(); ++i) {
    paired += (point[i] - base[i]) * (point[i] - base[i]);
    apart += point[i] * point[i] + base[i] * base[i];
  }
  if (base == point) return 0.0;
  return student_t_quantile(0.975, n - 1.0) * std::sqrt((paired + unseen * apart) / (n * (n - 1.0)));
}

/// What each replication adds to the error of the mean of all samples (ratio estimator).
std::vector<double> residuals_of_mean(const std::vector<Group>& groups) {
  Group all;
  for (const Group& group : groups) {
    all.n += group.n;
    all.sum += group.sum;
  }
  const double per_group = static_cast<double>(all.n) / static_cast<double>(groups.size());
  const double mean = all.sum / static_cast<double>(all.n);
  std::vector<double> residuals;
  residuals.reserve(groups.size());
  for (const Group& group : groups) {
    residuals.push_back((group.sum - mean * static_cast<double>(group.n)) / per_group);
  }
  return residuals;
}

std::optional<Interval> around(double change, double reach) {
  if (!std::isfinite(change) || !std::isfinite(reach)) return std::nullopt;
  return Interval{change - reach, change + reach};
}

std::optional<Interval> of_means(const LatencyTally& base, const LatencyTally& point, double change) {
  const std::vector<double> of_base = residuals_of_mean(base.batches.by_replication());
  const std::vector<double> of_point = residuals_of_mean(point.batches.by_replication());
  return around(change, reach_of_difference(of_base, of_point));
}

/// Of each replication the share of samples up to a value; empty while they are not known one by one.
std::vector<double> shares_below(const LatencyTally& tally, Duration value) {
  std::vector<double> shares;
  if (!tally.samples.exact()) return shares;
  auto sample = tally.samples.values().begin();
  for (const Group& group : tally.batches.by_replication()) {
    const auto end = sample + static_cast<std::ptrdiff_t>(group.n);
    const auto hits = std::count_if(sample, end, [&](Duration v) { return v <= value; });
    shares.push_back(group.n == 0 ? 0.0 : static_cast<double>(hits) / static_cast<double>(group.n));
    sample = end;
  }
  return shares;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size() || a.size() < kLeastToCorrelate) return 0.0;
  const auto n = static_cast<double>(a.size());
  double mean_a = 0.0;
  double mean_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  double aa = 0.0;
  double ab = 0.0;
  double bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : 0.0;
}

std::optional<Interval> of_quantiles(const LatencyTally& base, const QuantileResult& of_base, const LatencyTally& point,
                                     const QuantileResult& of_point) {
  if (!of_base.ci95 || !of_point.ci95) return std::nullopt;
  const auto us = [](const DurationInterval& interval) { return Interval{to_us(interval.lo), to_us(interval.hi)}; };
  const double before = to_us(*of_base.value);
  const double after = to_us(*of_point.value);
  if (base.samples.exact() && base.samples.values() == point.samples.values()) return Interval{0.0, 0.0};
  const double alike = correlation(shares_below(base, *of_base.value), shares_below(point, *of_point.value));
  return correlated_interval(before, us(*of_base.ci95), after, us(*of_point.ci95), alike);
}

/// A number that replications add to, and not one that they share.
bool is_sum(std::string_view path) {
  return path.ends_with(".lost") || path.ends_with(".merged") || path.ends_with(".late");
}

/// One figure of each replication, less their mean.
std::vector<double> deviations(const Tally& tally, std::size_t figure) {
  const auto n = static_cast<double>(tally.figures.size());
  double mean = 0.0;
  for (const std::vector<double>& of_one : tally.figures) mean += of_one[figure] / n;
  std::vector<double> result;
  result.reserve(tally.figures.size());
  for (const std::vector<double>& of_one : tally.figures) result.push_back(of_one[figure] - mean);
  return result;
}

class Pairing {
 public:
  Pairing(const std::map<std::string, double, std::less<>>& base, const SweepRow& row) : base_(base) {
    for (const Column& column : row.columns()) {
      if (column.value.is_number()) point_.emplace(column.path, column.value.as_double());
    }
  }

  /// `interval` gets the change. Nothing is added where one of both has no such number.
  template <class IntervalOf>
  void add(const std::string& path, IntervalOf interval) {
    const auto before = base_.find(path);
    const auto after = point_.find(path);
    if (before == base_.end() || after == point_.end()) return;
    const double change = after->second - before->second;
    differences.push_back({path, change, interval(change)});
  }

  std::vector<PairedDifference> differences;

 private:
  const std::map<std::string, double, std::less<>>& base_;
  std::map<std::string, double, std::less<>> point_;
};

}  // namespace

Interval correlated_interval(double a, const Interval& of_a, double b, const Interval& of_b, double correlation) {
  const auto reach = [&](double first, double second) {
    return std::sqrt(std::max(0.0, first * first + second * second - 2.0 * correlation * first * second));
  };
  return {b - a - reach(of_a.hi - a, b - of_b.lo), b - a + reach(a - of_a.lo, of_b.hi - b)};
}

PairedBase::PairedBase(const SweepRow& row) : tally_(row.tally), rates_(replication_paths(row.result)) {
  for (const Column& column : row.columns()) {
    if (column.value.is_number()) numbers_.emplace(column.path, column.value.as_double());
  }
  for (std::size_t i = 0; i < row.result.latency.size(); ++i) {
    interrupts_.emplace(row.result.latency[i].name, i);
    quantiles_.push_back(row.result.latency[i].quantiles);
  }
}

std::vector<PairedDifference> PairedBase::differences(const SweepRow& row) const {
  const bool paired = row.tally.replications > 1 && row.tally.replications == tally_.replications;
  Pairing pairing(numbers_, row);
  for (std::size_t i = 0; i < row.result.latency.size(); ++i) {
    const LatencyResult& latency = row.result.latency[i];
    const auto found = interrupts_.find(latency.name);
    if (found == interrupts_.end()) continue;
    const LatencyTally& base = tally_.latency[found->second];
    const LatencyTally& point = row.tally.latency[i];
    const std::string prefix = "latency." + latency.name + ".";
    pairing.add(prefix + "mean_us",
                [&](double change) { return paired ? of_means(base, point, change) : std::nullopt; });
    for (std::size_t level = 0; level < kLevels; ++level) {
      pairing.add(prefix + std::string(kLevelList[level].key), [&](double) {
        return paired ? of_quantiles(base, quantiles_[found->second][level], point, latency.quantiles[level])
                      : std::nullopt;
      });
    }
  }
  const std::vector<std::string> rates = replication_paths(row.result);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const auto at = std::find(rates_.begin(), rates_.end(), rates[i]);
    if (at == rates_.end()) continue;
    pairing.add(rates[i], [&](double change) {
      if (!paired) return std::optional<Interval>{};
      const auto of_base = deviations(tally_, static_cast<std::size_t>(at - rates_.begin()));
      const double times = is_sum(rates[i]) ? static_cast<double>(of_base.size()) : 1.0;
      return around(change, times * reach_of_difference(of_base, deviations(row.tally, i)));
    });
  }
  return std::move(pairing.differences);
}

std::vector<Column> to_columns(const std::vector<PairedDifference>& differences) {
  std::vector<Column> columns;
  for (const PairedDifference& difference : differences) {
    const std::string path = "difference." + difference.path;
    const auto& interval = difference.interval95;
    columns.push_back({path, json::Node::floating(difference.change)});
    columns.push_back({path + ".lo", interval ? json::Node::floating(interval->lo) : json::Node{}});
    columns.push_back({path + ".hi", interval ? json::Node::floating(interval->hi) : json::Node{}});
  }
  return columns;
}

std::uint64_t WithBase::replications(const SweepPoint& point) {
  if (point.index == index_) return base_.replications;
  return inner_ == nullptr ? 0 : inner_->replications(point);
}

Tally WithBase::tally(const SweepPoint& point) { return point.index == index_ ? base_ : inner_->tally(point); }

void WithBase::keep(const SweepRow& row, Tally& tally) {
  if (inner_ != nullptr) inner_->keep(row, tally);
}

PlannedPoint named_point(const Sweep& sweep, const std::vector<std::string>& texts, std::string_view option) {
  const auto refuse = [&](std::string expected, std::string found) -> PlannedPoint {
    throw InvalidInput(Problem{{}, std::string(option), std::move(expected), std::move(found)});
  };
  const std::string& first = texts.front();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), number);
  if (texts.size() == 1 && error == std::errc{} && end == first.data() + first.size()) {
    if (number >= 1 && number <= sweep.points.size()) return sweep.points[number - 1];
    return refuse("a point from 1 to " + std::to_string(sweep.points.size()), first);
  }
  Problems problems;
  std::vector<std::pair<std::string, json::Node>> values;
  for (const std::string& text : texts) {
    if (auto assignment = json::parse_assignment(text, problems, option)) {
      values.emplace_back(std::move(assignment->pointer), std::move(assignment->value));
    }
  }
  problems.throw_if_errors();
  std::vector<PlannedPoint> named;
  for (const PlannedPoint& point : sweep.points) {
    if (has_values(sweep.at(point), values)) named.push_back(point);
  }
  if (named.size() == 1) return named.front();
  std::string given;
  for (const std::string& text : texts) given += (given.empty() ? "" : ", ") + text;
  return refuse("the values of one point of the sweep, or its number",
                given + ", which " + std::to_string(named.size()) + " points have");
}

}  // namespace vecusim
