// One replication with its sinks, and all of them on threads.
#include "analysis/experiment.hpp"

#include <algorithm>
#include <utility>

#include "analysis/observation.hpp"
#include "analysis/replication_figures.hpp"
#include "analysis/stop_sink.hpp"
#include "analysis/summary.hpp"
#include "system/replication.hpp"

namespace vecusim {
namespace {

std::vector<std::size_t> stage_counts(const SystemView& view) {
  std::vector<std::size_t> counts;
  for (const SystemView::InterruptView& interrupt : view.interrupts) counts.push_back(interrupt.stages.size());
  return counts;
}

std::vector<std::vector<WorstFlight>> with_names(std::vector<std::vector<WorstFlight>> worst,
                                                 const Replication& replication) {
  for (std::vector<WorstFlight>& flights : worst) {
    for (WorstFlight& flight : flights) {
      for (const StageTime& stage : flight.stages) {
        flight.blamed.emplace_back(replication.name_of(stage.longest_wait_for));
      }
    }
  }
  return worst;
}

}  // namespace

Scenario with_options(Scenario scenario, const RunOptions& options) {
  if (options.seed) scenario.run.seed = *options.seed;
  if (options.replications) scenario.run.replications = static_cast<std::int64_t>(*options.replications);
  return scenario;
}

Tally run_trial(const Scenario& scenario, QuantileTables& tables, std::uint32_t replication, std::size_t worst,
                const std::stop_token& stop) {
  Replication run(scenario, tables, scenario.run.seed, replication);
  const SystemView& view = run.view();
  const Time warmup = kStart + scenario.run.warmup;
  LatencySink latency(latency_rules(scenario, view), warmup);
  LoadSink load(view, warmup);
  NetworkSink network(view.flows.size(), warmup);
  CounterSink counters(warmup);
  WorstSink slowest(stage_counts(view), worst, replication, warmup);
  StopSink stopper(stop);
  run.attach(latency);
  run.attach(load);
  if (!view.flows.empty()) run.attach(network);
  run.attach(counters);
  if (worst > 0) run.attach(slowest);
  if (stop.stop_possible()) run.attach(stopper);
  run.run();

  Tally tally;
  tally.view = view;
  tally.replications = 1;
  tally.simulated = wide(run.end() - kStart);
  tally.observed = wide(std::max(run.end() - warmup, Duration::zero()));
  tally.events = run.events();
  tally.latency = latency.take();
  tally.load = load.finish(run.end());
  tally.network = network.take();
  tally.counts = counters.counts();
  tally.figures.push_back(replication_figures(scenario, tally));
  tally.worst = with_names(slowest.take(), run);
  tally.worst_kept = worst;
  return tally;
}

Tally run_replications(const Scenario& scenario, std::size_t worst, const Parallel& parallel) {
  QuantileTables tables;
  Tally all;
  run_trials(
      static_cast<std::size_t>(scenario.run.replications), parallel,
      [&](std::size_t i) { return run_trial(scenario, tables, static_cast<std::uint32_t>(i), worst, parallel.stop); },
      [&](std::size_t i, Tally tally) {
        if (i == 0) {
          all = std::move(tally);
        } else {
          all.merge(std::move(tally));
        }
      });
  return all;
}

Result run_experiment(const LoadedScenario& loaded, const RunOptions& options) {
  return observe(loaded, options).result;
}

}  // namespace vecusim
