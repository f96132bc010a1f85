// `vecusim plan`: how long a bench must run for a claim.
#include <charconv>
#include <cmath>
#include <optional>

#include "analysis/plan.hpp"
#include "analysis/validate_simulation.hpp"
#include "app/experiments.hpp"
#include "system/json_assign.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

constexpr std::uint64_t kBenches = 50;
constexpr std::uint64_t kEdges = 200;

std::vector<Claim> claims_of(const Arguments& arguments) {
  std::vector<Claim> claims;
  Problems problems;
  std::vector<std::string> texts = arguments.all("claim");
  if (texts.empty() && !arguments.has("against")) texts = {"p99", "p99.9", "p99.99", "mean ± 1%", "p99 ± 5%"};
  for (const std::string& text : texts) {
    if (auto claim = parse_claim(text, problems, "--claim")) claims.push_back(std::move(*claim));
  }
  if (problems.has_errors()) throw UsageError(problems.text());
  return claims;
}

std::optional<double> difference_of(const Arguments& arguments) {
  const auto text = arguments.text("difference-us");
  if (!text) return {};
  double value = 0.0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size() || !(value > 0.0) || !std::isfinite(value)) {
    throw UsageError("--difference-us: expected a number above 0, found \"" + *text + "\"");
  }
  return value;
}

/// Benches of kEdges edges each, one replication for each.
Foreseen foresee(const LoadedScenario& loaded, std::size_t interrupt, const RunOptions& options) {
  const Scenario scenario = with_options(loaded.scenario, options);
  const Repetition repeat =
      scenario_repetition(scenario, interrupt, std::make_shared<QuantileTables>(), options.parallel.stop);
  const std::size_t benches = options.replications.value_or(kBenches);
  const auto& requirement = scenario.interrupts[interrupt].requirement;
  Foreseen foreseen;
  if (requirement) foreseen.misses = 0;
  run_trials(
      benches, options.parallel, [&](std::size_t i) { return repeat(kEdges, static_cast<std::uint32_t>(i)); },
      [&](std::size_t, const Answers& answers) {
        foreseen.pool.latencies.merge(answers.latencies);
        foreseen.pool.lost += static_cast<std::uint64_t>(answers.lost);
        foreseen.pool.groups.push_back(
            {answers.latencies.n(), 1e-6 * static_cast<double>(answers.latencies.sum().count())});
        if (!requirement) return;
        for (const Duration latency : answers.latencies.values())
          *foreseen.misses += latency > requirement->limit ? 1 : 0;
        *foreseen.misses += static_cast<std::uint64_t>(answers.lost);
      });
  foreseen.seconds_per_edge = seconds_per_edge(scenario, interrupt);
  return foreseen;
}

LoadedScenario load_other(const Session& session) {
  const std::vector<std::string> settings = session.arguments.all("against-set");
  LoadedScenario loaded = load_scenario(*session.arguments.text("against"), settings);
  session.console.note(loaded.problems.text());
  return loaded;
}

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  const std::vector<Claim> claims = claims_of(arguments);
  const auto difference = difference_of(arguments);
  Progress progress(session.console.style().progress);
  const RunOptions options = run_options(session, progress);
  const LoadedScenario loaded = load(session, arguments.operands.front());
  const std::size_t interrupt = measured_interrupt(loaded, arguments.text("interrupt"));
  std::optional<LoadedScenario> other;
  if (arguments.has("against")) other = load_other(session);

  const Interrupts::Orderly orderly(session.interrupts);
  const Foreseen foreseen = foresee(loaded, interrupt, options);
  Plan plan{loaded.name, loaded.scenario.interrupts[interrupt].name, foreseen.seconds_per_edge, foreseen.edges(), {}};
  for (const Claim& claim : claims) plan.claims.push_back(vecusim::plan(claim, foreseen));
  if (other) {
    const Foreseen against = foresee(*other, measured_interrupt(*other, arguments.text("interrupt")), options);
    for (Planned& planned : plan_difference(foreseen, against, difference)) plan.claims.push_back(std::move(planned));
  }
  session.console.data(arguments.has("json") ? json::pretty(to_json(plan)) : to_text(plan));
  return std::all_of(plan.claims.begin(), plan.claims.end(), [](const Planned& p) { return p.edges.has_value(); })
             ? Status::done
             : Status::unmet;
}

}  // namespace

Verb plan_verb() {
  return {.name = "plan",
          .operands = "SCENARIO",
          .sentence =
              "tells how many edges, and how much bench time, a claim takes; exit status 1 if one cannot be "
              "shown at all",
          .least_operands = 1,
          .most_operands = 1,
          .options = with_experiment_options(
              {{.name = "claim",
                .argument = "CLAIM",
                .sentence = "p99.99, \"p99 ± 2%\", \"mean ± 1%\" or \"miss_ppm < 10\"; may be repeated"},
               {.name = "against",
                .argument = "SCENARIO",
                .sentence = "how long two benches take to be told apart, by means and by distributions"},
               {.name = "against-set", .argument = "PTR=VALUE", .sentence = "--set for the other scenario"},
               {.name = "difference-us",
                .argument = "N",
                .sentence = "with --against: a difference of means to be seen, instead of the predicted one"},
               {.name = "interrupt", .argument = "NAME", .sentence = "which, if there are several"}}),
          .examples = {{{"plan pi4-native", "percentiles and precision"},
                        {"plan pi4-native --claim 'p99 ± 2%' --claim p99.99 --json", "two claims, as vecusim/plan/1"},
                        {"plan pi4-native --against pi4-native --against-set /board/clock_mhz=700",
                         "how many edges tell two clocks apart"}}},
          .run = run};
}

}  // namespace vecusim
