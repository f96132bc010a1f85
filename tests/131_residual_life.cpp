// What is left of a length at a random moment, against the formula E[(L - x)+] / E[L] of each law, up to its end.
#include <cmath>
#include <functional>

#include "catch.hpp"
#include "engine/distribution.hpp"

using namespace vecusim;

namespace {

/// The probability that more than `x` us are left.
using Survival = std::function<double(double x)>;

void check_rest(const Distribution& rest, const Survival& survival) {
  for (const double u : {1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999, 1.0 - 1e-5, 1.0 - 1e-7}) {
    INFO("u = " << u << ", quantile = " << to_us(rest.quantile(u)) << " us");
    CHECK(survival(to_us(rest.quantile(u))) == Approx(1.0 - u).epsilon(0.005));
  }
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("The rest of a constant length is uniform") {
  QuantileTables tables;
  const Distribution rest = Distribution::constant(1s).residual_life(tables);
  check_rest(rest, [](double x) { return 1.0 - x / 1e6; });
  CHECK(Distribution::constant({}).residual_life(tables).most() == Duration::zero());
}

TEST_CASE("The rest of an exponential length is exponential again") {
  QuantileTables tables;
  check_rest(Distribution::gamma(tables, 1.0, 10us).residual_life(tables),
             [](double x) { return std::exp(-x / 10.0); });
}

TEST_CASE("The rest of a uniform length, drawn or measured") {
  QuantileTables tables;
  const auto survival = [](double x) { return x < 2.0 ? 1.0 - x / 6.0 : (10.0 - x) * (10.0 - x) / 96.0; };
  check_rest(Distribution::uniform(2us, 10us).residual_life(tables), survival);
  check_rest(Distribution::empirical({10us, 2us}).residual_life(tables), survival);
}

TEST_CASE("The rest of a lognormal length has the heavier tail") {
  QuantileTables tables;
  const double sigma = GENERATE(0.3, 1.0, 2.0);
  const double mean = std::exp(sigma * sigma / 2.0);
  check_rest(Distribution::lognormal(tables, 1us, sigma).residual_life(tables), [&](double x) {
    return normal_cdf(sigma - std::log(x) / sigma) - x / mean * normal_cdf(-std::log(x) / sigma);
  });
}

TEST_CASE("The rest of a bounded Pareto length comes as near to its bound as chance allows") {
  QuantileTables tables;
  const Distribution rest = Distribution::bounded_pareto(tables, 1us, 27us, 1.0).residual_life(tables);
  check_rest(rest, [](double x) {
    return x < 1.0 ? 1.0 - x * (1.0 - 1.0 / 27.0) / std::log(27.0)
                   : (std::log(27.0 / x) - 1.0 + x / 27.0) / std::log(27.0);
  });
  CHECK(to_us(rest.most()) == Approx(27.0).epsilon(1e-3));
}
