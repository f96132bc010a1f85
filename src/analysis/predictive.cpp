// Intervals by direct repetition: ranks that all columns of a table share.
#include "analysis/predictive.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace vecusim {
namespace {

/// One statistic over all repetitions, in order and without the repetitions that do not have it.
std::vector<double> sorted_column(const std::vector<std::vector<double>>& rows, std::size_t column) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::vector<double>& row : rows) {
    if (!std::isnan(row[column])) values.push_back(row[column]);
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// How many values have to be given up at each end of `sorted` before `value` is no longer inside, which is 0 if it
/// never is.
std::size_t depth_of(double value, const std::vector<double>& sorted, bool only_upper) {
  if (std::isnan(value)) return 0;
  const auto not_above = std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
  const auto not_below = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), value);
  return static_cast<std::size_t>(only_upper ? not_below : std::min(not_above, not_below));
}

/// The measured experiment is one of those that could have been drawn, hence the 1.
double share_as_far(const std::vector<std::vector<double>>& rows, std::size_t column, double distance) {
  const auto as_far = std::count_if(rows.begin(), rows.end(),
                                    [&](const std::vector<double>& row) { return !(row[column] < distance); });
  return (static_cast<double>(as_far) + 1.0) / (static_cast<double>(rows.size()) + 1.0);
}

Predicted interval_of(const std::vector<double>& sorted, std::size_t given_up, bool only_upper) {
  if (sorted.empty()) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {kNone, kNone, kNone};
  }
  const std::size_t c = std::min(given_up, sorted.size() - 1);
  const double lo = only_upper ? -std::numeric_limits<double>::infinity() : sorted[c];
  return {sorted[nearest_rank(sorted.size(), 0.5) - 1], lo, sorted[sorted.size() - 1 - c]};
}

}  // namespace

std::vector<Predicted> simultaneous_intervals(const std::vector<std::vector<double>>& rows,
                                              const std::vector<bool>& only_upper, double coverage) {
  assert(!rows.empty());
  const auto is_upper = [&](std::size_t k) { return k < only_upper.size() && only_upper[k]; };
  std::vector<std::vector<double>> columns;
  for (std::size_t k = 0; k < rows.front().size(); ++k) columns.push_back(sorted_column(rows, k));

  // A row is inside as long as fewer values are given up than its least depth.
  std::vector<std::size_t> depths;
  for (const std::vector<double>& row : rows) {
    std::size_t depth = rows.size();
    for (std::size_t k = 0; k < columns.size(); ++k) depth = std::min(depth, depth_of(row[k], columns[k], is_upper(k)));
    depths.push_back(depth);
  }
  std::sort(depths.begin(), depths.end(), std::greater<>{});
  // One more experiment is exchangeable with the repetitions, hence the 1.
  const auto wanted = static_cast<std::size_t>(std::ceil(coverage * (static_cast<double>(rows.size()) + 1.0)));
  const std::size_t depth = depths[std::min(wanted, rows.size()) - 1];

  std::vector<Predicted> result;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    result.push_back(interval_of(columns[k], depth > 0 ? depth - 1 : 0, is_upper(k)));
  }
  return result;
}

std::vector<Predicted> by_repetition(const Repetition& repeat, const Question& question, const Parallel& parallel) {
  std::vector<std::vector<double>> rows;
  rows.reserve(question.repetitions);
  run_trials(
      question.repetitions, parallel,
      [&](std::size_t i) {
        return values_of(question.statistics, repeat(question.n, static_cast<std::uint32_t>(i)), question.reference);
      },
      [&](std::size_t, std::vector<double> row) { rows.push_back(std::move(row)); });
  std::vector<bool> only_upper;
  for (const Statistic statistic : question.statistics) only_upper.push_back(statistic == Statistic::ks_distance);
  std::vector<Predicted> predicted = simultaneous_intervals(rows, only_upper);
  for (std::size_t k = 0; k < predicted.size(); ++k) {
    if (only_upper[k] && question.distance) predicted[k].p_value = share_as_far(rows, k, *question.distance);
  }
  return predicted;
}

std::vector<Predicted> predict(const Repetition& repeat, const Question& question, const Parallel& parallel) {
  if (question.n <= kMostRepeated) return by_repetition(repeat, question, parallel);
  constexpr std::int64_t kTimes = 20;
  constexpr std::int64_t kMostPooled = 10'000'000;
  const std::int64_t size = question.pool > 0 ? question.pool / kTimes : std::min(question.n, kMostPooled / kTimes);
  Pool pool;
  std::vector<std::vector<double>> experiments;
  run_trials(
      kTimes, parallel, [&](std::size_t i) { return repeat(size, static_cast<std::uint32_t>(i)); },
      [&](std::size_t, const Answers& answers) {
        pool.latencies.merge(answers.latencies);
        pool.lost += static_cast<std::uint64_t>(answers.lost);
        const double times = static_cast<double>(question.n) / static_cast<double>(size);
        Answers scaled{answers.latencies, std::llround(static_cast<double>(answers.lost) * times)};
        experiments.push_back(values_of(question.statistics, scaled));
      });
  return widened(from_pool(pool, question.n, question.statistics), question.statistics, experiments);
}

std::vector<Duration> reference_latencies(const Repetition& repeat, std::int64_t n, std::size_t repetitions,
                                          const Parallel& parallel) {
  // From the far end of the replications' numbers.
  constexpr std::uint32_t kFirst = 0x8000'0000;
  std::vector<Duration> latencies;
  run_trials(
      repetitions, parallel, [&](std::size_t i) { return repeat(n, kFirst + static_cast<std::uint32_t>(i)); },
      [&](std::size_t, const Answers& answers) {
        const std::vector<Duration>& more = answers.latencies.values();
        latencies.insert(latencies.end(), more.begin(), more.end());
      });
  return latencies;
}

}  // namespace vecusim
