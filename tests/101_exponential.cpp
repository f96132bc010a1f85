// exponential() against the C library's long double: accurate to its stated error, exact where it must be.
#include <cmath>

#include "catch.hpp"
#include "engine/exponential.hpp"

using namespace vecusim;

TEST_CASE("the exponential is right to 1e-15 over its range") {
  double worst = 0.0;
  for (int i = -70'000; i <= 70'000; ++i) {
    const double x = i * 0.00999990001;
    const long double exact = std::exp(static_cast<long double>(x));
    worst = std::max(worst, static_cast<double>(std::abs((exponential(x) - exact) / exact)));
  }
  CHECK(worst < 1e-15);
}

TEST_CASE("the exponential of 0 is exactly 1") { CHECK(exponential(0.0) == 1.0); }

TEST_CASE("a larger argument never gives a smaller exponential") {
  double last = 0.0;
  for (int i = -200'000; i <= 200'000; ++i) {
    const double value = exponential(i * 1e-5);
    REQUIRE(value >= last);
    last = value;
  }
}
