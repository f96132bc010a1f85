// `vecusim explain`: what the slowest answers waited for.
#include "analysis/explain.hpp"
#include "app/experiments.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

constexpr std::uint64_t kMostWorst = 10'000;

Status run(const Session& session) {
  const std::size_t worst = session.arguments.number("worst", 1, kMostWorst).value_or(3);
  Progress progress(session.console.style().progress);
  const RunOptions options = run_options(session, progress);
  const LoadedScenario loaded = load(session, session.arguments.operands.front());
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
              {{.name = "worst", .argument = "N", .sentence = "so many answers of each interrupt; 3 without it"}}),
          .examples = {{{"explain pi4-native", "the three slowest answers"},
                        {"explain pi4-xen-published --worst 1 --json", "one, as vecusim/explanation/1"},
                        {"explain pi4-native --worst 5 --reps 20", "the five slowest of twenty replications"}}},
          .run = run};
}

}  // namespace vecusim
