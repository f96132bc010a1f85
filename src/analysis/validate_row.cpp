// Judges a row by predictive intervals or marks.
#include "analysis/validate_row.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

/// The number of experiments in the reference of `ks_distance`.
constexpr std::size_t kReferenceExperiments = 50;
/// A mark needs the median alone, for which fewer repetitions do than for the ends of an interval.
constexpr std::size_t kRepetitionsForMarks = 200;
/// For the interval of a distance.
constexpr std::size_t kResamplings = 200;

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
  if (by.by == Judge::By::interval) {
    judged.inside = judged.interval95->lo <= judged.measured && judged.measured <= judged.interval95->hi;
  } else if (judged.statistic == Statistic::ks_distance) {
    judged.inside = judged.measured <= *by.mark;  // it is a distance from the prediction already
  } else {
    judged.inside = error <= *by.mark * judged.measured;
  }
  if (judged.naive) judged.better_than_naive = error < std::abs(*judged.naive - judged.measured);
}

/// What one model makes of a row.
struct Outcomes {
  ByStatistic<JudgedStatistic> statistics;
  bool inside = true;
  std::optional<ComparedDistribution> distribution;
  std::string note;
};

std::string text_of(const ComparedDistribution& compared) {
  const Interval& interval = compared.wasserstein.interval95;
  return "distributions: Kolmogorov-Smirnov distance " + four_digits(compared.ks_distance) +
         (compared.p_value ? ", p = " + four_digits(*compared.p_value) : "") + "; Wasserstein distance " +
         four_digits(compared.wasserstein.us) + " µs, " + four_digits(interval.lo) + " … " + four_digits(interval.hi);
}

std::size_t repetitions_for(const CaseRow& row, const std::vector<Statistic>& statistics, std::size_t wanted) {
  if (row.repetitions) return static_cast<std::size_t>(*row.repetitions);
  const bool marks = std::all_of(statistics.begin(), statistics.end(), [&](Statistic statistic) {
    return row.statistics.each[static_cast<std::size_t>(statistic)]->by == Judge::By::mark;
  });
  return marks ? std::min(wanted, kRepetitionsForMarks) : wanted;
}

Outcomes compare(const CaseRow& row, const Measurement& measurement, const std::vector<Statistic>& statistics,
                 const Repetition& repeat, const ValidationOptions& options) {
  Outcomes outcomes;
  const std::size_t repetitions = repetitions_for(row, statistics, options.repetitions);
  Question question{measurement.n + measurement.lost, statistics, nullptr, repetitions, row.pool.value_or(0)};
  ByStatistic<Measured> measured = measurement.values;
  std::optional<Reference> reference;
  if (std::find(statistics.begin(), statistics.end(), Statistic::ks_distance) != statistics.end()) {
    const std::size_t experiments = row.repetitions ? repetitions : kReferenceExperiments;
    reference.emplace(reference_latencies(repeat, question.n, experiments, options.parallel), measurement.step);
    question.reference = &*reference;
    const std::vector<Duration> shown = reference->shown(measurement.samples->latencies);
    if (comparison_refusal(shown.size(), reference->latencies().size()).empty()) {
      outcomes.distribution = ComparedDistribution{kolmogorov_smirnov(shown, reference->latencies()).distance,
                                                   {},
                                                   wasserstein_distance(shown, reference->latencies(), kResamplings)};
    }
    question.distance = outcomes.distribution ? outcomes.distribution->ks_distance : 1.0;
    measured[static_cast<std::size_t>(Statistic::ks_distance)] = {*question.distance, 0.0};
  }

  const std::vector<Predicted> predictions = predict(repeat, question, options.parallel);
  std::string extrapolated;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    const auto s = static_cast<std::size_t>(statistics[i]);
    assert(measured[s]);
    JudgedStatistic judged{statistics[i], measured[s]->value};
    if (row.naive) judged.naive = row.naive->values[s];
    judge(judged, *row.statistics.each[s], measured[s]->step, predictions[i]);
    if (row.repetitions) judged.interval95.reset();  // too few for one
    if (outcomes.distribution && !row.repetitions && predictions[i].p_value) {
      outcomes.distribution->p_value = predictions[i].p_value;
    }
    outcomes.inside = outcomes.inside && *judged.inside;
    outcomes.statistics[s] = judged;
    if (predictions[i].extrapolated) extrapolated.append(" ").append(name_of(statistics[i]));
  }
  if (outcomes.distribution) add_note(outcomes.note, text_of(*outcomes.distribution));
  if (!extrapolated.empty()) add_note(outcomes.note, "extrapolation beyond the pooled sample:" + extrapolated);
  return outcomes;
}

/// For what stands beside the judgement: a quarter of its repetitions.
ValidationOptions beside(ValidationOptions options) {
  constexpr std::size_t kLeast = 200;
  options.repetitions = std::max(kLeast, options.repetitions / 4);
  return options;
}

/// Large experiments: what the ends of what is open of the costs change, beside the experiment's own scatter.
std::vector<Predicted> with_ends(std::vector<Predicted> certain, const CaseRow& row, const Question& question,
                                 const Simulator& simulator, const ValidationOptions& options) {
  std::vector<Predicted> widest = certain;
  std::vector<double> below(certain.size(), 0.0);
  std::vector<double> above(certain.size(), 0.0);
  for (const std::vector<std::string>& end : options.uncertain.ends(row, row.set)) {
    std::vector<std::string> set = row.set;
    set.insert(set.end(), end.begin(), end.end());
    const std::vector<Predicted> there = predict(simulator(row, set), question, options.parallel);
    for (std::size_t i = 0; i < certain.size(); ++i) {
      const double change = there[i].value - certain[i].value;
      (change < 0.0 ? below : above)[i] += change * change;
    }
  }
  for (std::size_t i = 0; i < certain.size(); ++i) {
    widest[i].lo = certain[i].value - std::hypot(certain[i].value - certain[i].lo, std::sqrt(below[i]));
    widest[i].hi = certain[i].value + std::hypot(certain[i].hi - certain[i].value, std::sqrt(above[i]));
  }
  return widest;
}

/// Adds the intervals that know of the fitted costs' uncertainty; what they are, in words.
std::string add_parameter_intervals(Outcomes& outcomes, const CaseRow& row, const Measurement& measurement,
                                    const std::vector<Statistic>& statistics, const Simulator& simulator,
                                    const ValidationOptions& options) {
  if (row.repetitions || !options.uncertain.drawn) return {};  // a row repeated less often has no intervals
  const Repetition drawn = options.uncertain.drawn(row, row.set);
  if (!drawn) return {};
  std::vector<Statistic> latencies = statistics;
  std::erase(latencies, Statistic::ks_distance);
  Question question{measurement.n + measurement.lost, latencies, nullptr, beside(options).repetitions,
                    row.pool.value_or(0)};
  const std::vector<Predicted> predictions =
      question.n <= kMostRepeated
          ? by_repetition(drawn, question, options.parallel)
          : with_ends(predict(simulator(row, row.set), question, options.parallel), row, question, simulator, options);
  std::string said = "with the uncertainty of what was fitted:";
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    const auto s = static_cast<std::size_t>(latencies[i]);
    if (std::isnan(predictions[i].value)) continue;
    const double rounding = 0.5 * measurement.values[s]->step;
    const Interval interval{std::max(0.0, predictions[i].lo - rounding), predictions[i].hi + rounding};
    outcomes.statistics[s]->interval95_with_parameters = interval;
    said += (i == 0 ? " " : ", ") + std::string(name_of(latencies[i])) + " " + four_digits(interval.lo) + " … " +
            four_digits(interval.hi);
  }
  return said;
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
    judged.distribution = outcomes.distribution;
    const std::string uncertain = add_parameter_intervals(outcomes, row, measurement, statistics, simulator, options);
    if (row.role == Role::fit && !row.repetitions) {
      add_note(judged.note, uncertain.empty() ? "intervals without the uncertainty of what was fitted" : uncertain);
    }
    const RowVerdict good = judged.feasible ? RowVerdict::pass : RowVerdict::infeasible_data;
    judged.verdict = outcomes.inside ? good : RowVerdict::fail;
    if (outcomes.inside && !row.perturbation.empty()) {
      std::vector<std::string> set = row.set;
      set.insert(set.end(), row.perturbation.begin(), row.perturbation.end());
      if (compare(row, measurement, statistics, simulator(row, set), beside(options)).inside) {
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
