// Repeats a bench's experiment by simulation.
#include "analysis/validate_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "analysis/experiment.hpp"
#include "analysis/fitted_costs.hpp"
#include "engine/random.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"
#include "system/scenario.hpp"

namespace vecusim {
namespace {

/// About how many edges come before the warm-up is over; these are not counted.
std::int64_t edges_before(const StimulusConfig& stimulus, Duration warmup) {
  const auto periods = [warmup](Duration period) { return (warmup.count() + period.count() - 1) / period.count(); };
  switch (stimulus.model) {
    case StimulusModel::periodic:
      return periods(stimulus.period);
    case StimulusModel::burst:
      return periods(stimulus.period) * stimulus.edges;
    case StimulusModel::poisson:
      return periods(stimulus.mean_interval);
    case StimulusModel::recorded:
    case StimulusModel::follows:
      break;
  }
  return 0;
}

/// A null model's samples; of an experiment so small that it keeps them.
Samples multiplied(const Samples& samples, double factor) {
  Samples result;
  for (const Duration value : samples.values()) {
    result.add(Duration{std::llround(static_cast<double>(value.count()) * factor)});
  }
  return result;
}

}  // namespace

std::size_t measured_interrupt(const LoadedScenario& loaded, const std::optional<std::string>& name) {
  const std::vector<InterruptConfig>& interrupts = loaded.scenario.interrupts;
  std::vector<std::string> names;
  names.reserve(interrupts.size());
  for (const InterruptConfig& interrupt : interrupts) names.push_back(interrupt.name);
  if (!name && names.size() == 1) return 0;
  const auto at = std::find(names.begin(), names.end(), name.value_or(std::string{}));
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  Problems problems;
  problems.add({loaded.document.place, "/interrupts",
                name ? "an interrupt named " + json::quoted(*name)
                     : "one interrupt, or to be told whose latency was measured (--interrupt; of a case, its row)",
                std::to_string(names.size()) + (name ? " others" : " interrupts"),
                name ? nearest(*name, names) : std::string{}});
  throw InvalidInput{problems};
}

std::optional<std::string> interrupt_meant(const LoadedScenario& loaded, const std::optional<std::string>& name) {
  const std::vector<InterruptConfig>& interrupts = loaded.scenario.interrupts;
  if (!name && interrupts.size() != 1) return std::nullopt;
  return interrupts[measured_interrupt(loaded, name)].name;
}

double seconds_per_edge(const Scenario& scenario, std::size_t interrupt) {
  const StimulusConfig& stimulus = scenario.interrupts[leader_of(scenario.interrupts, interrupt)].stimulus;
  switch (stimulus.model) {
    case StimulusModel::periodic:
      return to_s(stimulus.period);
    case StimulusModel::burst:
      return to_s(stimulus.period) / static_cast<double>(stimulus.edges);
    case StimulusModel::poisson:
      return to_s(stimulus.mean_interval);
    case StimulusModel::recorded:
    case StimulusModel::follows:  // no leader does
      break;
  }
  const auto& times = stimulus.times;
  return times.empty() ? 0.0 : to_s(times.back()) / static_cast<double>(times.size());
}

Repetition scenario_repetition(Scenario scenario, std::size_t measured, std::shared_ptr<QuantileTables> tables,
                               std::stop_token stop) {
  scenario.run.measure.reset();
  const std::size_t leader = leader_of(scenario.interrupts, measured);
  const std::int64_t before = edges_before(scenario.interrupts[leader].stimulus, scenario.run.warmup);
  return [scenario = std::move(scenario), measured, leader, before, tables = std::move(tables), stop = std::move(stop)](
             std::int64_t n, std::uint32_t index) {
    Scenario experiment = scenario;
    experiment.interrupts[leader].stimulus.count = n + before;
    Tally tally = run_trial(experiment, *tables, index, 0, stop);
    LatencyTally& latency = tally.latency[measured];
    return Answers{std::move(latency.samples), static_cast<std::int64_t>(latency.lost + latency.merged)};
  };
}

RowScenarios named_scenarios() {
  return [](const CaseRow& row, const Settings& set) { return load_scenario(*row.scenario, set); };
}

Simulator scenario_simulator(RowScenarios scenarios, std::optional<std::uint64_t> seed, std::stop_token stop) {
  return [scenarios = std::move(scenarios), seed, stop = std::move(stop)](
             const CaseRow& row, const std::vector<std::string>& set) -> Repetition {
    const LoadedScenario loaded = scenarios(row, set);
    Scenario scenario = loaded.scenario;
    if (seed) scenario.run.seed = *seed;
    Repetition repeat = scenario_repetition(std::move(scenario), measured_interrupt(loaded, row.interrupt),
                                            std::make_shared<QuantileTables>(), stop);
    if (!row.factor) return repeat;
    return [repeat = std::move(repeat), factor = *row.factor](std::int64_t n, std::uint32_t index) {
      Answers answers = repeat(n, index);
      answers.latencies = multiplied(answers.latencies, factor);
      return answers;
    };
  };
}

UncertainModel uncertain_scenarios(const RowScenarios& scenarios, std::optional<std::uint64_t> seed,
                                   const std::stop_token& stop) {
  UncertainModel model;
  model.drawn = [scenarios, seed, stop](const CaseRow& row, const std::vector<std::string>& set) -> Repetition {
    const LoadedScenario loaded = scenarios(row, set);
    const FittedCosts fitted(loaded.scenario);
    if (fitted.empty() || row.factor) return {};
    Scenario scenario = loaded.scenario;
    if (seed) scenario.run.seed = *seed;
    return [scenario, fitted, stop, measured = measured_interrupt(loaded, row.interrupt),
            tables = std::make_shared<QuantileTables>()](std::int64_t n, std::uint32_t index) {
      Scenario drawn = scenario;
      RandomStream stream(scenario.run.seed, index, "fitted costs");
      fitted.draw(drawn, stream);
      return scenario_repetition(std::move(drawn), measured, tables, stop)(n, index);
    };
  };
  model.ends = [scenarios](const CaseRow& row, const std::vector<std::string>& set) {
    return FittedCosts(scenarios(row, set).scenario).ends();
  };
  return model;
}

}  // namespace vecusim
