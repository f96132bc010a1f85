// Distribution: each law against its exact distribution function, in the middle and far out; never decreasing.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "engine/distribution.hpp"
#include "engine/random.hpp"
#include "statistics.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

/// A continuous law on the reals: P(X <= x) and P(X > x), each exact where it is small.
struct Law {
  std::function<double(double)> below;
  std::function<double(double)> above;
};

Law lognormal_law(double sigma) {
  const auto normal_tail = [](double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); };
  return {[=](double x) { return normal_tail(-std::log(x) / sigma); },
          [=](double x) { return normal_tail(std::log(x) / sigma); }};
}

/// Shapes that are multiples of 1/2 have closed forms: from Q(1, x) = e^-x or Q(1/2, x) = erfc(sqrt x) upwards by
/// Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1) (NIST Handbook 8.8.6).
double gamma_above(double shape, double x) {
  double a = shape == std::floor(shape) ? 1.0 : 0.5;
  double result = a == 1.0 ? std::exp(-x) : std::erfc(std::sqrt(x));
  for (; a < shape; a += 1.0) result += std::exp(a * std::log(x) - x - std::lgamma(a + 1.0));
  return result;
}
/// The series x^a e^-x sum x^n / Gamma(a + n + 1) (NIST Handbook 8.7.1): all terms positive, so exact where it is
/// small.
double gamma_below(double shape, double x) {
  double term = std::exp(shape * std::log(x) - x - std::lgamma(shape + 1.0));
  double sum = term;
  for (double n = shape + 1.0; term > sum * 1e-17; n += 1.0) sum += (term *= x / n);
  return sum;
}
Law gamma_law(double shape) {
  return {[=](double x) { return gamma_below(shape, x); }, [=](double x) { return gamma_above(shape, x); }};
}

Law bounded_pareto_law(double ratio, double alpha) {
  const auto log_survival = [=](double x) { return -alpha * std::log(x); };  // of the unbounded law
  const double kept = -std::expm1(log_survival(ratio));
  return {[=](double x) { return -std::expm1(log_survival(x)) / kept; },
          [=](double x) {
            if (x >= ratio) return 0.0;
            return std::exp(log_survival(ratio)) * std::expm1(log_survival(x) - log_survival(ratio)) / kept;
          }};
}

struct Tabulated {
  std::string name;
  Law law;
  std::function<std::shared_ptr<const QuantileTable>(QuantileTables&)> table;
};

/// The corners of the parameters for which QuantileTable states its error, and points inside.
std::vector<Tabulated> tabulated_laws() {
  std::vector<Tabulated> laws;
  for (const double sigma : {0.01, 0.3, 1.0, 3.0}) {
    laws.push_back({"lognormal " + std::to_string(sigma), lognormal_law(sigma),
                    [=](QuantileTables& tables) { return tables.lognormal(sigma); }});
  }
  for (const double shape : {0.5, 1.0, 2.5, 4.0, 50.0}) {
    laws.push_back({"gamma " + std::to_string(shape), gamma_law(shape),
                    [=](QuantileTables& tables) { return tables.gamma(shape); }});
  }
  for (const double ratio : {1.1, 100.0, 1e9}) {
    for (const double alpha : {0.5, 1.0, 3.0}) {
      laws.push_back({"bounded Pareto " + std::to_string(ratio) + " " + std::to_string(alpha),
                      bounded_pareto_law(ratio, alpha),
                      [=](QuantileTables& tables) { return tables.bounded_pareto(ratio, alpha); }});
    }
  }
  return laws;
}

/// One of every kind, with scales as costs have them.
std::vector<Distribution> all_kinds(QuantileTables& tables) {
  return {Distribution{},
          Distribution::constant(340ns),
          Distribution::uniform(2us, 5us),
          Distribution::uniform(Duration{7}, Duration{8}),
          Distribution::lognormal(tables, 12us, 0.4),
          Distribution::lognormal(tables, 12us, 3.0),
          Distribution::gamma(tables, 0.5, 30us),
          Distribution::gamma(tables, 1.0, 1ms),
          Distribution::bounded_pareto(tables, 1us, 10ms, 1.2),
          Distribution::empirical({5us}),
          Distribution::empirical({5us, 1us, 3us, 3us, 100us})};
}

std::vector<double> samples_of(const Distribution& distribution, std::size_t n) {
  RandomStream stream(1, 0, "samples");
  std::vector<double> samples(n);
  for (double& sample : samples) sample = static_cast<double>(distribution.quantile(stream.uniform()).count());
  return samples;
}

/// Both ends down to what a stream can draw, and every magnitude between.
std::vector<double> extreme_uniforms() {
  std::vector<double> result;
  for (int octave = 1; octave <= 53; ++octave) {
    for (const double within : {1.0, 1.0 + 0x1p-6, 1.37, 1.999}) {
      const double v = std::ldexp(within, -octave - 1);
      if (v < 0x1p-53) continue;
      result.push_back(v);
      result.push_back(1.0 - v);
    }
  }
  return result;
}

constexpr std::size_t kSamples = 200'000;

}  // namespace

TEST_CASE("tabulated laws keep the stated relative error for every uniform") {
  QuantileTables tables;
  constexpr double kError = 1.001;
  for (const Tabulated& tabulated : tabulated_laws()) {
    CAPTURE(tabulated.name);
    const auto& [below, above] = tabulated.law;
    const auto table = tabulated.table(tables);
    std::vector<double> uniforms = extreme_uniforms();
    for (int i = 1; i < 5000; ++i) uniforms.push_back(i / 5000.0);
    for (const double u : {1e-9, 1.0 - 1e-9}) uniforms.push_back(u);

    std::vector<double> outside;
    for (const double u : uniforms) {
      const double x = (*table)(u);
      // The law's probabilities at x, less and more the error, enclose the uniform.
      const bool inside = u < 0.5 ? below(x / kError) <= u && u <= below(x * kError)
                                  : above(x * kError) <= 1.0 - u && 1.0 - u <= above(x / kError);
      if (!inside) outside.push_back(u);
    }
    CHECK(outside == std::vector<double>{});
  }
}

// The relative error says little of a narrow law; this does.
TEST_CASE("tabulated laws are right to 1e-4 in probability") {
  QuantileTables tables;
  for (const Tabulated& tabulated : tabulated_laws()) {
    CAPTURE(tabulated.name);
    const auto table = tabulated.table(tables);
    double worst = 0.0;
    for (int i = 1; i < 20'000; ++i) {
      const double u = i / 20'000.0;
      worst = std::max(worst, std::abs(tabulated.law.below((*table)(u)) - u));
    }
    CHECK(worst < 1e-4);
  }
}

TEST_CASE("samples follow their law") {
  QuantileTables tables;
  const auto check = [](const Distribution& distribution, const std::function<double(double)>& cdf) {
    CHECK(kolmogorov_distance(samples_of(distribution, kSamples), cdf) < kolmogorov_limit(kSamples));
  };
  constexpr double kUnit = 1e9;  // ps per ms
  SECTION("uniform") {
    check(Distribution::uniform(2ms, 5ms), [](double x) { return (x / kUnit - 2.0) / 3.0; });
  }
  SECTION("lognormal") {
    check(Distribution::lognormal(tables, 1ms, 0.7), [](double x) { return lognormal_law(0.7).below(x / kUnit); });
  }
  SECTION("exponential") {
    check(Distribution::gamma(tables, 1.0, 1ms), [](double x) { return -std::expm1(-x / kUnit); });
  }
  SECTION("gamma") {
    check(Distribution::gamma(tables, 2.5, 1ms), [](double x) { return gamma_below(2.5, x / kUnit); });
  }
  SECTION("bounded Pareto") {
    check(Distribution::bounded_pareto(tables, 1ms, 50ms, 1.5),
          [](double x) { return bounded_pareto_law(50.0, 1.5).below(x / kUnit); });
  }
  SECTION("empirical: linear between the sorted values") {
    check(Distribution::empirical({4ms, 1ms, 2ms}), [](double x) {
      const double value = x / kUnit;
      return value < 2.0 ? (value - 1.0) / 2.0 : 0.5 + (value - 2.0) / 4.0;
    });
  }
}

TEST_CASE("a larger uniform never gives less") {
  QuantileTables tables;
  std::vector<double> uniforms = extreme_uniforms();
  for (int i = 1; i < 1 << 18; ++i) uniforms.push_back(std::ldexp(i, -18));
  for (const double u : extreme_uniforms()) {  // around the knots of tables, which are among these
    uniforms.push_back(std::nextafter(u, 0.0));
    uniforms.push_back(std::nextafter(u, 1.0));
  }
  std::sort(uniforms.begin(), uniforms.end());
  for (const Distribution& distribution : all_kinds(tables)) {
    Duration last = Duration::min();
    for (const double u : uniforms) {
      const Duration value = distribution.quantile(u);
      if (value < last) FAIL("at " << u);
      last = value;
    }
  }
  for (const Tabulated& tabulated : tabulated_laws()) {
    const auto table = tabulated.table(tables);
    double last = 0.0;
    for (const double u : uniforms) {
      const double value = (*table)(u);
      if (value < last) FAIL(tabulated.name << " at " << u);
      last = value;
    }
  }
}

TEST_CASE("no draw is below least() or above most()") {
  QuantileTables tables;
  for (const Distribution& distribution : all_kinds(tables)) {
    CHECK(distribution.least() >= Duration::zero());
    CHECK(distribution.least() <= distribution.quantile(0x1p-53));
    CHECK(distribution.most() >= distribution.quantile(1.0 - 0x1p-53));
    CHECK(distribution.least() <= distribution.quantile(0.5));
    CHECK(distribution.quantile(0.5) <= distribution.most());
  }
}

TEST_CASE("least() and most() are the bounds of a bounded law") {
  QuantileTables tables;
  CHECK(Distribution::constant(340ns).least() == 340ns);
  CHECK(Distribution::constant(340ns).most() == 340ns);
  CHECK(Distribution::uniform(2us, 5us).least() == 2us);
  CHECK(Distribution::uniform(2us, 5us).most() == 5us);
  CHECK(Distribution::bounded_pareto(tables, 1us, 10ms, 1.2).least() == 1us);
  CHECK(Distribution::bounded_pareto(tables, 1us, 10ms, 1.2).most() == 10ms);
  CHECK(Distribution::empirical({9us, 4us, 5us}).least() == 4us);
  CHECK(Distribution::empirical({9us, 4us, 5us}).most() == 9us);
  CHECK(Distribution{}.most() == Duration::zero());
}

TEST_CASE("the unbounded tails end far out, at the 53 bits of a uniform") {
  QuantileTables tables;
  // The exponential law's quantile at 1 - 2^-53 is 53 ln 2.
  CHECK(to_us(Distribution::gamma(tables, 1.0, 1us).most()) == Approx(53.0 * std::log(2.0)).epsilon(1e-6));
  CHECK(to_us(Distribution::gamma(tables, 1.0, 1s).least()) == Approx(0x1p-53 * 1e6).margin(1e-6));
}

TEST_CASE("medians are exact") {
  QuantileTables tables;
  CHECK(Distribution::lognormal(tables, 12345678ns, 1.5).quantile(0.5) == 12345678ns);
  CHECK(Distribution::empirical({1us, 7us, 100us}).quantile(0.5) == 7us);
}

TEST_CASE("a constant is exact over the whole range of time") {
  QuantileTables tables;
  for (const Duration value : {Duration{24h} + Duration{1}, Duration::max(), Duration{-3}}) {
    CHECK(Distribution::constant(value).quantile(0.3) == value);
  }
  CHECK(Distribution::lognormal(tables, Duration{24h} + Duration{1}, 0.0).quantile(0.9) == Duration{24h} + Duration{1});
}

TEST_CASE("a draw beyond the range of time is its end") {
  QuantileTables tables;
  CHECK(Distribution::lognormal(tables, 1h, 5.0).most() == Duration::max());
}

TEST_CASE("laws of the same shape share one table, also between threads") {
  QuantileTables tables;
  const auto shared = tables.lognormal(0.5);
  constexpr std::size_t kThreads = 4;
  std::vector<std::shared_ptr<const QuantileTable>> same(kThreads);
  std::vector<std::shared_ptr<const QuantileTable>> made(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        same[i] = tables.lognormal(0.5);
        made[i] = tables.gamma(2.0);
      });
    }
  }
  for (std::size_t i = 0; i < kThreads; ++i) {
    CHECK(same[i] == shared);
    CHECK(made[i] == made[0]);
  }
  CHECK(tables.gamma(0.5) != tables.lognormal(0.5));
  CHECK(tables.lognormal(0.6) != shared);
  CHECK(tables.bounded_pareto(2.0, 3.0) != tables.bounded_pareto(3.0, 2.0));
}
