// Verdicts: on what they depend, with models whose predictions are known.
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/statistics.hpp"
#include "analysis/validate.hpp"
#include "analysis/validate_row.hpp"
#include "catch.hpp"
#include "engine/random.hpp"

using namespace vecusim;

namespace {

/// A model of latencies uniform between `lo` and `hi`, of which the share `loss` is lost.
Repetition uniform(double lo_us, double hi_us, double loss = 0.0) {
  return [=](std::int64_t n, std::uint32_t index) {
    RandomStream stream{1, index, "uniform"};
    Answers answers;
    for (std::int64_t i = 0; i < n; ++i) {
      if (stream.uniform() < loss) {
        ++answers.lost;
      } else {
        answers.latencies.add(from_us(lo_us + (hi_us - lo_us) * stream.uniform()));
      }
    }
    return answers;
  };
}

/// A simulator in which every setting named "/slow" makes everything twice as slow.
Simulator simulator(double lo_us, double hi_us, double loss = 0.0) {
  return [=](const CaseRow&, const std::vector<std::string>& set) {
    double factor = 1.0;
    for (const std::string& one : set) factor *= one == "/slow=true" ? 2.0 : 1.0;
    return uniform(factor * lo_us, factor * hi_us, loss);
  };
}

CaseRow row_judging(std::initializer_list<Statistic> statistics) {
  CaseRow row;
  row.name = "row";
  row.scenario = "model";
  for (const Statistic statistic : statistics) row.statistics.each[static_cast<std::size_t>(statistic)] = Judge{};
  row.perturbation = {"/slow=true"};
  return row;
}

Measurement printed(std::int64_t n, double min_us, double mean_us, double max_us, Duration step) {
  BenchRow row;
  row.n = n;
  row.figures[Statistic::min] = {from_us(min_us), step};
  row.figures[Statistic::mean] = {from_us(mean_us), step};
  row.figures[Statistic::max] = {from_us(max_us), step};
  return measurement_of(row, {});
}

const ValidationOptions kOptions{400, Parallel{1}};
const CaseRow kRow = row_judging({Statistic::min, Statistic::mean, Statistic::max});

}  // namespace

TEST_CASE("a row passes if all its statistics are inside and the perturbation is noticed") {
  // Uniform in 100 … 200, n = 100: min about 101, mean 150 ± 2.9, max about 199.
  const JudgedRow judged = judge_row(kRow, printed(100, 101, 152, 199, 1us), simulator(100, 200), kOptions);
  CHECK(judged.verdict == RowVerdict::pass);
  CHECK(judged.feasible);
  CHECK(judged.n == 100);
  CHECK(judged.note.empty());
  REQUIRE(judged.statistics.size() == 3);
  const JudgedStatistic& mean = judged.statistics[1];
  CHECK(mean.statistic == Statistic::mean);
  CHECK(mean.measured == Approx(152.0));
  CHECK(*mean.predicted == Approx(150.0).margin(1.0));
  CHECK(mean.interval95->lo == Approx(143.0).margin(2.0));
  CHECK(mean.interval95->hi == Approx(157.0).margin(2.0));
  CHECK(*mean.inside);
  CHECK(!mean.mark);
  CHECK(!mean.naive);
}

TEST_CASE("a row that went into the model says that its intervals take the fit for certain") {
  CaseRow row = row_judging({Statistic::mean});
  row.role = Role::fit;
  CHECK(judge_row(row, printed(100, 101, 152, 199, 1us), simulator(100, 200), kOptions).note ==
        "intervals without the uncertainty of what was fitted");
}

namespace {

/// Everything times exp(0.05 N), with an N of its own for each repetition: a cost that is known to ± 10 %.
Repetition uncertain_uniform(std::int64_t first) {
  return [first](std::int64_t n, std::uint32_t index) {
    RandomStream stream{2, index, "cost"};
    const double factor = std::exp(0.05 * normal_quantile(stream.uniform()));
    return uniform(100.0 * factor, 200.0 * factor)(n, static_cast<std::uint32_t>(first) + index);
  };
}

ValidationOptions with_uncertainty() {
  ValidationOptions options{2000, Parallel{1}};
  options.uncertain.drawn = [](const CaseRow&, const std::vector<std::string>&) { return uncertain_uniform(0); };
  options.uncertain.ends = [](const CaseRow&, const std::vector<std::string>&) {
    return std::vector<std::vector<std::string>>{{"/factor=0.907"}, {"/factor=1.103"}};  // exp(∓1.96 · 0.05)
  };
  return options;
}

/// A simulator in which "/factor=F" multiplies everything.
Simulator multiplied_uniform() {
  return [](const CaseRow&, const std::vector<std::string>& set) {
    double factor = 1.0;
    for (const std::string& one : set) {
      if (one.starts_with("/factor=")) factor *= std::stod(one.substr(8));
      if (one == "/slow=true") factor *= 2.0;
    }
    return uniform(100.0 * factor, 200.0 * factor);
  };
}

/// How many of `count` experiments with costs of their own lie inside all intervals.
std::uint64_t covered(const JudgedRow& judged, std::int64_t n, std::uint32_t count) {
  const Repetition nature = uncertain_uniform(1'000'000);
  std::uint64_t inside = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<Statistic> statistics;
    for (const JudgedStatistic& statistic : judged.statistics) statistics.push_back(statistic.statistic);
    const std::vector<double> values = values_of(statistics, nature(n, 500'000 + i));
    bool all = true;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Interval interval = judged.statistics[k].interval95_with_parameters.value();
      all = all && interval.lo <= values[k] && values[k] <= interval.hi;
    }
    inside += all ? 1 : 0;
  }
  return inside;
}

}  // namespace

TEST_CASE("intervals with the uncertainty of fitted costs cover experiments whose costs are not the fitted ones") {
  CaseRow row = kRow;
  row.role = Role::fit;
  const JudgedRow judged = judge_row(row, printed(100, 101, 152, 199, 1ns), multiplied_uniform(), with_uncertainty());
  const std::uint64_t inside = covered(judged, 100, 400);
  INFO(inside << " of 400");
  CHECK(binomial_cdf(inside, 400, 0.95) > 0.001);
  CHECK(1.0 - binomial_cdf(inside - 1, 400, 0.97) > 0.001);
  CHECK_THAT(judged.note, Catch::Contains("with the uncertainty of what was fitted: min_us "));
  for (const JudgedStatistic& statistic : judged.statistics) {
    CHECK(statistic.interval95_with_parameters->hi > statistic.interval95->hi);
    CHECK(statistic.interval95_with_parameters->lo < statistic.interval95->lo);
  }
}

TEST_CASE("the same holds of experiments that are too large to be repeated") {
  const CaseRow row = row_judging({Statistic::mean, Statistic::p90});
  Measurement measurement = printed(20'000, 101, 150, 199, 1ns);
  measurement.values[static_cast<std::size_t>(Statistic::p90)] = {190.0, 0.001};
  const JudgedRow judged = judge_row(row, measurement, multiplied_uniform(), with_uncertainty());
  const std::uint64_t inside = covered(judged, 20'000, 200);
  INFO(inside << " of 200");
  CHECK(binomial_cdf(inside, 200, 0.95) > 0.001);
}

TEST_CASE("a row fails if one statistic is outside") {
  const JudgedRow judged = judge_row(kRow, printed(100, 101, 160, 199, 1us), simulator(100, 200), kOptions);
  CHECK(judged.verdict == RowVerdict::fail);
  CHECK(*judged.statistics[0].inside);
  CHECK(!*judged.statistics[1].inside);
  CHECK(*judged.statistics[2].inside);
}

TEST_CASE("a row that does not notice its perturbation fails, with a note") {
  CaseRow row = row_judging({Statistic::min, Statistic::mean, Statistic::max});
  row.perturbation = {"/without_effect=1"};
  const JudgedRow judged = judge_row(row, printed(100, 101, 152, 199, 1us), simulator(100, 200), kOptions);
  CHECK(judged.verdict == RowVerdict::fail);
  CHECK(*judged.statistics[1].inside);
  CHECK(judged.note == "does not notice the perturbation, so it says nothing");
}

TEST_CASE("a perturbation comes on top of what the row sets") {
  CaseRow row = row_judging({Statistic::mean});
  row.set = {"/slow=true"};
  const JudgedRow judged = judge_row(row, printed(100, 102, 152, 198, 1us), simulator(50, 100), kOptions);
  CHECK(judged.verdict == RowVerdict::pass);  // twice 50 … 100 predicts it, four times would not
}

TEST_CASE("an interval is widened by half a print step on each side") {
  // A model without any spread: the interval is the value, but for the printing.
  const CaseRow row = row_judging({Statistic::min});
  const auto verdict = [&](double min_us, Duration step) {
    return judge_row(row, printed(10, min_us, 300, 400, step), simulator(175.4, 175.4), kOptions).verdict;
  };
  CHECK(verdict(175, 1us) == RowVerdict::pass);
  CHECK(verdict(176, 1us) == RowVerdict::fail);
  CHECK(verdict(175, 700ns) == RowVerdict::fail);
  CHECK(verdict(180, 10us) == RowVerdict::pass);
}

TEST_CASE("a mark judges the relative error of the prediction, whatever the interval") {
  CaseRow row = row_judging({Statistic::mean});
  auto& judge = *row.statistics.each[static_cast<std::size_t>(Statistic::mean)];
  judge = {Judge::By::mark, 0.25};
  const auto verdict = [&](double mean_us) {
    return judge_row(row, printed(1000, 10, mean_us, 1000, 1us), simulator(140, 160), kOptions);
  };
  CHECK(verdict(125).verdict == RowVerdict::pass);  // 150 / 125 = 1.2
  CHECK(!(verdict(125).statistics[0].interval95->lo <= 125.0));
  CHECK(verdict(119).verdict == RowVerdict::fail);  // 1.26
  CHECK(verdict(119).statistics[0].mark == 0.25);
}

TEST_CASE("a row that is repeated less often has marks and no intervals") {
  CaseRow row = row_judging({Statistic::mean});
  row.statistics.each[static_cast<std::size_t>(Statistic::mean)] = Judge{Judge::By::mark, 0.1};
  row.repetitions = 5;
  const JudgedRow judged = judge_row(row, printed(100, 100, 150, 200, 1us), simulator(100, 200), kOptions);
  CHECK(judged.verdict == RowVerdict::pass);
  CHECK_FALSE(judged.statistics.front().interval95);
}

TEST_CASE("the mark of a distance is the greatest distance from the prediction") {
  CaseRow row = row_judging({Statistic::ks_distance});
  row.repetitions = 5;
  BenchSamples samples;
  for (int i = 0; i < 100; ++i) samples.latencies.push_back(from_us(100.5 + i));
  const auto verdict = [&](double mark) {
    row.statistics.each[static_cast<std::size_t>(Statistic::ks_distance)] = Judge{Judge::By::mark, mark};
    return judge_row(row, measurement_of(samples, {}), simulator(100, 200), kOptions).verdict;
  };
  CHECK(verdict(0.06) == RowVerdict::pass);
  CHECK(verdict(0.001) == RowVerdict::fail);
}

TEST_CASE("a prediction is compared with the naive one") {
  CaseRow row = row_judging({Statistic::min, Statistic::mean, Statistic::max});
  row.naive.emplace();
  row.naive->values[static_cast<std::size_t>(Statistic::min)] = 50.0;
  row.naive->values[static_cast<std::size_t>(Statistic::mean)] = 152.0;
  const JudgedRow judged = judge_row(row, printed(100, 101, 152, 199, 1us), simulator(100, 200), kOptions);
  CHECK(*judged.statistics[0].better_than_naive);
  CHECK(!*judged.statistics[1].better_than_naive);
  CHECK(!judged.statistics[2].naive);
  CHECK(!judged.statistics[2].better_than_naive);
  CHECK(judged.verdict == RowVerdict::pass);  // being no better than that is no failure
}

TEST_CASE("figures that contradict each other are judged without the one that does not fit") {
  const Measurement lost_edge = printed(100, 49'000, 52'000, 1'054'000, 1ms);
  const JudgedRow judged = judge_row(kRow, lost_edge, simulator(49'000, 55'000), kOptions);
  CHECK(!judged.feasible);
  CHECK(judged.verdict == RowVerdict::infeasible_data);
  REQUIRE(judged.statistics.size() == 3);
  CHECK(*judged.statistics[0].inside);
  CHECK(*judged.statistics[1].inside);
  CHECK(judged.statistics[2].measured == 1'054'000.0);
  CHECK(!judged.statistics[2].predicted);
  CHECK(!judged.statistics[2].inside);
  CHECK_THAT(judged.note, Catch::Contains("it would take n >= 252; read with max as no sample of the mean"));
  // What is left of the row can still be wrong.
  CHECK(judge_row(kRow, lost_edge, simulator(60'000, 70'000), kOptions).verdict == RowVerdict::fail);
}

TEST_CASE("figures that nothing can repair are not compared with a model") {
  const JudgedRow judged = judge_row(kRow, printed(100, 5, 4, 3, 0us), simulator(1, 10), kOptions);
  CHECK(judged.verdict == RowVerdict::infeasible_data);
  for (const JudgedStatistic& statistic : judged.statistics) CHECK(!statistic.inside);
}

TEST_CASE("without a scenario a row is infeasible or has no verdict") {
  CaseRow row;
  row.name = "row";
  row.note = "a remark";
  const Simulator none;
  const JudgedRow open = judge_row(row, printed(100, 101, 152, 199, 1us), none, kOptions);
  CHECK(!open.verdict);
  CHECK(open.feasible);
  CHECK(open.statistics.size() == 3);
  CHECK(open.note == "feasible; nothing predicts it yet; a remark");
  const JudgedRow infeasible = judge_row(row, printed(100, 49, 52, 1054, 1us), none, kOptions);
  CHECK(infeasible.verdict == RowVerdict::infeasible_data);

  const Validation validation{{open, infeasible}};
  CHECK(validation.passed() == 0);
  CHECK(validation.failed() == 1);  // "infeasible data" was not what the row expects
}

TEST_CASE("a model that does not answer fails every row") {
  const Simulator mute = [](const CaseRow&, const std::vector<std::string>&) -> Repetition {
    return [](std::int64_t n, std::uint32_t) { return Answers{{}, n}; };
  };
  const JudgedRow judged = judge_row(kRow, printed(100, 101, 152, 199, 1us), mute, kOptions);
  CHECK(judged.verdict == RowVerdict::fail);
  CHECK(!judged.statistics[0].predicted);
  CHECK(!*judged.statistics[0].inside);
}

namespace {

BenchData bench(const std::string& text) {
  std::istringstream in{text};
  return read_bench_data(in, "bench.csv");
}

/// A log of `n` latencies of a model, every tenth edge unanswered, printed in whole microseconds.
BenchData log_of(const std::vector<Duration>& latencies) {
  std::string text = "latency_us\n";
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    if (i % 10 == 9) text += "\n";
    text += std::to_string(std::llround(to_us(latencies[i]))) + "\n";
  }
  return bench(text);
}

JudgedRow judge_bench(const BenchData& data, const Simulator& model) {
  return judge(bench_case("model", {}, data), data, model, kOptions).front();
}

const JudgedStatistic& statistic_of(const JudgedRow& row, Statistic statistic) {
  for (const JudgedStatistic& judged : row.statistics) {
    if (judged.statistic == statistic) return judged;
  }
  throw std::out_of_range(std::string{name_of(statistic)});
}

}  // namespace

TEST_CASE("one's own sample is compared by its figures, its losses and its distribution") {
  const BenchData data = log_of(uniform(100, 200)(100, 7).latencies.values());
  const JudgedRow judged = judge_bench(data, simulator(100, 200, 0.1));
  CHECK(judged.verdict == RowVerdict::pass);
  CHECK(judged.n == 100);
  CHECK(statistic_of(judged, Statistic::lost).measured == 10.0);
  CHECK(*statistic_of(judged, Statistic::lost).predicted == Approx(11.0).margin(1.0));  // a tenth of 110 edges
  CHECK(statistic_of(judged, Statistic::ks_distance).interval95->lo == 0.0);
  REQUIRE(judged.distribution);
  CHECK(judged.distribution->ks_distance == statistic_of(judged, Statistic::ks_distance).measured);
  CHECK(*judged.distribution->p_value > 0.05);
  CHECK(judged.distribution->wasserstein.us < 5.0);
  CHECK_THAT(judged.note, Catch::Contains("distributions: Kolmogorov-Smirnov distance 0.") &&
                              Catch::Contains("; Wasserstein distance "));
}

TEST_CASE("a sample with the right figures and the wrong distribution fails by its distance alone") {
  // Half at 125 ± 1, half at 175 ± 1, and the ends of the uniform law: same min, mean, max and nearly the same median.
  std::vector<Duration> latencies = {100us, 199us};
  for (int i = 0; i < 49; ++i) {
    latencies.push_back(from_us(124.0 + i % 3));
    latencies.push_back(from_us(174.0 + i % 3));
  }
  latencies.push_back(150us);
  const JudgedRow judged = judge_bench(log_of(latencies), simulator(100, 200, 0.1));
  CHECK(judged.verdict == RowVerdict::fail);
  for (const Statistic statistic : {Statistic::min, Statistic::mean, Statistic::p50, Statistic::max, Statistic::lost}) {
    INFO(name_of(statistic));
    CHECK(*statistic_of(judged, statistic).inside);
  }
  CHECK(!*statistic_of(judged, Statistic::ks_distance).inside);
  CHECK(*judged.distribution->p_value < 0.01);
  CHECK(judged.distribution->wasserstein.interval95.lo > 3.0);
}

TEST_CASE("a model whose experiments are slow in whole now and then is not blamed for one that is") {
  // Edges of one experiment resemble each other; a test that took them as independent would fail most of these.
  const Simulator clustered = [](const CaseRow&, const std::vector<std::string>&) -> Repetition {
    return [](std::int64_t n, std::uint32_t index) {
      RandomStream stream{4, index, "whole"};
      const double shift = 20.0 * stream.uniform();
      return uniform(100.0 + shift, 150.0 + shift)(n, index);
    };
  };
  constexpr std::uint64_t kTrials = 60;
  std::uint64_t false_alarms = 0;
  std::uint64_t if_independent = 0;
  for (std::uint32_t i = 0; i < kTrials; ++i) {
    const BenchData data = log_of(clustered({}, {})(150, 700'000 + i).latencies.values());
    LoadedCase loaded = bench_case("model", {}, data);
    for (auto& judge : loaded.content.rows.front().statistics.each) judge.reset();
    loaded.content.rows.front().statistics.each[static_cast<std::size_t>(Statistic::ks_distance)] = Judge{};
    const JudgedRow judged = judge(loaded, data, clustered, {200, Parallel{1}}).front();
    false_alarms += *judged.distribution->p_value <= 0.05 ? 1 : 0;
    // Of Kolmogorov's law: 1.36 √((n + m) / nm) with a reference that is much larger.
    if_independent += judged.distribution->ks_distance > 1.36 / std::sqrt(150.0) ? 1 : 0;
  }
  INFO(false_alarms << " false alarms, " << if_independent << " if edges were independent");
  CHECK(1.0 - binomial_cdf(false_alarms, kTrials, 0.05) > 0.001);
  CHECK(if_independent > kTrials / 4);
}

TEST_CASE("the distribution of a few samples, or of too many to repeat, is not compared, with the reason") {
  const JudgedRow few = judge_bench(log_of(uniform(100, 200)(19, 7).latencies.values()), simulator(100, 200, 0.1));
  CHECK_FALSE(few.distribution);
  CHECK_THROWS_AS(statistic_of(few, Statistic::ks_distance), std::out_of_range);
  CHECK(few.note == "distributions are not compared: 19 samples, at least 20 are needed on either side");
  const LoadedCase many = bench_case("model", {}, bench("latency_us,count\n100,6000\n101,6000\n"));
  CHECK(many.content.rows.front().note ==
        "distributions are not compared: 12000 edges, at most 10000 can be simulated often enough");
}

TEST_CASE("a bench that loses more edges than the model fails by its losses") {
  const BenchData data = log_of(uniform(100, 200)(100, 7).latencies.values());
  const JudgedRow judged = judge_bench(data, simulator(100, 200, 0.001));
  CHECK(judged.verdict == RowVerdict::fail);
  CHECK(!*statistic_of(judged, Statistic::lost).inside);
}

TEST_CASE("each row of one's own table is compared with the scenario, by the figures it has") {
  const BenchData data = bench("row,n,min_us,mean_us,max_us\na,100,101,152,199\nb,100,101,,199\n");
  const LoadedCase loaded = bench_case("model", {}, data);
  const auto rows = judge(loaded, data, simulator(100, 200), kOptions);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].case_name == "bench.csv");
  CHECK(rows[0].row == "a");
  CHECK(rows[0].statistics.size() == 3);
  CHECK(rows[1].statistics.size() == 2);
  CHECK(rows[1].verdict == RowVerdict::pass);
}

TEST_CASE("a row or statistic that the data do not have is refused") {
  LoadedCase loaded;
  loaded.name = "case";
  loaded.content.rows = {row_judging({Statistic::p99})};
  const BenchData data = bench("row,n,min_us\nrow,100,101\n");
  CHECK_THROWS_WITH(judge(loaded, data, simulator(1, 2), kOptions),
                    Catch::Contains("/rows/0/statistics/p99_us: expected a statistic that bench.csv has"));
  loaded.content.rows.front().measured = "rows";
  CHECK_THROWS_WITH(
      judge(loaded, data, simulator(1, 2), kOptions),
      Catch::Contains("/rows/0/measured: expected a row of bench.csv, found \"rows\"; did you mean \"row\""));
}

TEST_CASE("a large experiment is compared by a pool, and an end beyond it is called an extrapolation") {
  const CaseRow row = row_judging({Statistic::min, Statistic::mean, Statistic::max});
  const JudgedRow judged = judge_row(row, printed(20'000, 100, 150, 200, 1us), simulator(100, 200), {400, Parallel{1}});
  CHECK(judged.verdict == RowVerdict::pass);
  CHECK(judged.note == "extrapolation beyond the pooled sample: min_us max_us");
}
