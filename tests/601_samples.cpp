// Samples and their histogram: exact sums, order statistics within 0.1 %, and nothing that depends on order.
#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/samples.hpp"
#include "analysis/statistics.hpp"
#include "catch.hpp"
#include "engine/random.hpp"
#include "property.hpp"

using namespace vecusim;

namespace {

Samples of(const std::vector<Duration>& values) {
  Samples samples;
  for (const Duration value : values) samples.add(value);
  return samples;
}

/// Between 1 µs and 1 s, as many in each octave.
std::vector<Duration> spread(std::size_t n) {
  RandomStream stream(3, 0, "spread");
  std::vector<Duration> values(n);
  for (Duration& value : values) value = from_us(std::exp2(20.0 * stream.uniform()));
  return values;
}

}  // namespace

TEST_CASE("every value is in its bucket, and a bucket is at most 0.2 % wide") {
  test::check_property(
      [](std::uint64_t raw) {
        const Duration value{static_cast<std::int64_t>(raw >> (1 + raw % 62))};
        const std::size_t index = LogHistogram::index(value);
        const Duration from = LogHistogram::lower_bound(index);
        const Duration below = LogHistogram::lower_bound(index + 1);
        RC_ASSERT(from <= value);
        RC_ASSERT(value < below);
        RC_ASSERT((below - from).count() == 1 ||
                  static_cast<double>((below - from).count()) <= 0.002 * static_cast<double>(from.count()));
      },
      2000, 1000);
  CHECK(LogHistogram::index(Duration::zero()) == 0);
  CHECK(LogHistogram::lower_bound(LogHistogram::index(Duration::max())) <= Duration::max());
}

TEST_CASE("mean and standard deviation are those of the definition") {
  const Samples samples = of({2us, 4us, 4us, 4us, 5us, 5us, 7us, 9us});
  CHECK(samples.n() == 8);
  CHECK(samples.sum() == 40us);
  CHECK(samples.mean_us() == 5.0);
  CHECK(*samples.std_us() == Approx(std::sqrt(32.0 / 7.0)).epsilon(1e-15));
  CHECK(samples.min() == 2us);
  CHECK(samples.max() == 9us);
  CHECK_FALSE(of({1us}).std_us());
}

TEST_CASE("the standard deviation of nearly equal large values does not cancel") {
  // 1 s and 1 s + 1 ps: 0.7071 ps.
  CHECK(*of({1s, 1s + Duration{1}}).std_us() == Approx(std::sqrt(0.5) * 1e-6).epsilon(1e-12));
}

TEST_CASE("order statistics of few samples are the samples") {
  const Samples samples = of({5us, 1us, 3us, 2us, 4us});
  const OrderStatistics order(samples);
  CHECK(order.at_rank(1) == 1us);
  CHECK(order.at_rank(4) == 4us);
  CHECK(order.quantile(0.5) == 3us);
  CHECK(order.quantile(0.9) == 5us);
}

TEST_CASE("order statistics of many samples are within 0.1 % and the extremes are exact") {
  std::vector<Duration> values = spread(Samples::kExact * 3);
  const Samples samples = of(values);
  REQUIRE_FALSE(samples.exact());
  std::sort(values.begin(), values.end());
  const OrderStatistics order(samples);
  double worst = 0.0;
  for (std::uint64_t rank = 1; rank <= samples.n(); rank += 97) {
    worst = std::max(worst, std::abs(to_us(order.at_rank(rank)) / to_us(values[rank - 1]) - 1.0));
  }
  CHECK(worst <= 0.001);
  CHECK(order.at_rank(1) == values.front());
  CHECK(order.at_rank(samples.n()) == values.back());
  Duration sum{};
  for (const Duration value : values) sum += value;
  CHECK(samples.sum() == sum);
}

TEST_CASE("merging in any grouping gives the same as adding one by one") {
  const std::vector<Duration> values = spread(Samples::kExact + 100);
  const Samples whole = of(values);
  for (const std::size_t cut : {std::size_t{1}, std::size_t{100}, Samples::kExact, Samples::kExact + 99}) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(cut);
    Samples merged = of({values.begin(), middle});
    merged.merge(of({middle, values.end()}));
    CHECK(merged.n() == whole.n());
    CHECK(merged.sum() == whole.sum());
    CHECK(merged.std_us() == whole.std_us());
    for (const double p : {0.001, 0.5, 0.99, 0.9999}) {
      CHECK(OrderStatistics(merged).quantile(p) == OrderStatistics(whole).quantile(p));
    }
  }
}

TEST_CASE("merging nothing changes nothing") {
  Samples samples = of({1us, 2us});
  samples.merge(Samples{});
  CHECK(samples.n() == 2);
  CHECK(samples.min() == 1us);
  CHECK(samples.max() == 2us);
}

TEST_CASE("a sum beyond 106 days is refused, not wrong") {
  Samples samples = of({Duration::max()});
  CHECK_THROWS_AS(samples.add(1us), std::overflow_error);
}

TEST_CASE("bins hold every sample, in few bins as in many") {
  const Samples samples = of(spread(5000));
  const OrderStatistics order(samples);
  for (const std::size_t most : {std::size_t{56}, std::size_t{400}, std::size_t{100'000}}) {
    const std::vector<Bin> bins = order.bins(most);
    CHECK(bins.size() <= most);
    std::uint64_t n = 0;
    Duration last{};
    for (const Bin& bin : bins) {
      CHECK(last <= bin.from);
      CHECK(bin.from < bin.below);
      CHECK(bin.n > 0);
      last = bin.below;
      n += bin.n;
    }
    CHECK(n == samples.n());
    CHECK(bins.front().from <= samples.min());
    CHECK(samples.max() < bins.back().below);
  }
}

TEST_CASE("few samples have the bins that a histogram of them has") {
  std::vector<Duration> values = spread(3000);
  LogHistogram histogram;
  for (const Duration value : values) histogram.add(value);
  std::sort(values.begin(), values.end());
  for (const std::size_t most : {std::size_t{56}, std::size_t{400}, std::size_t{100'000}}) {
    const std::vector<Bin> bins = bins_of(values, most);
    const std::vector<Bin> expected = histogram.bins(most);
    REQUIRE(bins.size() == expected.size());
    for (std::size_t i = 0; i < bins.size(); ++i) {
      CHECK((bins[i].from == expected[i].from && bins[i].below == expected[i].below && bins[i].n == expected[i].n));
    }
  }
  CHECK(bins_of({}, 56).empty());
}
