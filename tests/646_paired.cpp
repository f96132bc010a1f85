// Paired differences: what common random numbers take away, and what the intervals hold.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analysis/metric.hpp"
#include "analysis/paired.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

Sweep sweep_of(const std::string& values, Settings settings = {}, const std::string& scenario = "pi4-native") {
  Problems problems;
  settings.insert(settings.begin(), "/interrupts/0/stimulus/period_ms=10");
  return plan_sweep(load_scenario(scenario, settings), {alone(json::parse_variation(values, problems).value())});
}

/// Of the second point from the first.
std::vector<PairedDifference> paired(const Sweep& sweep, const RunOptions& options) {
  std::optional<PairedBase> base;
  std::vector<PairedDifference> differences;
  run_sweep(sweep, options, nullptr, [&](const SweepRow& row) {
    if (base) differences = base->differences(row);
    if (!base) base.emplace(row);
  });
  return differences;
}

const PairedDifference& at(const std::vector<PairedDifference>& differences, const std::string& path) {
  for (const PairedDifference& difference : differences) {
    if (difference.path == path) return difference;
  }
  throw std::logic_error("no " + path);
}

}  // namespace

TEST_CASE("The interval of alike estimates is narrower than of independent ones, and none of the same") {
  const Interval apart = correlated_interval(10.0, {7.0, 13.0}, 12.0, {8.0, 16.0}, 0.0);
  CHECK(apart.lo == Approx(2.0 - 5.0));
  CHECK(apart.hi == Approx(2.0 + 5.0));
  const Interval alike = correlated_interval(10.0, {7.0, 13.0}, 12.0, {8.0, 16.0}, 1.0);
  CHECK(alike.lo == Approx(2.0 - 1.0));
  CHECK(alike.hi == Approx(2.0 + 1.0));
}

TEST_CASE("Points that are the same have no difference, for sure") {
  const auto differences = paired(sweep_of("/title=a,b"), {.replications = 12});
  CHECK(differences.size() > 10);
  for (const PairedDifference& difference : differences) {
    INFO(difference.path);
    CHECK(difference.change == 0.0);
    if (difference.interval95) {
      CHECK(difference.interval95->lo == Approx(0.0).margin(1e-9));
      CHECK(difference.interval95->hi == Approx(0.0).margin(1e-9));
    }
  }
  CHECK(at(differences, "latency.edge.mean_us").interval95);
}

TEST_CASE(
    "The paired difference of a mean is Student's, of the replications' own differences and what they may have "
    "missed") {
  const Sweep sweep = sweep_of("/board/clock_mhz=600,700");
  std::vector<double> differences;
  std::vector<double> before(2, 0.0);
  std::array<std::vector<double>, 2> means;
  for (std::uint64_t n = 1; n <= 6; ++n) {
    std::vector<double> sums;
    run_sweep(sweep, {.replications = n}, nullptr, [&](const SweepRow& row) {
      sums.push_back(1e-6 * static_cast<double>(row.result.latency[0].sum.count()));
      REQUIRE(row.result.latency[0].n == 100 * n);
    });
    for (std::size_t point = 0; point < 2; ++point) means[point].push_back((sums[point] - before[point]) / 100.0);
    before = sums;
    differences.push_back(means[1].back() - means[0].back());
  }
  const auto squares = [](const std::vector<double>& values) {
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 6.0;
    double sum = 0.0;
    for (const double value : values) sum += (value - mean) * (value - mean);
    return sum;
  };
  const double missed = std::log(20.0) / 6.0 * (squares(means[0]) + squares(means[1]));
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / 6.0;
  const double reach = student_t_quantile(0.975, 5.0) * std::sqrt((squares(differences) + missed) / 30.0);
  const PairedDifference difference = at(paired(sweep, {.replications = 6}), "latency.edge.mean_us");
  CHECK(difference.change == Approx(mean));
  CHECK(difference.interval95->lo == Approx(mean - reach));
  CHECK(difference.interval95->hi == Approx(mean + reach));
}

TEST_CASE("Paired intervals hold the true difference, and are sharper than independent ones", "[long]") {
  // So many replications that what one experiment in ten shows has been seen.
  const RunOptions options{.replications = 64, .parallel = {.threads = 2}};
  const Sweep sweep = sweep_of("/board/clock_mhz=600,700");
  constexpr std::uint64_t kTries = 60;
  std::vector<std::vector<PairedDifference>> tries;
  for (std::uint64_t seed = 1; seed <= kTries; ++seed) {
    RunOptions with_seed = options;
    with_seed.seed = seed;
    tries.push_back(paired(sweep, with_seed));
  }
  for (const std::string figure : {"mean_us", "p50_us", "p90_us"}) {
    INFO(figure);
    // All tries together know it better than each: of a percentile their median, of a mean their mean.
    std::vector<double> changes;
    double widths = 0.0;
    for (const auto& differences : tries) {
      const PairedDifference& difference = at(differences, "latency.edge." + figure);
      REQUIRE(difference.interval95);
      changes.push_back(difference.change);
      widths += difference.interval95->hi - difference.interval95->lo;
    }
    std::sort(changes.begin(), changes.end());
    const double mean = std::accumulate(changes.begin(), changes.end(), 0.0) / static_cast<double>(kTries);
    const double truth = figure == "mean_us" ? mean : changes[kTries / 2];
    const auto inside = std::count_if(tries.begin(), tries.end(), [&](const auto& differences) {
      const Interval interval = at(differences, "latency.edge." + figure).interval95.value();
      return interval.lo <= truth && truth <= interval.hi;
    });
    // Binomial(60, 0.95): fewer than 51 in fewer than one of 250 tries.
    CHECK(inside >= 51);
    double independent = 0.0;
    run_sweep(sweep, options, nullptr, [&](const SweepRow& row) {
      const auto lo = number_at(row.columns(), "latency.edge.ci95." + figure + ".lo");
      const auto hi = number_at(row.columns(), "latency.edge.ci95." + figure + ".hi");
      independent = std::hypot(independent, *hi - *lo);
    });
    CHECK(widths / static_cast<double>(kTries) < independent);
  }
}

TEST_CASE("Loads, rates and flows have paired intervals too, after having been remembered as well") {
  Problems problems;
  const Sweep sweep = plan_sweep(load_scenario("vc3-rswitch2-rx", {"/run/warmup_ms=0", "/run/measure_ms=5"}),
                                 {alone(json::parse_variation("/network/flows/0/rate_mbps=50,55", problems).value())});
  const auto differences = paired(sweep, {.replications = 6});
  for (const char* path :
       {"network.udp.goodput_mbps", "network.udp.latency.mean_us", "load.dom0.pcpu_pct", "counters.interrupts_per_s"}) {
    INFO(path);
    const PairedDifference& difference = at(differences, path);
    REQUIRE(difference.interval95);
    CHECK(difference.interval95->lo <= difference.change);
    CHECK(difference.interval95->hi >= difference.change);
  }
  CHECK(at(differences, "network.udp.goodput_mbps").interval95->lo > 0.0);
}

TEST_CASE("One replication, or another number than the base has, gives a difference without an interval") {
  const auto one = paired(sweep_of("/board/clock_mhz=600,700"), {.replications = 1});
  CHECK(at(one, "latency.edge.mean_us").change < 0.0);
  for (const PairedDifference& difference : one) CHECK_FALSE(difference.interval95);
  const auto unequal = paired(sweep_of("/run/replications=4,8"), {});
  for (const PairedDifference& difference : unequal) CHECK_FALSE(difference.interval95);
}

TEST_CASE("A point is named by its values or its number") {
  Problems problems;
  const auto variation = [&](const char* text) { return alone(json::parse_variation(text, problems).value()); };
  const Sweep sweep =
      plan_sweep(load_scenario("pi4-native"), {variation("/board/clock_mhz=600,1500"), variation("/run/seed=1,2")});
  CHECK(named_point(sweep, {"/board/clock_mhz=1.5e3", "/run/seed=2"}, "--x").index == 3);
  CHECK(named_point(sweep, {"2"}, "--x").index == 1);
  CHECK_THROWS_WITH(named_point(sweep, {"/board/clock_mhz=600"}, "--x"), Catch::Contains("which 2 points have"));
  CHECK_THROWS_WITH(named_point(sweep, {"/board/clock_mhz=700"}, "--x"), Catch::Contains("which 0 points have"));
  CHECK_THROWS_WITH(named_point(sweep, {"5"}, "--x"), Catch::Contains("a point from 1 to 4"));
  CHECK_THROWS_AS(named_point(sweep, {"clock"}, "--x"), InvalidInput);
}
