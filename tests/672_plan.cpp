// How long to measure: sample sizes by hand, and by the power of simulated benches.
#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/plan.hpp"
#include "catch.hpp"
#include "engine/random.hpp"

using namespace vecusim;

namespace {

Claim claim(const std::string& text) {
  Problems problems;
  const auto parsed = parse_claim(text, problems, "--claim");
  INFO(problems.text());
  REQUIRE(parsed);
  return *parsed;
}

/// Normal latencies around `mean` µs with a standard deviation of 2 µs.
std::vector<Duration> normal(double mean, std::size_t n, std::uint32_t index) {
  RandomStream stream(5, index, "normal");
  std::vector<Duration> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(from_us(mean + 2.0 * normal_quantile(stream.uniform())));
  return values;
}

Foreseen foreseen(const std::vector<Duration>& values) {
  Foreseen result;
  for (const Duration value : values) result.pool.latencies.add(value);
  return result;
}

double mean_us(const std::vector<Duration>& values) {
  double sum = 0.0;
  for (const Duration value : values) sum += to_us(value);
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("claims are read in the forms people write") {
  CHECK(claim("p99.99").figure.name == "p99_99_us");
  CHECK(claim("p99_9_us").figure.level == 0.999);
  CHECK(claim("p99_us ± 2%").limit == Approx(0.02));
  CHECK(claim("mean +- 0.5 %").limit == Approx(0.005));
  CHECK_FALSE(claim("mean±1%").figure.level);
  CHECK(claim("miss_ppm < 10").limit == Approx(1e-5));
  for (const char* wrong : {"", "p98", "mean", "p99 ± 2", "p99 ± 0%", "p99 ± 100%", "miss_ppm < 0", "miss_ppm > 3"}) {
    Problems problems;
    INFO(wrong);
    CHECK_FALSE(parse_claim(wrong, problems, "--claim"));
    CHECK(problems.errors() == 1);
  }
}

TEST_CASE("a percentile takes ln 0.05 / ln p edges") {
  CHECK(edges_to_bound(0.99) == 299);
  CHECK(edges_to_bound(0.999) == 2995);
  CHECK(edges_to_bound(0.9999) == 29956);
  CHECK(plan(claim("p99"), {}).edges == 299);
  CHECK(resolves(299, 0.99));
  CHECK_FALSE(resolves(298, 0.99));
}

TEST_CASE("a rate of misses takes three over it, and more if some miss") {
  // 1 - 0.05^(1/n) < 10^-5: ln 0.05 / ln(1 - 10^-5) = 299571.8.
  CHECK(edges_for_misses(0, 1e-5) == 299572);
  Foreseen none = foreseen(normal(100.0, 1000, 0));
  none.misses = 0;
  CHECK(plan(claim("miss_ppm < 10"), none).edges == 299572);
  Foreseen some = none;
  some.misses = 1;  // 1000 ppm
  const Planned planned = plan(claim("miss_ppm < 3000"), some);
  REQUIRE(planned.edges);
  // With that many edges and the rate of the model, at least nine benches in ten stay below the claim.
  std::uint64_t allowed = 0;
  while (clopper_pearson_upper(allowed + 1, *planned.edges) < 3e-3) ++allowed;
  CHECK(binomial_cdf(allowed, *planned.edges, 1e-3) >= 0.9);
  CHECK_FALSE(plan(claim("miss_ppm < 900"), some).edges);
  CHECK_THAT(plan(claim("miss_ppm < 900"), some).reason, Catch::Contains("not true in the model"));
  CHECK_THAT(plan(claim("miss_ppm < 900"), foreseen({1us, 2us})).reason, Catch::Contains("no requirement"));
}

TEST_CASE("a mean takes (1.96 σ / reach)² edges, counted with their dependence") {
  Foreseen two = foreseen(std::vector<Duration>(500, 98us));
  for (int i = 0; i < 500; ++i) two.pool.latencies.add(102us);
  // σ = 2 µs; 1.96 · 2 / 1 squared is 15.4.
  CHECK(plan(claim("mean ± 1%"), two).edges == 16);
  // Ten groups, each all of one kind: 100 samples count as one.
  for (int i = 0; i < 10; ++i) two.pool.groups.push_back({100, i % 2 == 0 ? 9800.0 : 10200.0});
  CHECK(*plan(claim("mean ± 1%"), two).edges == Approx(1600).epsilon(0.15));
}

TEST_CASE("benches of the planned size reach a percentile's precision about half of the time, and soon always") {
  const Planned planned = plan(claim("p90 ± 0.5%"), foreseen(normal(100.0, 16000, 0)));
  REQUIRE(planned.edges);
  const auto reached = [](std::uint64_t n) {
    int count = 0;
    for (std::uint32_t i = 1; i <= 100; ++i) {
      Samples samples;
      for (const Duration value : normal(100.0, n, i)) samples.add(value);
      const OrderStatistics order(samples);
      const auto ranks = quantile_ranks(n, 0.9);
      REQUIRE(ranks);
      const double value = to_us(order.quantile(0.9));
      const double reach = std::max(to_us(order.at_rank(ranks->hi)) - value, value - to_us(order.at_rank(ranks->lo)));
      count += reach <= 0.005 * value ? 1 : 0;
    }
    return count;
  };
  CHECK(reached(*planned.edges) > 20);
  CHECK(reached(*planned.edges / 3) < 10);
  CHECK(reached(*planned.edges * 2) > 90);
}

TEST_CASE("benches of the planned size tell two means apart nine times in ten") {
  const Foreseen a = foreseen(normal(100.0, 16000, 0));
  const Foreseen b = foreseen(normal(101.0, 16000, 1));
  const std::vector<Planned> planned = plan_difference(a, b, {});
  REQUIRE(planned.size() == 2);
  REQUIRE(planned[0].edges);
  const std::size_t n = *planned[0].edges;
  // (1.96 + 1.28)² · 8 / 1 = 84.
  CHECK(static_cast<double>(n) == Approx(84).epsilon(0.1));
  constexpr std::uint64_t kBenches = 400;
  std::uint64_t told = 0;
  std::uint64_t told_laws = 0;
  REQUIRE(planned[1].edges);
  const std::size_t n_laws = *planned[1].edges;
  for (std::uint32_t i = 0; i < kBenches; ++i) {
    const double difference = mean_us(normal(101.0, n, 1000 + i)) - mean_us(normal(100.0, n, 5000 + i));
    told += std::abs(difference) > 1.96 * 2.0 * std::sqrt(2.0 / static_cast<double>(n)) ? 1 : 0;
    std::vector<Duration> x = normal(101.0, n_laws, 10000 + i);
    std::vector<Duration> y = normal(100.0, n_laws, 20000 + i);
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    told_laws += kolmogorov_smirnov(x, y).p_value < 0.05 ? 1 : 0;
  }
  INFO(told << " and " << told_laws << " of " << kBenches);
  CHECK(binomial_cdf(told, kBenches, 0.9) > 0.001);
  CHECK(1.0 - binomial_cdf(told - 1, kBenches, 0.9) > 0.001);
  // This plan is an upper bound: the distance scatters less than it allows for.
  CHECK(binomial_cdf(told_laws, kBenches, 0.85) > 0.001);
  CHECK(plan_difference(a, b, 0.5)[0].edges.value() == Approx(4 * 84).epsilon(0.1));
  CHECK_FALSE(plan_difference(a, a, {})[0].edges);
}
