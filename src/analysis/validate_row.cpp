// Judges a row by predictive intervals or marks.
#include "analysis/validate_row.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <sstream>
#include <utility>

namespace vecusim {
namespace {

/// The number of experiments in the reference of `ks_distance`.
constexpr std::size_t kReferenceExperiments = 50;

void add_note(std::string& note, const std::string& more) {
  if (!note.empty() && !more.empty()) note += "; ";
  note += more;
}

/// The statistics that can be judged under the reading of the row's figures.
std::vector<Statistic> judged_statistics(const CaseRow& row, Reading reading) {
  std::vector<Statistic> statistics;
  if (reading == Reading::none) return statistics;
  for (std::size_t i = 0; i < kStatistics; ++i) {
    const auto statistic = static_cast<Statistic>(i);
    const bool apart = (reading == Reading::max_apart && statistic == Statistic::max) ||
                       (reading == Reading::min_apart && statistic == Statistic::min);
    if (row.statistics.each[i] && !apart) statistics.push_back(statistic);
  }
  return statistics;
}

void judge(JudgedStatistic& judged, const Judge& by, double step, const Predicted& predicted) {
  judged.mark = by.mark;
  judged.inside = false;
  if (std::isnan(predicted.value)) return;
  judged.predicted = predicted.value;
  judged.interval95 = {std::max(0.0, predicted.lo - 0.5 * step), predicted.hi + 0.5 * step};
  const double error = std::abs(predicted.value - judged.measured);
  judged.inside = by.by == Judge::By::mark
                      ? error <= *by.mark * judged.measured
                      : judged.interval95->lo <= judged.measured && judged.measured <= judged.interval95->hi;
  if (judged.naive) judged.better_than_naive = error < std::abs(*judged.naive - judged.measured);
}

/// What one model makes of a row.
struct Outcomes {
  ByStatistic<JudgedStatistic> statistics;
  bool inside = true;
  std::string note;
};

Outcomes compare(const CaseRow& row, const Measurement& measurement, const std::vector<Statistic>& statistics,
                 const Repetition& repeat, const ValidationOptions& options) {
  Outcomes outcomes;
  Question question{measurement.n + measurement.lost, statistics, nullptr, options.repetitions};
  ByStatistic<Measured> measured = measurement.values;
  std::optional<Reference> reference;
  if (std::find(statistics.begin(), statistics.end(), Statistic::ks_distance) != statistics.end()) {
    reference.emplace(reference_latencies(repeat, question.n, kReferenceExperiments, options.parallel),
                      measurement.step);
    question.reference = &*reference;
    const KolmogorovSmirnov ks =
        reference->empty() ? KolmogorovSmirnov{1.0, 0.0} : reference->compare(measurement.samples->latencies);
    measured[static_cast<std::size_t>(Statistic::ks_distance)] = {ks.distance, 0.0};
    std::ostringstream text;
    text.precision(2);
    text << "Kolmogorov-Smirnov p = " << ks.p_value;
    outcomes.note = text.str();
  }

  const std::vector<Predicted> predictions = predict(repeat, question, options.parallel);
  std::string extrapolated;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    const auto s = static_cast<std::size_t>(statistics[i]);
    assert(measured[s]);
    JudgedStatistic judged{statistics[i], measured[s]->value};
    if (row.naive) judged.naive = row.naive->values[s];
    judge(judged, *row.statistics.each[s], measured[s]->step, predictions[i]);
    outcomes.inside = outcomes.inside && *judged.inside;
    outcomes.statistics[s] = judged;
    if (predictions[i].extrapolated) extrapolated.append(" ").append(name_of(statistics[i]));
  }
  if (!extrapolated.empty()) add_note(outcomes.note, "extrapolation beyond the pooled sample:" + extrapolated);
  return outcomes;
}

/// What was measured and is not judged is shown all the same: without a scenario everything, else what the row names.
void show(JudgedRow& judged, const CaseRow& row, const Measurement& measurement, const Outcomes& outcomes) {
  for (std::size_t i = 0; i < kStatistics; ++i) {
    const bool named = !row.scenario || row.statistics.each[i];
    if (outcomes.statistics[i]) {
      judged.statistics.push_back(*outcomes.statistics[i]);
    } else if (named && measurement.values[i]) {
      judged.statistics.push_back({static_cast<Statistic>(i), measurement.values[i]->value});
      if (row.naive) judged.statistics.back().naive = row.naive->values[i];
    }
  }
}

}  // namespace

JudgedRow judge_row(const CaseRow& row, const Measurement& measurement, const Simulator& simulator,
                    const ValidationOptions& options) {
  const Feasibility feasible = feasibility(measurement.printed);
  JudgedRow judged;
  judged.row = row.name;
  judged.role = row.role;
  judged.n = measurement.n;
  judged.feasible = feasible.feasible();
  judged.expect = row.expect;
  judged.note = explain(feasible, measurement.printed);
  if (!judged.feasible) judged.verdict = RowVerdict::infeasible_data;

  const std::vector<Statistic> statistics = judged_statistics(row, feasible.reading);
  Outcomes outcomes;
  if (row.scenario && !statistics.empty()) {
    outcomes = compare(row, measurement, statistics, simulator(row, row.set), options);
    add_note(judged.note, outcomes.note);
    if (row.role == Role::fit) add_note(judged.note, "intervals without the uncertainty of what was fitted");
    const RowVerdict good = judged.feasible ? RowVerdict::pass : RowVerdict::infeasible_data;
    judged.verdict = outcomes.inside ? good : RowVerdict::fail;
    if (outcomes.inside && !row.perturbation.empty()) {
      std::vector<std::string> set = row.set;
      set.insert(set.end(), row.perturbation.begin(), row.perturbation.end());
      if (compare(row, measurement, statistics, simulator(row, set), options).inside) {
        judged.verdict = RowVerdict::fail;
        add_note(judged.note, "does not notice the perturbation, so it says nothing");
      }
    }
  }
  if (!judged.verdict) add_note(judged.note, "feasible; nothing predicts it yet");
  show(judged, row, measurement, outcomes);
  add_note(judged.note, row.note);
  return judged;
}

}  // namespace vecusim
