// Which hypotheses agree with a measurement, and which experiments would separate them.
#include "analysis/hypotheses.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/validate.hpp"

namespace vecusim {
namespace {

/// Experiments that are only foreseen are repeated less often than judged ones: a table shows four digits.
constexpr std::size_t kRepetitionsForeseen = 100;

const std::string& measured_name(const CaseRow& row) { return row.measured ? *row.measured : row.name; }

/// The case's rows that explain one measurement: indices.
std::vector<std::vector<std::size_t>> competitors(const Case& content) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < content.rows.size(); ++i) {
    if (content.rows[i].hypothesis.empty()) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const std::vector<std::size_t>& group) {
      return measured_name(content.rows[group.front()]) == measured_name(content.rows[i]);
    });
    if (same == groups.end()) {
      groups.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  std::erase_if(groups, [](const std::vector<std::size_t>& group) { return group.size() < 2; });
  return groups;
}

const std::vector<std::string>& settings_for(const CaseExperiment& experiment, const std::string& hypothesis) {
  const auto own = std::find_if(experiment.instead.begin(), experiment.instead.end(),
                                [&](const CaseExperiment::Own& o) { return o.hypothesis == hypothesis; });
  return own == experiment.instead.end() ? experiment.set : own->set;
}

ForeseenExperiment foresee(const CaseExperiment& experiment, const std::vector<const CaseRow*>& rows, std::int64_t n,
                           const Simulator& simulator, const ValidationOptions& options) {
  ForeseenExperiment foreseen{experiment.name, n, {}, {}};
  const Question question{n, {Statistic::mean}, nullptr, std::min(options.repetitions, kRepetitionsForeseen)};
  for (const CaseRow* row : rows) {
    std::vector<std::string> set = row->set;
    const std::vector<std::string>& more = settings_for(experiment, row->hypothesis);
    set.insert(set.end(), more.begin(), more.end());
    foreseen.mean_us.push_back(predict(simulator(*row, set), question, options.parallel).front());
  }
  foreseen.group = overlap_groups(foreseen.mean_us);
  return foreseen;
}

std::string list_of(const std::vector<const Hypothesis*>& hypotheses) {
  std::string text;
  for (const Hypothesis* hypothesis : hypotheses) text.append(text.empty() ? "" : ", ").append(hypothesis->name);
  return text;
}

Hypothesis hypothesis_of(const CaseRow& row, const JudgedRow& judged) {
  std::optional<bool> agrees;
  if (judged.verdict) agrees = *judged.verdict != RowVerdict::fail;
  return {row.hypothesis, row.name, row.fitted, row.factor.has_value(), agrees};
}

}  // namespace

std::vector<std::size_t> overlap_groups(const std::vector<Predicted>& predicted) {
  std::vector<std::size_t> order(predicted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return predicted[a].lo < predicted[b].lo; });
  std::vector<std::size_t> group(predicted.size());
  std::size_t current = 0;
  double reach = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Predicted& next = predicted[order[k]];
    if (k > 0 && next.lo > reach) ++current;
    reach = k == 0 ? next.hi : std::max(reach, next.hi);
    group[order[k]] = current;
  }
  return group;
}

std::vector<const Hypothesis*> HypothesisComparison::agreeing() const {
  std::vector<const Hypothesis*> result;
  for (const Hypothesis& hypothesis : hypotheses) {
    if (hypothesis.agrees.value_or(false)) result.push_back(&hypothesis);
  }
  return result;
}

std::string HypothesisComparison::verdict() const {
  const std::vector<const Hypothesis*> left = agreeing();
  if (left.empty()) return "none of them agrees with this row";
  if (left.size() == 1)
    return "of these, only " + left.front()->name + " agrees with this row, which does not prove it";
  return "this row cannot distinguish them: " + list_of(left) + " agree with it";
}

std::vector<std::pair<std::string, std::string>> HypothesisComparison::inseparable() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  const std::vector<const Hypothesis*> left = agreeing();
  for (std::size_t a = 0; a < left.size(); ++a) {
    for (std::size_t b = a + 1; b < left.size(); ++b) {
      const bool separated = std::any_of(experiments.begin(), experiments.end(),
                                         [&](const ForeseenExperiment& e) { return e.group[a] != e.group[b]; });
      if (!separated) pairs.emplace_back(left[a]->name, left[b]->name);
    }
  }
  return pairs;
}

std::vector<HypothesisComparison> compare_hypotheses(const LoadedCase& loaded, const std::vector<JudgedRow>& judged,
                                                     const Simulator& simulator, const ValidationOptions& options) {
  std::vector<HypothesisComparison> comparisons;
  for (const std::vector<std::size_t>& group : competitors(loaded.content)) {
    HypothesisComparison comparison{loaded.name, measured_name(loaded.content.rows[group.front()]), {}, {}};
    std::vector<const CaseRow*> left;
    for (const std::size_t i : group) {
      comparison.hypotheses.push_back(hypothesis_of(loaded.content.rows[i], judged[i]));
      if (comparison.hypotheses.back().agrees.value_or(false)) left.push_back(&loaded.content.rows[i]);
    }
    if (left.size() > 1) {
      const std::int64_t n = judged[group.front()].n.value();
      comparison.experiments.push_back(foresee({"as measured", {}, {}}, left, n, simulator, options));
      for (const CaseExperiment& experiment : loaded.content.experiments) {
        comparison.experiments.push_back(foresee(experiment, left, n, simulator, options));
      }
    }
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

}  // namespace vecusim
