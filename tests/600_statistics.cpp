// Intervals against published and exactly computed values, and their coverage by simulation.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "analysis/batches.hpp"
#include "analysis/statistics.hpp"
#include "analysis/summary.hpp"
#include "catch.hpp"
#include "engine/random.hpp"

using namespace vecusim;

namespace {

std::pair<std::uint64_t, std::uint64_t> ranks(std::uint64_t n, double p) {
  const auto found = quantile_ranks(n, p);
  REQUIRE(found);
  return {found->lo, found->hi};
}

}  // namespace

TEST_CASE("the quantiles of the normal and Student's law are those of the tables") {
  CHECK(normal_quantile(0.975) == Approx(1.959963984540054).epsilon(1e-12));
  CHECK(normal_cdf(1.959963984540054) == Approx(0.975).epsilon(1e-12));
  CHECK(student_t_quantile(0.975, 1) == Approx(12.706204736174694).epsilon(1e-9));  // tan(0.475 pi)
  CHECK(student_t_quantile(0.975, 2) == Approx(4.302652729749464).epsilon(1e-9));   // 2a/sqrt(2(1 - a^2)), a = 0.95
  CHECK(student_t_quantile(0.975, 9) == Approx(2.262157163).epsilon(1e-9));
}

TEST_CASE("Clopper and Pearson's limits are exact") {
  // Without a hit (1 - p)^n = 0.05 can be solved; 1 of 100 is a standard example: 0.000253 … 0.0545.
  CHECK(clopper_pearson_upper(0, 100) == Approx(1.0 - std::pow(0.05, 0.01)).epsilon(1e-9));
  CHECK(clopper_pearson_upper(0, 1'000'000) == Approx(2.9957e-6).epsilon(1e-4));
  CHECK(clopper_pearson_upper(3, 1000) == Approx(0.007735244718479472).epsilon(1e-9));
  CHECK(clopper_pearson(1, 100).lo == Approx(0.000253146032977436).epsilon(1e-9));
  CHECK(clopper_pearson(1, 100).hi == Approx(0.054459385392080666).epsilon(1e-9));
  CHECK(clopper_pearson_upper(7, 7) == 1.0);
  CHECK(clopper_pearson_upper(0, 0) == 1.0);
  CHECK(clopper_pearson(0, 10).lo == 0.0);
}

TEST_CASE("a percentile needs ln 0.05 / ln p samples") {
  const auto least = [](double p) {
    std::uint64_t n = 1;
    while (!resolves(n, p)) ++n;
    return n;
  };
  CHECK(least(0.5) == 5);
  CHECK(least(0.9) == 29);
  CHECK(least(0.99) == 299);
  CHECK(least(0.999) == 2995);
  CHECK(least(0.9999) == 29956);
}

TEST_CASE("the nearest rank is exact where p times n is a whole number") {
  CHECK(nearest_rank(100, 0.07) == 7);  // 0.07 * 100 is 7.000000000000001
  CHECK(nearest_rank(100, 0.29) == 29);
  CHECK(nearest_rank(100, 0.5) == 50);
  CHECK(nearest_rank(101, 0.5) == 51);
  CHECK(nearest_rank(299, 0.99) == 297);
  CHECK(nearest_rank(1, 0.001) == 1);
  CHECK(nearest_rank(10, 1.0) == 10);
}

TEST_CASE("the ranks around a percentile are those of the binomial law") {
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  CHECK_FALSE(quantile_ranks(5, 0.5));
  CHECK(ranks(6, 0.5) == Pair{1, 6});
  CHECK(ranks(10, 0.5) == Pair{2, 9});
  CHECK(ranks(20, 0.5) == Pair{6, 15});
  CHECK(ranks(100, 0.5) == Pair{40, 61});
  CHECK(ranks(100, 0.9) == Pair{84, 96});
  CHECK(ranks(400, 0.99) == Pair{392, 400});
}

TEST_CASE("where the greatest sample must be the upper end, the lower end gets what is left") {
  CHECK_FALSE(quantile_ranks(298, 0.99));
  CHECK(ranks(299, 0.99) == std::pair<std::uint64_t, std::uint64_t>{289, 299});
}

TEST_CASE("the interval of a mean is Student's for single samples") {
  // 1 … 10: mean 5.5, standard deviation 3.02765, t(9) = 2.26216.
  std::vector<Group> groups;
  for (int i = 1; i <= 10; ++i) groups.push_back({1, static_cast<double>(i)});
  const auto interval = mean_interval(groups);
  REQUIRE(interval);
  const double reach = 2.262157163 * 3.0276503540974917 / std::sqrt(10.0);
  CHECK(interval->lo == Approx(5.5 - reach).epsilon(1e-9));
  CHECK(interval->hi == Approx(5.5 + reach).epsilon(1e-9));
  CHECK_FALSE(mean_interval(std::vector<Group>{{1, 1.0}}));
}

TEST_CASE("groups of different size weigh by their size") {
  const auto interval = mean_interval(std::vector<Group>{{1, 4.0}, {3, 6.0}});
  REQUIRE(interval);
  CHECK((interval->lo + interval->hi) / 2 == Approx(2.5));
}

TEST_CASE("intervals cover what they claim") {
  // Uniform samples: mean 0.5, quantiles p. The bounds are four standard errors of 2000 repetitions below 95 %.
  constexpr int kRepetitions = 2000;
  constexpr std::size_t kSamples = 100;
  RandomStream stream(7, 0, "coverage");
  int mean = 0;
  int median = 0;
  int p90 = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    std::vector<double> samples(kSamples);
    std::vector<Group> groups;
    for (double& sample : samples) {
      sample = stream.uniform();
      groups.push_back({1, sample});
    }
    const auto interval = mean_interval(groups);
    mean += interval->lo <= 0.5 && 0.5 <= interval->hi ? 1 : 0;
    std::sort(samples.begin(), samples.end());
    const auto covers = [&](double p) {
      const auto [lo, hi] = ranks(kSamples, p);
      return samples[lo - 1] <= p && p < samples[hi - 1] ? 1 : 0;
    };
    median += covers(0.5);
    p90 += covers(0.9);
  }
  const double error = std::sqrt(0.95 * 0.05 / kRepetitions);
  CHECK(mean / static_cast<double>(kRepetitions) == Approx(0.95).margin(4 * error));
  CHECK(median / static_cast<double>(kRepetitions) == Approx(0.9648).margin(4 * error));
  CHECK(p90 / static_cast<double>(kRepetitions) == Approx(0.9557).margin(4 * error));
}

TEST_CASE("batches allow for samples that resemble their neighbours") {
  // Runs of 10 equal samples: 4000 samples are worth 400. Single samples would give an interval three times too narrow,
  // which covers in less than half of the cases.
  constexpr int kRepetitions = 500;
  RandomStream stream(8, 0, "batches");
  int covered = 0;
  for (int i = 0; i < kRepetitions; ++i) {
    Batches batches;
    for (int run = 0; run < 400; ++run) {
      const Duration value = from_us(100.0 * stream.uniform());
      for (int k = 0; k < 10; ++k) batches.add(value);
    }
    const auto interval = mean_interval(batches.groups());
    covered += interval->lo <= 50.0 && 50.0 <= interval->hi ? 1 : 0;
  }
  CHECK(covered > 0.90 * kRepetitions);
  CHECK(covered < 0.995 * kRepetitions);
}

TEST_CASE("batches keep every sample, in at most 64 groups") {
  Batches batches;
  for (int i = 1; i <= 1000; ++i) batches.add(1us * i);
  std::uint64_t n = 0;
  double sum = 0.0;
  for (const Group& group : batches.groups()) {
    n += group.n;
    sum += group.sum;
  }
  CHECK(batches.groups().size() == 63);  // of 16
  CHECK(n == 1000);
  CHECK(sum == Approx(500500.0));
}

TEST_CASE("of several replications each is a group, however few they are") {
  Batches all;
  for (int replication = 0; replication < 3; ++replication) {
    Batches one;
    one.add(1us);
    one.add(1us * replication);
    if (replication == 0) {
      all = one;
    } else {
      all.merge(one);
    }
    CHECK(all.groups().size() == std::max(2U, static_cast<unsigned>(replication) + 1U));
  }
  CHECK(all.groups()[2].n == 2);
  CHECK(all.groups()[2].sum == Approx(3.0));
}

TEST_CASE("the design effect is that of groups whose samples are all alike, and 1 of independent ones") {
  // Half of the groups have only hits, half none: n samples count as k groups do.
  std::vector<Group> alike;
  for (int i = 0; i < 1000; ++i) alike.push_back({20, i % 2 == 0 ? 20.0 : 0.0});
  CHECK(design_effect(alike) == Approx(20.0).epsilon(0.01));
  std::vector<Group> even(1000, Group{20, 10.0});
  CHECK(design_effect(even) == 1.0);
  CHECK(design_effect(std::vector<Group>{{20, 10.0}}) == 1.0);
  CHECK(design_effect(std::vector<Group>(10, Group{20, 0.0})) == 1.0);
  const auto stretched = quantile_ranks(20000, 0.5, 20.0);
  const auto plain = quantile_ranks(1000, 0.5);
  REQUIRE(stretched);
  CHECK(stretched->lo == (plain->lo - 1) * 20 + 1);
  CHECK(stretched->hi == plain->hi * 20);
  CHECK_FALSE(quantile_ranks(100, 0.5, 50.0));
}

TEST_CASE("percentile intervals cover as they say when samples of a group resemble each other") {
  // 40 benches of 25 samples, each bench shifted as a whole as much as its samples scatter.
  constexpr int kTrials = 400;
  constexpr int kBenches = 40;
  constexpr int kEach = 25;
  constexpr double kP = 0.9;
  const double truth = std::sqrt(2.0) * normal_quantile(kP);
  std::uint64_t covered = 0;
  std::uint64_t covered_if_independent = 0;
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    RandomStream stream(3, trial, "benches");
    std::vector<double> all;
    for (int b = 0; b < kBenches; ++b) {
      const double shift = normal_quantile(stream.uniform());
      for (int i = 0; i < kEach; ++i) all.push_back(shift + normal_quantile(stream.uniform()));
    }
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    const double quantile = sorted[nearest_rank(sorted.size(), kP) - 1];
    std::vector<Group> hits;
    for (int b = 0; b < kBenches; ++b) {
      Group group;
      for (int i = 0; i < kEach; ++i) group.sum += all[static_cast<std::size_t>(b * kEach + i)] <= quantile ? 1.0 : 0.0;
      group.n = kEach;
      hits.push_back(group);
    }
    const auto holds = [&](const std::optional<Ranks>& ranks) {
      return ranks && sorted[ranks->lo - 1] <= truth && truth <= sorted[ranks->hi - 1] ? 1 : 0;
    };
    covered += holds(quantile_ranks(sorted.size(), kP, design_effect(hits)));
    covered_if_independent += holds(quantile_ranks(sorted.size(), kP));
  }
  INFO(covered << " of 400, " << covered_if_independent << " if the samples are taken as independent");
  CHECK(binomial_cdf(covered, kTrials, 0.95) > 0.001);
  CHECK(covered_if_independent < 300);
}

namespace {

/// One experiment: replications of 500 normal samples, each replication shifted as a whole by `between` times what its
/// samples scatter.
LatencyTally shifted_replications(int replications, double between, std::uint32_t trial) {
  constexpr int kEach = 500;
  RandomStream stream(9, trial, "replications");
  LatencyTally tally;
  for (int r = 0; r < replications; ++r) {
    const double shift = between * normal_quantile(stream.uniform());
    Batches batches;
    for (int i = 0; i < kEach; ++i) {
      const Duration latency = from_us(1000.0 + 10.0 * (shift + normal_quantile(stream.uniform())));
      tally.samples.add(latency);
      batches.add(latency);
    }
    if (r == 0) {
      tally.batches = batches;
    } else {
      tally.batches.merge(batches);
    }
  }
  return tally;
}

}  // namespace

TEST_CASE(
    "of twenty experiments at most one says something wrong of a percentile or the mean, however few replications") {
  // Few replications that differ seldom bear an interval; where none is given nothing wrong is said.
  constexpr std::uint64_t kTrials = 200;
  for (const double between : {0.0, 0.3, 2.0}) {
    for (const int replications : {2, 3, 5, 9}) {
      std::array<std::uint64_t, 4> wrong{};
      std::array<std::uint64_t, 4> given{};
      for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
        const LatencyResult result =
            summarize({"edge", "edge", "response", {}}, shifted_replications(replications, between, trial), {}, true);
        const auto count = [&](std::size_t k, double truth, double lo, double hi) {
          ++given[k];
          wrong[k] += truth < lo || hi < truth ? 1 : 0;
        };
        for (std::size_t k = 0; k < 3; ++k) {
          if (!result.quantiles[k].ci95) continue;
          const double truth = 1000.0 + 10.0 * std::hypot(1.0, between) * normal_quantile(kLevelList[k].p);
          count(k, truth, to_us(result.quantiles[k].ci95->lo), to_us(result.quantiles[k].ci95->hi));
        }
        count(3, 1000.0, result.mean_ci95->lo, result.mean_ci95->hi);
      }
      for (std::size_t k = 0; k < wrong.size(); ++k) {
        INFO(replications << " replications, between " << between << ", figure " << k << ": " << wrong[k]
                          << " wrong of " << given[k]);
        CHECK(1.0 - binomial_cdf(wrong[k], kTrials, 0.05) > 0.0005);
      }
      // Replications that do not differ bear the intervals, from three on.
      if (between == 0.0 && replications >= 3) CHECK(given[1] > 4 * kTrials / 5);
    }
  }
}

TEST_CASE("percentiles of one replication allow for samples that resemble their neighbours") {
  constexpr std::uint64_t kTrials = 400;
  std::uint64_t covered = 0;
  std::uint64_t given = 0;
  for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
    RandomStream stream(10, trial, "neighbours");
    LatencyTally tally;
    for (int run = 0; run < 200; ++run) {
      const Duration value = from_us(100.0 * stream.uniform());
      for (int k = 0; k < 10; ++k) {
        tally.samples.add(value);
        tally.batches.add(value);
      }
    }
    const auto interval = summarize({"edge", "edge", "response", {}}, tally, {}, true).quantiles[1].ci95;
    if (!interval) continue;
    ++given;
    covered += to_us(interval->lo) <= 90.0 && 90.0 <= to_us(interval->hi) ? 1 : 0;
  }
  INFO(covered << " of " << given);
  CHECK(given > 350);
  CHECK(binomial_cdf(covered, given, 0.94) > 0.001);
}
