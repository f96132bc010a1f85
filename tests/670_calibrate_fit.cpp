// Calibrations: what is fitted, what is refused, and what is said of data that do not suffice or contradict each other.
#include <algorithm>
#include <string>
#include <vector>

#include "calibrate_bench.hpp"
#include "catch.hpp"

using namespace vecusim;
using namespace vecusim::test;

namespace {

constexpr double kSigma = 0.02;

Repetition truth(double clock) { return path_model(36000.0, 1000.0, kSigma, clock, kTruthSeed); }

FreeModel model_at(double clock) {
  return [clock](const std::vector<double>& values) {
    return path_model(values[0], values.size() > 1 ? values[1] : 1000.0, kSigma, clock, kModelSeed);
  };
}

void add_row(CalibrationProblem& problem, const std::string& name, double clock, bool samples, std::uint32_t index,
             std::int64_t n = 50) {
  problem.rows.push_back(measured_row(name, truth(clock)(n, index), samples));
  problem.models.push_back(model_at(clock));
}

CalibrationProblem both_free() {
  CalibrationProblem problem;
  problem.costs = {free_cost("cycles", 10000, 100000, 50000), free_cost("lines", 300, 3000, 700)};
  return problem;
}

CalibrationOptions quick() {
  CalibrationOptions options;
  options.repetitions = 100;
  options.parallel.threads = 1;
  return options;
}

std::string said(const Calibration& calibration) {
  std::string text;
  for (const std::string& sentence : calibration.sentences) text += sentence + "\n";
  return text;
}

}  // namespace

TEST_CASE("more free costs than figures are refused, with the reason") {
  CalibrationProblem problem = both_free();
  add_row(problem, "row", 600.0, false, 0);
  CHECK_FALSE(objection(problem));
  problem.rows.front().figures.resize(1);
  REQUIRE(objection(problem));
  CHECK_THAT(*objection(problem), Catch::Contains("1 figure in 1 row cannot bear 2 free costs"));
  problem.costs[1].prior = true;
  CHECK_FALSE(objection(problem));
  problem.rows.front().held_out = true;
  CHECK(objection(problem) == "no figure is left to fit to");
}

TEST_CASE("one answer bears one figure, and two bear two, however many are printed") {
  const FittedRow one = measured_row("row", truth(600.0)(1, 0), false);
  REQUIRE(one.figures.size() == 1);
  CHECK(one.figures.front().name == "min_us");
  for (const bool samples : {false, true}) {
    const FittedRow two = measured_row("row", truth(600.0)(2, 0), samples);
    REQUIRE(two.figures.size() == 2);
    CHECK(two.figures[0].name == "min_us");
    CHECK(two.figures[1].name == "max_us");
    CHECK(two.note == "not fitted: mean_us, which follows from the other figures of 2 answers");
    CHECK(measured_row("row", truth(600.0)(3, 0), samples).figures.size() == 3);
  }
}

TEST_CASE("one clock does not tell cycles from lines, and a run that would is named") {
  CalibrationProblem problem = both_free();
  add_row(problem, "row", 600.0, true, 0);
  problem.proposals = {{"clock", "a run at 1500", model_at(1500.0)}, {"clock", "a run at 605", model_at(605.0)}};
  const auto fitted = calibrate(problem, quick());
  REQUIRE(fitted);
  INFO(said(*fitted));
  CHECK(fitted->verdict == CalibrationVerdict::not_identified);
  CHECK(fitted->correlation[1] < -0.95);
  CHECK(fitted->condition > 50.0);
  CHECK_THAT(said(*fitted), Catch::Contains("cycles and lines cannot be told apart by this data"));
  CHECK_THAT(said(*fitted), Catch::Contains("a run at 1500 would: cycles to ±"));
  CHECK_THAT(said(*fitted), !Catch::Contains("a run at 605"));
}

TEST_CASE("with a prior for one of them, the other is known as well as the prior lets it be") {
  CalibrationProblem problem = both_free();
  problem.costs[1] = free_cost("lines", 900, 1111, 1000, true);
  add_row(problem, "row", 600.0, true, 0);
  const auto fitted = calibrate(problem, quick());
  REQUIRE(fitted);
  INFO(said(*fitted));
  CHECK(fitted->verdict == CalibrationVerdict::identified);
  // 100 µs ± 10.5 % of lines are 60 µs ± 17.5 % of cycles.
  const Interval cycles = fitted->costs[0].interval95;
  CHECK((cycles.hi - cycles.lo) / 2.0 / 36000.0 == Approx(0.175).margin(0.035));
  CHECK(cycles.lo < 36000.0);
  CHECK(cycles.hi > 36000.0);
  const Interval lines = fitted->costs[1].interval95;
  CHECK(lines.lo == Approx(900.0).epsilon(0.02));
  CHECK(lines.hi == Approx(1111.0).epsilon(0.02));
}

TEST_CASE("a cost that changes nothing is said to be unbounded") {
  CalibrationProblem problem;
  problem.costs = {free_cost("lines", 300, 3000, 700), free_cost("idle", 1, 1000, 30)};
  problem.rows = {measured_row("row", truth(600.0)(50, 0), true)};
  problem.models = {
      [](const std::vector<double>& values) { return path_model(36000.0, values[0], kSigma, 600.0, kModelSeed); }};
  const auto fitted = calibrate(problem, quick());
  REQUIRE(fitted);
  CHECK(fitted->verdict == CalibrationVerdict::not_identified);
  CHECK_THAT(said(*fitted), Catch::Contains("idle is hardly bounded by this data: anything in 1.000 … 1000"));
  CHECK_THAT(said(*fitted), !Catch::Contains("lines is"));
  CHECK(fitted->costs[1].open_below);
  CHECK(fitted->costs[1].open_above);
  CHECK_FALSE(fitted->costs[0].open_below);
}

TEST_CASE("rows that contradict each other are named") {
  CalibrationProblem problem;
  problem.costs = {free_cost("cycles", 10000, 100000, 50000)};
  add_row(problem, "monday", 600.0, false, 0);
  add_row(problem, "tuesday", 600.0, false, 1);
  CHECK(calibrate(problem, quick())->verdict == CalibrationVerdict::identified);
  for (FittedFigure& figure : problem.rows.back().figures) figure.measured *= 1.1;
  const auto fitted = calibrate(problem, quick());
  CHECK(fitted->verdict == CalibrationVerdict::contradictory);
  CHECK_THAT(said(*fitted), Catch::Contains("the rows monday and tuesday contradict each other under this model"));
  CHECK(*fitted->p_value < 0.006);  // none of 200 other experiments
}

TEST_CASE("a cost whose best value is the bound that was given is not identified") {
  CalibrationProblem problem;
  problem.costs = {free_cost("cycles", 10000, 30000, 20000)};  // the truth is 36000
  add_row(problem, "row", 600.0, true, 0);
  const auto fitted = calibrate(problem, quick());
  REQUIRE(fitted);
  CHECK(fitted->costs[0].open_above);
  CHECK(fitted->verdict != CalibrationVerdict::identified);
  CHECK_THAT(said(*fitted), Catch::Contains("the data would have cycles higher than the bound that was given, 30000"));
}

TEST_CASE("a row that contradicts itself is fitted without the contradiction, and said to do so") {
  Measurement measurement;
  measurement.n = 100;
  // The published row of an emulated board: a mean that is too low for this maximum.
  measurement.printed = {100, Figure{49ms, 1ms}, Figure{52ms, 1ms}, Figure{1054ms, 1ms}};
  measurement.values[static_cast<std::size_t>(Statistic::min)] = {49000.0, 1000.0};
  measurement.values[static_cast<std::size_t>(Statistic::mean)] = {52000.0, 1000.0};
  measurement.values[static_cast<std::size_t>(Statistic::max)] = {1054000.0, 1000.0};
  const FittedRow row = fitted_row("qemu", measurement);
  CHECK(row.infeasible);
  REQUIRE(row.figures.size() == 2);
  CHECK(row.figures[0].name == "min_us");
  CHECK(row.figures[1].name == "mean_us");

  CalibrationProblem problem;
  problem.costs = {free_cost("lines", 3e4, 3e6, 1e5)};
  problem.rows = {row};
  problem.models = {
      [](const std::vector<double>& values) { return path_model(0.0, values[0], 0.025, 600.0, kModelSeed); }};
  const auto fitted = calibrate(problem, quick());
  REQUIRE(fitted);
  CHECK(fitted->verdict == CalibrationVerdict::contradictory);
  CHECK_THAT(said(*fitted), Catch::Contains("the row qemu contradicts itself"));
  CHECK(fitted->costs[0].value == Approx(515000.0).epsilon(0.03));
}

TEST_CASE("a row that is held out is predicted and does not move the fit") {
  CalibrationProblem problem;
  problem.costs = {free_cost("cycles", 10000, 100000, 50000)};
  add_row(problem, "fitted", 600.0, false, 0);
  const auto alone = calibrate(problem, quick());
  add_row(problem, "kept", 1500.0, false, 1);
  problem.rows.back().held_out = true;
  const auto both = calibrate(problem, quick());
  CHECK(both->costs[0].value == alone->costs[0].value);
  REQUIRE(both->rows.size() == 2);
  CHECK(both->rows[1].held_out);
  for (const CalibratedFigure& figure : both->rows[1].figures) {
    CHECK(figure.inside);
    CHECK(figure.interval95_with_parameters.lo <= figure.predicted);
    CHECK(figure.interval95_with_parameters.hi >= figure.predicted);
  }
  // The mean is known to the clock's share of the cost's own interval at best.
  const CalibratedFigure& mean = both->rows[1].figures[1];
  CHECK(mean.interval95_with_parameters.hi - mean.interval95_with_parameters.lo >
        mean.interval95.hi - mean.interval95.lo);
}

TEST_CASE("large experiments are fitted by a simulated part, and know more") {
  CalibrationProblem problem;
  problem.costs = {free_cost("cycles", 10000, 100000, 50000)};
  add_row(problem, "row", 600.0, true, 0, 16000);
  const FittedRow& row = problem.rows.front();
  CHECK(experiment_of(row).edges == kMostFittedEdges + 1);
  CHECK(experiment_of(row).skipped == 1);
  CHECK(experiment_of(row).scale == 32.0);
  CHECK_THAT(row.note, Catch::Contains("not fitted: min_us, max_us"));
  const auto fitted = calibrate(problem, quick());
  const Interval interval = fitted->costs[0].interval95;
  CHECK(interval.lo < 36000.0);
  CHECK(interval.hi > 36000.0);
  // σ = 0.02 / √16000 of 160 µs is 0.04 % of 60 µs; the simulation's own 100 experiments of 500 know half as much.
  CHECK((interval.hi - interval.lo) / 36000.0 < 0.004);
}

TEST_CASE("fits do not depend on the number of threads") {
  CalibrationProblem problem;
  problem.costs = {free_cost("cycles", 10000, 100000, 50000)};
  add_row(problem, "row", 600.0, false, 0);
  CalibrationOptions options = quick();
  const auto one = calibrate(problem, options);
  options.parallel.threads = 3;
  const auto three = calibrate(problem, options);
  CHECK(one->costs[0].value == three->costs[0].value);
  CHECK(one->costs[0].interval95.lo == three->costs[0].interval95.lo);
  CHECK(one->rows[0].figures[2].interval95.hi == three->rows[0].figures[2].interval95.hi);
}

TEST_CASE("bounds are turned into a scale and back") {
  const FreeCost positive = free_cost("a", 10, 1000, 100);
  CHECK(positive.to_unit(100.0) == Approx(0.5));
  CHECK(positive.from_unit(0.5) == Approx(100.0));
  const FreeCost from_zero = free_cost("a", 0, 1000, 100);
  CHECK(from_zero.to_unit(100.0) == Approx(0.1));
  CHECK(from_zero.from_unit(0.1) == Approx(100.0));
  const FreeCost prior = free_cost("a", 10, 1000, 100, true);
  CHECK(prior.to_unit(100.0) == Approx(0.5));
  // 3 σ from the centre, where the bounds are 1.96 σ.
  CHECK(prior.to_unit(1000.0) == Approx(0.5 + 0.5 * 1.959964 / 3.0));
}
