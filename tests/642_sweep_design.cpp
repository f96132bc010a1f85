// Points of a sweep: side by side, and a Latin hypercube.
#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/sweep.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

json::Variation variation(const std::string& text) {
  Problems problems;
  return json::parse_variation(text, problems).value();
}

Span span(const std::string& text) {
  Problems problems;
  return parse_span(text, problems).value();
}

std::string refusal(const std::string& text) {
  Problems problems;
  CHECK_FALSE(parse_span(text, problems));
  return problems.text();
}

std::vector<double> column(const Dimension& dimension, std::size_t pointer) {
  std::vector<double> values;
  for (const auto& step : dimension.steps) values.push_back(step[pointer].value.as_double());
  return values;
}

}  // namespace

TEST_CASE("Pointers side by side take their values together, and are one dimension of the grid") {
  const Sweep sweep = plan_sweep(load_scenario("pi4-native"),
                                 {zipped({variation("/board/clock_mhz=600,1500"), variation("/run/seed=7,8")}),
                                  alone(variation("/domains/0/os/tick_hz=100,250,1000"))});
  REQUIRE(sweep.points.size() == 6);
  CHECK(sweep.pointers == std::vector<std::string>{"/board/clock_mhz", "/run/seed", "/domains/0/os/tick_hz"});
  CHECK(sweep.at(sweep.points[0]).texts == std::vector<std::string>{"600", "7", "100"});
  CHECK(sweep.at(sweep.points[2]).texts == std::vector<std::string>{"600", "7", "1000"});
  CHECK(sweep.at(sweep.points[3]).texts == std::vector<std::string>{"1500", "8", "100"});
}

TEST_CASE("Side by side there are as many values of each, and each pointer is named once") {
  CHECK_THROWS_WITH(zipped({variation("/a=1,2"), variation("/b=1,2,3")}),
                    Catch::Contains("/b: expected as many values as /a has, 2, found 3"));
  CHECK_THROWS_WITH(
      plan_sweep(load_scenario("pi4-native"), {zipped({variation("/run/seed=1"), variation("/run/seed=2")})}),
      Catch::Contains("varied once"));
}

TEST_CASE("A Latin hypercube meets every part of every span once") {
  constexpr std::size_t n = 50;
  const Dimension sample = latin_hypercube({span("/a=0.0:1.0"), span("/b=log:1.0:1e5"), span("/c=-3.0:-1.0")}, n, 1);
  REQUIRE(sample.steps.size() == n);
  const auto strata = [&](std::size_t pointer, auto share) {
    std::set<int> met;
    for (const double value : column(sample, pointer)) met.insert(static_cast<int>(share(value) * n));
    return met;
  };
  const auto all = [](const std::set<int>& met) {
    return met.size() == n && *met.begin() == 0 && *met.rbegin() == n - 1;
  };
  CHECK(all(strata(0, [](double x) { return x; })));
  CHECK(all(strata(1, [](double x) { return std::log10(x) / 5.0; })));
  CHECK(all(strata(2, [](double x) { return (x + 3.0) / 2.0; })));
}

TEST_CASE("A sample follows from its seed, and a further span changes no other") {
  const std::vector<Span> two = {span("/a=0:1000"), span("/b=0.0:1.0")};
  const auto first = column(latin_hypercube(two, 20, 1), 0);
  CHECK(first == column(latin_hypercube({two[0]}, 20, 1), 0));
  CHECK(first != column(latin_hypercube(two, 20, 2), 0));
  CHECK(column(latin_hypercube(two, 20, 1), 1) != column(latin_hypercube({span("/c=0.0:1.0")}, 20, 1), 0));
}

TEST_CASE("Between integers all integers are drawn, both ends included") {
  const auto values = column(latin_hypercube({span("/a=1:4")}, 4000, 3), 0);
  for (int value = 1; value <= 4; ++value) {
    CHECK(std::count(values.begin(), values.end(), value) == 1000);
  }
}

TEST_CASE("A span has two bounds in order, above 0 for a logarithm") {
  CHECK_THAT(refusal("/a=1,2"), Catch::Contains("/a: expected LO:HI or log:LO:HI"));
  CHECK_THAT(refusal("/a=1:2:3"), Catch::Contains("LO:HI or log:LO:HI"));
  CHECK_THAT(refusal("/a=x:y"), Catch::Contains("LO:HI or log:LO:HI"));
  CHECK_THAT(refusal("/a=2:1"), Catch::Contains("HI above LO"));
  CHECK_THAT(refusal("/a=log:0:1"), Catch::Contains("LO above 0"));
  CHECK_THAT(refusal("a=0:1"), Catch::Contains("pointer"));
}
