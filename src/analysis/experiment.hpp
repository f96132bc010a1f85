// Experiment: all replications of a scenario on a few threads, reduced to one result that does not depend on how many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "analysis/result.hpp"
#include "analysis/tally.hpp"
#include "analysis/trials.hpp"
#include "system/scenario.hpp"

namespace vecusim {

struct RunOptions {
  /// Instead of the scenario's.
  std::optional<std::uint64_t> seed = {};
  std::optional<std::uint64_t> replications = {};
  Parallel parallel = {};
};

/// The scenario as it is run: with the options' seed and number of replications.
Scenario with_options(Scenario scenario, const RunOptions& options);

/// One replication, observed. `worst`: how many of the slowest flights of each interrupt to keep. Throws Interrupted
/// soon after `stop` is requested.
Tally run_trial(const Scenario& scenario, QuantileTables& tables, std::uint32_t replication, std::size_t worst,
                const std::stop_token& stop);

/// All replications that the scenario asks for, merged in their order.
Tally run_replications(const Scenario& scenario, std::size_t worst, const Parallel& parallel);

/// Throws InvalidInput if a model lacks a cost, Interrupted if stopped.
Result run_experiment(const LoadedScenario& loaded, const RunOptions& options);

}  // namespace vecusim
