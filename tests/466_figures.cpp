// Figures of a case: ratios of results, perturbations, and the box of what is not known.
#include "analysis/validate_figures.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

LoadedCase one(const CaseFigure& figure) {
  LoadedCase loaded;
  loaded.content.figures = {figure};
  return loaded;
}

/// What arrives of 10 000 frames a second.
CaseFigure arriving() {
  CaseFigure figure;
  figure.name = "figure";
  figure.number = "network.udp.delivered_pps";
  figure.scenario = "vc3-rswitch2-rx";
  figure.set = {"/run/warmup_ms=0", "/run/measure_ms=20", "/network/flows/0/rate_mbps=123.04"};
  figure.measured = 10000.0;
  figure.mark = 0.02;
  figure.perturbation = {"/network/flows/0/rate_mbps=200"};
  return figure;
}

}  // namespace

TEST_CASE("a figure is judged by its mark") {
  CaseFigure figure = arriving();
  CHECK(judge_figures(one(figure), {}).at(0).verdict == RowVerdict::pass);
  figure.measured = 11000.0;
  CHECK(judge_figures(one(figure), {}).at(0).verdict == RowVerdict::fail);
}

TEST_CASE("a figure that does not notice its perturbation fails") {
  CaseFigure figure = arriving();
  figure.perturbation = {"/network/flows/0/priority=1"};
  CHECK(judge_figures(one(figure), {}).at(0).verdict == RowVerdict::fail);
}

TEST_CASE("a ratio divides by the other scenario's number") {
  CaseFigure figure = arriving();
  figure.over = "vc3-bridge-rx";
  figure.measured = 1.0;
  figure.perturbation = {"/costs/net.poll.cycles/value=100000"};
  const JudgedRow row = judge_figures(one(figure), {}).at(0);
  CHECK(row.statistics.at(0).predicted.value() == Approx(1.0).epsilon(0.02));
  CHECK(row.statistics.at(0).name() == "ratio");
}

TEST_CASE("a region says which part of the box is within the mark, whatever the number of threads") {
  CaseFigure figure = arriving();
  figure.region = CaseRegion{{"net."}, {"/network/flows/0/rate_mbps=123.04,246.08"}, 20};
  const auto note = [&](unsigned threads) {
    return judge_figures(one(figure), {.parallel = {.threads = threads}}).at(0).note;
  };
  CHECK(note(1) == note(3));
  CHECK(note(1).find("of 20 points") != std::string::npos);
  // Half of the draws have the figure's own rate, and costs decide nothing.
  const std::string text = note(1);
  const std::size_t end = text.find(" % are within");
  REQUIRE(end != std::string::npos);
  const int percent = std::stoi(text.substr(text.rfind(' ', end - 1) + 1));
  CHECK(percent >= 25);
  CHECK(percent <= 75);
}

TEST_CASE("a number that no result has is an error") {
  CaseFigure figure = arriving();
  figure.number = "load.dom9.pcpu_pct";
  CHECK_THROWS_WITH(judge_figures(one(figure), {}), Catch::Contains("did you mean \"load.dom0.pcpu_pct\""));
  figure.number = "network.udp.latency.average";
  CHECK_THROWS_WITH(judge_figures(one(figure), {}), Catch::Contains("/figures/figure/number"));
  figure.number = "network.udp.latency.mean";
  CHECK_NOTHROW(judge_figures(one(figure), {}));
}

TEST_CASE("the seed of a figure's scenarios can be chosen, and all their replications count") {
  CaseFigure figure = arriving();
  figure.number = "network.udp.latency.mean_us";
  const auto predicted = [&](const RunOptions& options) {
    return judge_figures(one(figure), options).at(0).statistics.at(0).predicted.value();
  };
  const double first = predicted({});
  CHECK(predicted({.seed = 1}) == first);
  CHECK(predicted({.seed = 2}) != first);
  CHECK(predicted({.replications = 3}) != first);
  figure.set.emplace_back("/run/replications=3");
  CHECK(predicted({}) == predicted({.replications = 3}));
  CHECK_FALSE(judge_figures(one(figure), {}).at(0).n);
}

TEST_CASE("a condition without values is refused") {
  CaseFigure figure = arriving();
  figure.region = CaseRegion{{"net."}, {"/network/flows/0/rate_mbps"}, 2};
  CHECK_THROWS_WITH(judge_figures(one(figure), {}), Catch::Contains("/figures/figure/region/conditions"));
}
