// The front of a sweep.
#include <algorithm>
#include <cmath>

#include "analysis/pareto.hpp"
#include "catch.hpp"
#include "engine/random.hpp"

using namespace vecusim;

namespace {

std::vector<Column> point(double latency, double load) {
  return {{"latency.edge.p99_us", json::Node::floating(latency)}, {"load.dom0.pcpu_pct", json::Node::floating(load)}};
}

std::vector<bool> front(const std::string& axes, const std::vector<std::vector<Column>>& points) {
  Problems problems;
  ParetoFront pareto(parse_pareto(axes, "edge", problems).value());
  for (const auto& columns : points) pareto.add(columns);
  return pareto.front();
}

}  // namespace

TEST_CASE("On the front is what no other point beats in one figure without being worse in the other") {
  CHECK(front("p99_us,load.dom0.pcpu_pct", {point(1, 9), point(2, 5), point(3, 6), point(4, 1), point(4, 2)}) ==
        std::vector<bool>{true, true, false, true, false});
}

TEST_CASE("Equals stand on the front together") {
  CHECK(front("p99_us,load.dom0.pcpu_pct", {point(1, 1), point(1, 1), point(1, 2)}) ==
        std::vector<bool>{true, true, false});
}

TEST_CASE("With a plus more is better") {
  CHECK(front("p99_us,+load.dom0.pcpu_pct", {point(1, 9), point(2, 5), point(3, 10)}) ==
        std::vector<bool>{true, false, true});
}

TEST_CASE("A point without one of the figures is neither on the front nor beats another") {
  CHECK(front("p99_us,load.dom0.pcpu_pct", {{{"latency.edge.p99_us", json::Node{}}}, point(2, 5)}) ==
        std::vector<bool>{false, true});
}

TEST_CASE("There are two figures at least") {
  Problems problems;
  for (const char* text : {"p99_us", "", ",", "p99_us,", ",p99_us"}) CHECK_FALSE(parse_pareto(text, "edge", problems));
  CHECK_FALSE(parse_pareto("p99_us,load.dom0.pcpu_pct", std::nullopt, problems));
  CHECK(parse_pareto("network.a.batch_mean,load.dom0.pcpu_pct", std::nullopt, problems));
  CHECK(problems.errors() == 6);
}

TEST_CASE("Fronts of many points are those that comparing each with each gives") {
  RandomStream random(1, 0, "points");
  for (const std::size_t axes : {2, 3}) {
    for (int round = 0; round < 20; ++round) {
      // Few values, so that many are equal.
      std::vector<std::vector<double>> values(60);
      for (auto& value : values) {
        for (std::size_t i = 0; i < axes; ++i) value.push_back(std::floor(8.0 * random.uniform()));
      }
      std::vector<std::vector<Column>> points;
      for (const auto& value : values) {
        points.push_back({{"latency.edge.p99_us", json::Node::floating(value[0])},
                          {"load.dom0.pcpu_pct", json::Node::floating(value[1])}});
        if (axes == 3) points.back().push_back({"load.domU.pcpu_pct", json::Node::floating(value[2])});
      }
      std::vector<bool> expected;
      for (const auto& a : values) {
        expected.push_back(std::none_of(values.begin(), values.end(), [&](const auto& b) {
          bool no_worse = true;
          for (std::size_t i = 0; i < axes; ++i) no_worse = no_worse && b[i] <= a[i];
          return no_worse && a != b;
        }));
      }
      CHECK(front(axes == 2 ? "p99_us,load.dom0.pcpu_pct" : "p99,load.dom0.pcpu_pct,load.domU.pcpu_pct", points) ==
            expected);
    }
  }
}

TEST_CASE("A figure that no point has is refused with the nearest") {
  Problems problems;
  const auto variation = json::parse_variation("/board/clock_mhz=600,1500", problems).value();
  const Sweep sweep = plan_sweep(load_scenario("pi4-native"), {alone(variation)});
  const auto axes = [&](const char* text) { return parse_pareto(text, "edge", problems).value(); };
  CHECK_NOTHROW(require_metrics(axes("p99.9,load.linux.pcpu_pct"), sweep));
  CHECK_THROWS_WITH(require_metrics(axes("p99,load.lynux.pcpu_pct"), sweep),
                    Catch::Contains("did you mean \"load.linux.pcpu_pct\""));
}
