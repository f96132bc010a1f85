// `vecusim explain`: what the slowest answers waited for.
#include "analysis/explain.hpp"
#include "app/experiments.hpp"
#include "system/build.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

constexpr std::uint64_t kMostWorst = 10'000;

/// The paths of all interrupts in graphviz's language, one graph after the other.
std::string paths(const Scenario& scenario) {
  QuantileTables tables;
  const System system(scenario, tables, scenario.run.seed, 0);
  std::string text;
  for (std::size_t i = 0; i < system.interrupts.size(); ++i) {
    text += system.interrupts[i]->path.to_dot(scenario.interrupts[i].name);
  }
  return text;
}

Status run(const Session& session) {
  const std::size_t worst = session.arguments.number("worst", 1, kMostWorst).value_or(3);
  Progress progress(session.console.style().progress);
  const RunOptions options = run_options(session, progress);
  const LoadedScenario loaded = load(session, session.arguments.operands.front());
  if (session.arguments.has("dot")) {
    session.console.data(paths(loaded.scenario));
    return Status::done;
  }
  const Interrupts::Orderly orderly(session.interrupts);
  const Explanation explanation = explain(loaded, options, worst);
  session.console.data(session.arguments.has("json") ? json::pretty(to_json(explanation)) : to_text(explanation));
  return Status::done;
}

}  // namespace

Verb explain_verb() {
  return {.name = "explain",
          .operands = "SCENARIO",
          .sentence = "tells where the time of the slowest answers went, stage by stage",
          .least_operands = 1,
          .most_operands = 1,
          .options = with_experiment_options(
              {{.name = "worst", .argument = "N", .sentence = "so many answers of each interrupt; 3 without it"},
               {.name = "dot", .sentence = "instead, the interrupt's path as a graph for graphviz"}}),
          .examples = {{{"explain pi4-native", "the three slowest answers"},
                        {"explain pi4-native --worst 5 --reps 20 --json",
                         "the five slowest of twenty, as vecusim/explanation/1"},
                        {"explain pi4-native --dot > path.dot", "the way from edge to answer; dot -Tsvg draws it"}}},
          .run = run};
}

}  // namespace vecusim
