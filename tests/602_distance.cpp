// Distances between samples against values worked out by hand and the tables of Kolmogorov's law.
#include <cmath>
#include <vector>

#include "analysis/distance.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

std::vector<Duration> range(int from, int to) {
  std::vector<Duration> values;
  for (int i = from; i <= to; ++i) values.push_back(1us * i);
  return values;
}

}  // namespace

TEST_CASE("the Kolmogorov-Smirnov distance is the greatest gap between the steps") {
  CHECK(kolmogorov_smirnov(range(1, 3), range(2, 4)).distance == Approx(1.0 / 3.0));
  CHECK(kolmogorov_smirnov(range(1, 10), range(1, 10)).distance == 0.0);
  CHECK(kolmogorov_smirnov(range(1, 10), range(11, 30)).distance == 1.0);
  CHECK(kolmogorov_smirnov(range(1, 4), range(1, 2)).distance == Approx(0.5));
}

TEST_CASE("ties are one step") {
  const std::vector<Duration> a = {1us, 1us, 1us, 2us};
  const std::vector<Duration> b = {1us, 2us, 2us, 2us};
  CHECK(kolmogorov_smirnov(a, b).distance == Approx(0.5));
}

TEST_CASE("the p-value is that of Kolmogorov's law") {
  // Distance d of two samples of n: x = d sqrt(n/2). Tabulated: P(K > 1.3581) = 0.05, P(K > 1.6276) = 0.01,
  // P(K > 0.8276) = 0.5.
  const auto p_of_shift = [](int n, int shift) { return kolmogorov_smirnov(range(1, n), range(1 + shift, n + shift)); };
  const auto at = [&](double x) {
    constexpr int kN = 200'000;
    const double shift = x / std::sqrt(kN / 2.0) * kN;
    return p_of_shift(kN, static_cast<int>(std::lround(shift))).p_value;
  };
  CHECK(at(1.3581) == Approx(0.05).epsilon(0.01));
  CHECK(at(1.6276) == Approx(0.01).epsilon(0.01));
  CHECK(at(0.8276) == Approx(0.5).epsilon(0.01));
  CHECK(kolmogorov_smirnov(range(1, 9), range(1, 9)).p_value == 1.0);
}

TEST_CASE("Wasserstein's distance of a shifted sample is the shift") {
  CHECK(wasserstein_us(range(1, 10), range(4, 13)) == Approx(3.0));
  CHECK(wasserstein_us(range(1, 1), range(1, 3)) == Approx(1.0));
  CHECK(wasserstein_us(range(5, 9), range(5, 9)) == 0.0);
}
