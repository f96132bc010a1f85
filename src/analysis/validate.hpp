// Validation: predicted against measured, row by row, and the document `vecusim/validation/1`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/bench_data.hpp"
#include "analysis/case.hpp"
#include "analysis/hypotheses.hpp"
#include "analysis/predictive.hpp"
#include "analysis/trials.hpp"
#include "analysis/two_sample.hpp"
#include "system/json_node.hpp"

namespace vecusim {

/// One statistic of a row. What there is nothing to say of is empty.
struct JudgedStatistic {
  Statistic statistic = Statistic::min;
  double measured = 0.0;
  std::optional<double> predicted = {};
  /// Widened by print rounding.
  std::optional<Interval> interval95 = {};
  /// The same with fitted costs anywhere in their own 95 % intervals; empty if none of the row's is fitted with one.
  std::optional<Interval> interval95_with_parameters = {};
  std::optional<double> mark = {};
  /// Whether the judge is content.
  std::optional<bool> inside = {};
  std::optional<double> naive = {};
  std::optional<bool> better_than_naive = {};
  /// What it is if it is a figure and none of the statistics; else empty.
  std::string figure = {};

  std::string_view name() const { return figure.empty() ? name_of(statistic) : std::string_view(figure); }
};

/// The whole of a measured sample beside what the model would show.
struct ComparedDistribution {
  double ks_distance = 0.0;
  /// How often an experiment of the model is at least as far (Kolmogorov-Smirnov) from the model's own law; empty where
  /// the experiment is repeated too seldom to tell.
  std::optional<double> p_value;
  WassersteinDistance wasserstein;
};

struct JudgedRow {
  std::string case_name;
  std::string row;
  Role role = Role::predicted;
  /// Samples that were measured; empty for a figure, of which its source says nothing of the kind.
  std::optional<std::int64_t> n;
  bool feasible = true;
  std::vector<JudgedStatistic> statistics;
  std::optional<ComparedDistribution> distribution;
  /// Empty: nothing to judge, so it is in neither count.
  std::optional<RowVerdict> verdict;
  RowVerdict expect = RowVerdict::pass;
  std::string note;
};

struct Validation {
  std::vector<JudgedRow> rows;
  /// One for each measurement that rows explain in different ways.
  std::vector<HypothesisComparison> comparisons = {};

  std::size_t passed() const;
  std::size_t failed() const;
};

/// Gives the model behind a row: how to repeat its experiment with the scenario changed by `set`.
using Simulator = std::function<Repetition(const CaseRow& row, const std::vector<std::string>& set)>;

/// A row's model with fitted costs where their intervals leave them.
struct UncertainModel {
  /// Each repetition with costs of its own. An empty one: the row's scenario has no fitted cost with an interval.
  Simulator drawn = {};
  /// Settings that put the fitted costs to the ends of what is open (FittedCosts::ends): for experiments too large to
  /// be repeated.
  std::function<std::vector<std::vector<std::string>>(const CaseRow& row, const std::vector<std::string>& set)> ends =
      {};
};

struct ValidationOptions {
  std::size_t repetitions = kRepetitions;
  Parallel parallel = {};
  UncertainModel uncertain = {};
};

/// Judges every row of a case by its data file. Throws InvalidInput if the data cannot be read or lack a row or
/// statistic.
std::vector<JudgedRow> judge(const LoadedCase& loaded, const Simulator& simulator, const ValidationOptions& options);
/// The same with the data given.
std::vector<JudgedRow> judge(const LoadedCase& loaded, const BenchData& data, const Simulator& simulator,
                             const ValidationOptions& options);

/// The case's rows with a `hypothesis`, by the measurement that they explain: where there are several. `judged` are its
/// rows, in the case's order.
std::vector<HypothesisComparison> compare_hypotheses(const LoadedCase& loaded, const std::vector<JudgedRow>& judged,
                                                     const Simulator& simulator, const ValidationOptions& options);

/// One's own bench as a case: each row, or the sample, of `data` is compared with `scenario`. Judged by interval are
/// the figures that a table prints, and of a sample min, mean, p50, max, the lost edges and, up to kMostRepeated edges,
/// the distance of its distribution, if there are enough samples for one.
LoadedCase bench_case(const std::string& scenario, const std::vector<std::string>& set, const BenchData& data);

/// The document `vecusim/validation/1`.
json::Node to_json(const Validation& validation);
/// For a terminal of 80 columns; `colour`: with ANSI escapes.
std::string to_text(const Validation& validation, bool colour);
/// The page docs/validation.md: predicted rows and fitted ones apart, each miss with its reason.
std::string to_markdown(const Validation& validation);

}  // namespace vecusim
