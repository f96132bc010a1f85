// The front of a sweep.
#include "analysis/pareto.hpp"
#include "catch.hpp"

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
