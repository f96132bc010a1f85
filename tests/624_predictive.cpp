// Predictive intervals: do they hold what they promise?
#include <cmath>
#include <limits>

#include "analysis/predictive.hpp"
#include "catch.hpp"
#include "engine/random.hpp"

using namespace vecusim;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Latencies of an exponential law above a floor: skewed as real ones are, with known order statistics.
Duration exponential(RandomStream& stream) { return from_us(100.0 - 20.0 * std::log(stream.uniform())); }

Answers experiment(std::uint64_t seed, std::int64_t n, std::uint32_t index, double loss = 0.0) {
  RandomStream stream{seed, index, "bench"};
  Answers answers;
  for (std::int64_t i = 0; i < n; ++i) {
    if (loss > 0.0 && stream.uniform() < loss) {
      ++answers.lost;
    } else {
      answers.latencies.add(exponential(stream));
    }
  }
  return answers;
}

Repetition model(std::uint64_t seed, double loss = 0.0) {
  return [seed, loss](std::int64_t n, std::uint32_t index) { return experiment(seed, n, index, loss); };
}

bool all_inside(const std::vector<double>& values, const std::vector<Predicted>& predicted) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!(predicted[k].lo <= values[k] && values[k] <= predicted[k].hi)) return false;
  }
  return true;
}

/// The share of `trials` new experiments whose statistics all lie inside.
double coverage(const std::vector<Predicted>& predicted, const Question& question, int trials, double loss = 0.0) {
  int inside = 0;
  for (int i = 0; i < trials; ++i) {
    const Answers answers = experiment(99, question.n, static_cast<std::uint32_t>(i), loss);
    inside += all_inside(values_of(question.statistics, answers, question.reference), predicted) ? 1 : 0;
  }
  return static_cast<double>(inside) / trials;
}

const Parallel kOneThread{1};

}  // namespace

TEST_CASE("intervals give up as many values at each end of each column as leave 95 rows of 99 inside") {
  // Both columns order the rows alike, so giving up c values at each end excludes 2c rows of 99.
  std::vector<std::vector<double>> rows;
  for (int i = 1; i <= 99; ++i) rows.push_back({static_cast<double>(i), -10.0 * i});
  const auto predicted = simultaneous_intervals(rows);
  // 0.95 (99 + 1) = 95 rows inside: two given up at each end.
  CHECK(predicted[0].lo == 3.0);
  CHECK(predicted[0].hi == 97.0);
  CHECK(predicted[0].value == 50.0);
  CHECK(predicted[1].lo == -970.0);
  CHECK(predicted[1].hi == -30.0);
}

TEST_CASE("columns that disagree give up less") {
  // Rows that are extreme in one column are ordinary in the other: each value given up costs its own row.
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 99; ++i) rows.push_back({static_cast<double>(i), static_cast<double>((i + 50) % 99)});
  const auto predicted = simultaneous_intervals(rows);
  CHECK(predicted[0].lo == 1.0);
  CHECK(predicted[0].hi == 97.0);
}

TEST_CASE("ties are inside: a constant column has a closed interval of no width") {
  const auto predicted = simultaneous_intervals({{7.0, 1.0}, {7.0, 2.0}, {7.0, 3.0}});
  CHECK(predicted[0].lo == 7.0);
  CHECK(predicted[0].hi == 7.0);
  CHECK(predicted[1].lo == 1.0);
  CHECK(predicted[1].hi == 3.0);
}

TEST_CASE("a rare value of a column of two is not cut off by its ties") {
  // 90 zeros and 10 ones: 95 % cannot do without the ones.
  std::vector<std::vector<double>> rows(90, {0.0});
  rows.resize(100, {1.0});
  const auto predicted = simultaneous_intervals(rows);
  CHECK(predicted[0].lo == 0.0);
  CHECK(predicted[0].hi == 1.0);
}

TEST_CASE("an upper column has no lower end") {
  std::vector<std::vector<double>> rows;
  for (int i = 1; i <= 99; ++i) rows.push_back({static_cast<double>(i)});
  const auto predicted = simultaneous_intervals(rows, {true});
  CHECK(predicted[0].lo == -std::numeric_limits<double>::infinity());
  CHECK(predicted[0].hi == 95.0);
}

TEST_CASE("rows without a value are outside, and a column without any has no interval") {
  const auto predicted = simultaneous_intervals({{1.0, kNan}, {2.0, kNan}, {kNan, kNan}});
  CHECK(predicted[0].lo == 1.0);
  CHECK(predicted[0].hi == 2.0);
  CHECK(std::isnan(predicted[1].value));
}

TEST_CASE("intervals by repetition hold all statistics of a new experiment in 95 % of the cases") {
  const Question question{100, {Statistic::min, Statistic::mean, Statistic::p50, Statistic::max}};
  const auto predicted = by_repetition(model(1), question, kOneThread);
  // 2000 repetitions and 4000 trials: standard error 0.0060 together; 4.9 of them once in a million.
  CHECK(coverage(predicted, question, 4000) == Approx(0.95).margin(0.030));
  // The minimum of 100 is 100 us + Exp(20 us / 100).
  CHECK(predicted[0].value == Approx(100.0 + 0.2 * std::log(2.0)).epsilon(0.001));
}

TEST_CASE("intervals by repetition keep their promise for counts, which tie") {
  const Question question{50, {Statistic::lost, Statistic::max}};
  const auto predicted = by_repetition(model(1, 0.02), question, kOneThread);
  CHECK(coverage(predicted, question, 4000, 0.02) >= 0.92);
  CHECK(predicted[0].value == 1.0);
  CHECK(predicted[0].lo == 0.0);
}

TEST_CASE("the distance from a reference is judged by how far repetitions are from it") {
  const Repetition repeat = model(1);
  const Reference reference{reference_latencies(repeat, 100, 50, kOneThread), 1us};
  const Question question{100, {Statistic::mean, Statistic::ks_distance}, &reference};
  const auto predicted = by_repetition(repeat, question, kOneThread);
  CHECK(coverage(predicted, question, 2000) == Approx(0.95).margin(0.034));
  // Kolmogorov's 97.5 % point for 100 samples is 1.48 / 10; the mean takes half of the 5 %.
  CHECK(predicted[1].hi == Approx(0.148).margin(0.02));
  CHECK(reference_latencies(repeat, 100, 50, kOneThread).size() == 5000);
}

TEST_CASE("intervals do not depend on the number of threads") {
  const Question question{20, {Statistic::min, Statistic::std, Statistic::p90, Statistic::max}, nullptr, 200};
  const auto one = by_repetition(model(3), question, Parallel{1});
  const auto two = by_repetition(model(3), question, Parallel{2});
  for (std::size_t k = 0; k < one.size(); ++k) {
    CHECK(one[k].lo == two[k].lo);
    CHECK(one[k].value == two[k].value);
    CHECK(one[k].hi == two[k].hi);
  }
}

TEST_CASE("intervals from a pool hold a new experiment at least as often as promised") {
  constexpr std::int64_t kN = 20'000;
  const Question question{kN,
                          {Statistic::min, Statistic::mean, Statistic::std, Statistic::p50, Statistic::p99,
                           Statistic::p99_99, Statistic::max, Statistic::lost}};
  const auto predicted = predict(model(1, 1e-3), question, kOneThread);
  // Bonferroni: at least 95 %, less four standard errors of 300 trials and the pool's own chance.
  CHECK(coverage(predicted, question, 300, 1e-3) >= 0.89);

  const double alpha = 0.05 / 8.0;
  // The maximum of n exceeds 100 us + 20 us x with probability n e^-x, for small values of it.
  // The outermost 100 of the pool know the tail's 20 µs to a tenth, and that counts ln(100 / (20 · alpha / 2)) times.
  const double tail_error = 0.1 * 20.0 * std::log(100.0 / (20.0 * 0.5 * alpha));
  CHECK(predicted[6].hi == Approx(100.0 + 20.0 * std::log(kN / (0.5 * alpha))).margin(3.0 * tail_error));
  CHECK(predicted[6].value == Approx(100.0 + 20.0 * std::log(kN / std::log(2.0))).epsilon(0.03));
  CHECK(predicted[6].extrapolated);
  CHECK(!predicted[1].extrapolated);
  CHECK(!predicted[3].extrapolated);
  // 120 ± z 20 / sqrt(n), the pool being twenty times as large; by the scatter of twenty experiments t instead of z.
  const double half = student_t_quantile(1.0 - 0.5 * alpha, 19.0) * 20.0 * std::sqrt(1.05 / (kN * 0.999));
  CHECK(predicted[1].hi - predicted[1].lo < 1.6 * 2.0 * half);
  CHECK(predicted[1].hi - predicted[1].lo > 0.6 * 2.0 * half);
  CHECK(predicted[1].value == Approx(120.0).epsilon(0.003));
  // One lost edge in a thousand of 20 000: 20, at least ± 3 sigma; more, because the pool lost only some 400.
  CHECK(predicted[7].lo == Approx(4.0).margin(4.0));
  CHECK(predicted[7].hi == Approx(37.0).margin(6.0));
}

TEST_CASE("large experiments whose edges resemble each other scatter as whole experiments do") {
  constexpr std::int64_t kN = 20'000;
  const auto in_whole = [](std::uint64_t seed) -> Repetition {
    return [seed](std::int64_t n, std::uint32_t index) {
      RandomStream stream{seed, index, "whole"};
      const double shift = normal_quantile(stream.uniform());
      Answers answers;
      for (std::int64_t i = 0; i < n; ++i) answers.latencies.add(from_us(100.0 + shift + stream.uniform()));
      return answers;
    };
  };
  const std::vector<Statistic> statistics = {Statistic::mean, Statistic::p50, Statistic::p99};
  const auto predicted = predict(in_whole(1), {kN, statistics}, kOneThread);
  int inside = 0;
  for (std::uint32_t i = 0; i < 100; ++i)
    inside += all_inside(values_of(statistics, in_whole(2)(kN, i)), predicted) ? 1 : 0;
  CHECK(inside >= 88);
}

TEST_CASE("neighbours that resemble each other widen the interval of the mean") {
  // Batches of 100 equal values: the mean of n has the variance of n / 100 independent ones.
  const auto pooled = [](bool alike) {
    RandomStream stream{5, 0, "pool"};
    Pool pool;
    for (int group = 0; group < 100; ++group) {
      Group sums;
      Duration value = exponential(stream);
      for (int i = 0; i < 100; ++i) {
        if (!alike) value = exponential(stream);
        pool.latencies.add(value);
        ++sums.n;
        sums.sum += to_us(value);
      }
      pool.groups.push_back(sums);
    }
    return from_pool(pool, 1000, {Statistic::mean}).front();
  };
  const Predicted independent = pooled(false);
  const Predicted alike = pooled(true);
  CHECK((alike.hi - alike.lo) / (independent.hi - independent.lo) == Approx(10.0).epsilon(0.4));
}

TEST_CASE("a model that never answers predicts no latency") {
  const Repetition mute = [](std::int64_t n, std::uint32_t) { return Answers{{}, n}; };
  const auto few = predict(mute, {10, {Statistic::mean, Statistic::lost}, nullptr, 20}, kOneThread);
  CHECK(std::isnan(few[0].value));
  CHECK(few[1].value == 10.0);
  CHECK(std::isnan(predict(mute, {20'000, {Statistic::mean}}, kOneThread)[0].value));
}
