// The document vecusim/validation/1.
#include <cmath>

#include "analysis/validate.hpp"

namespace vecusim {
namespace {

using json::Node;

/// To a picosecond, which is more than is meant and hides what binary fractions add.
Node number(double value) { return Node::floating(std::round(value * 1e6) / 1e6); }
Node optional(const std::optional<double>& value) { return value ? number(*value) : Node{}; }
Node optional(const std::optional<bool>& value) { return value ? Node::boolean(*value) : Node{}; }

Node optional(const std::optional<Interval>& interval) {
  if (!interval) return Node{};
  return Node::array({number(interval->lo), number(interval->hi)});
}

Node to_json(const JudgedStatistic& judged) {
  Node node = Node::object();
  node.set("name", Node::string(std::string{judged.name()}));
  node.set("measured", number(judged.measured));
  node.set("predicted", optional(judged.predicted));
  node.set("interval95", optional(judged.interval95));
  node.set("interval95_with_parameters", optional(judged.interval95_with_parameters));
  node.set("mark", optional(judged.mark));
  node.set("inside", optional(judged.inside));
  node.set("naive", optional(judged.naive));
  node.set("better_than_naive", optional(judged.better_than_naive));
  return node;
}

Node to_json(const std::optional<ComparedDistribution>& compared) {
  if (!compared) return Node{};
  Node node = Node::object();
  node.set("ks_distance", number(compared->ks_distance));
  node.set("p_value", optional(compared->p_value));
  node.set("wasserstein_us", number(compared->wasserstein.us));
  node.set("wasserstein_interval95", optional(std::optional{compared->wasserstein.interval95}));
  return node;
}

Node to_json(const JudgedRow& row) {
  Node statistics = Node::array();
  for (const JudgedStatistic& judged : row.statistics) statistics.push_back(to_json(judged));
  Node node = Node::object();
  node.set("case", Node::string(row.case_name));
  node.set("row", Node::string(row.row));
  node.set("role", Node::string(std::string{name_of(row.role)}));
  node.set("n", row.n ? Node::integer(*row.n) : Node{});
  node.set("feasible", Node::boolean(row.feasible));
  node.set("statistics", std::move(statistics));
  node.set("distribution", to_json(row.distribution));
  node.set("verdict", row.verdict ? Node::string(std::string{name_of(*row.verdict)}) : Node{});
  node.set("expect", Node::string(std::string{name_of(row.expect)}));
  node.set("note", Node::string(row.note));
  return node;
}

Node to_json(const ForeseenExperiment& experiment, const std::vector<const Hypothesis*>& hypotheses) {
  Node outcomes = Node::array();
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const Predicted& predicted = experiment.mean_us[i];
    Node outcome = Node::object();
    outcome.set("hypothesis", Node::string(hypotheses[i]->name));
    outcome.set("predicted", number(predicted.value));
    outcome.set("interval95", optional(Interval{predicted.lo, predicted.hi}));
    outcome.set("group", Node::integer(experiment.group[i]));
    outcomes.push_back(std::move(outcome));
  }
  Node node = Node::object();
  node.set("name", Node::string(experiment.name));
  node.set("n", Node::integer(experiment.n));
  node.set("statistic", Node::string("mean_us"));
  node.set("outcomes", std::move(outcomes));
  return node;
}

Node to_json(const Hypothesis& hypothesis) {
  Node fitted = Node::array();
  for (const std::string& parameter : hypothesis.fitted) fitted.push_back(Node::string(parameter));
  Node node = Node::object();
  node.set("name", Node::string(hypothesis.name));
  node.set("row", Node::string(hypothesis.row));
  node.set("fitted", std::move(fitted));
  node.set("null_model", Node::boolean(hypothesis.null_model));
  node.set("agrees", optional(hypothesis.agrees));
  return node;
}

Node to_json(const HypothesisComparison& comparison) {
  Node hypotheses = Node::array();
  for (const Hypothesis& hypothesis : comparison.hypotheses) hypotheses.push_back(to_json(hypothesis));
  Node experiments = Node::array();
  for (const ForeseenExperiment& experiment : comparison.experiments) {
    experiments.push_back(to_json(experiment, comparison.agreeing()));
  }
  Node inseparable = Node::array();
  for (const auto& [one, other] : comparison.inseparable()) {
    inseparable.push_back(Node::array({Node::string(one), Node::string(other)}));
  }
  Node node = Node::object();
  node.set("case", Node::string(comparison.case_name));
  node.set("measured", Node::string(comparison.measured));
  node.set("hypotheses", std::move(hypotheses));
  node.set("verdict", Node::string(comparison.verdict()));
  node.set("experiments", std::move(experiments));
  node.set("inseparable", std::move(inseparable));
  return node;
}

}  // namespace

json::Node to_json(const Validation& validation) {
  Node rows = Node::array();
  for (const JudgedRow& row : validation.rows) rows.push_back(to_json(row));
  Node document = Node::object();
  document.set("schema", Node::string("vecusim/validation/1"));
  document.set("rows", std::move(rows));
  Node comparisons = Node::array();
  for (const HypothesisComparison& comparison : validation.comparisons) comparisons.push_back(to_json(comparison));
  document.set("comparisons", std::move(comparisons));
  document.set("passed", Node::integer(validation.passed()));
  document.set("failed", Node::integer(validation.failed()));
  return document;
}

}  // namespace vecusim
