// The models that a validation compares with: scenarios, one replication for each repeated experiment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "analysis/validate.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// The scenario of a row, with this set.
using RowScenarios = std::function<LoadedScenario(const CaseRow& row, const Settings& set)>;
/// The one that the row names.
RowScenarios named_scenarios();

/// An experiment of n edges is a replication of the row's scenario in which the row's interrupt has n edges after the
/// warm-up; it ends when all are settled, whatever `run.measure_ms` says. `seed`: instead of the scenario's. The
/// simulator throws InvalidInput if a scenario cannot be read or does not tell which interrupt is meant.
Simulator scenario_simulator(RowScenarios scenarios, std::optional<std::uint64_t> seed, std::stop_token stop);

/// The same with the fitted costs drawn anew for each repetition (FittedCosts).
UncertainModel uncertain_scenarios(const RowScenarios& scenarios, std::optional<std::uint64_t> seed,
                                   const std::stop_token& stop);

/// The index of the interrupt that is measured: of this name, or the only one. Throws InvalidInput if there is none, or
/// if several could be meant.
std::size_t measured_interrupt(const LoadedScenario& loaded, const std::optional<std::string>& name);

/// The name of the interrupt that a figure without one is of: this one, the only one, or, with several, none. Throws
/// InvalidInput if there is none of this name.
std::optional<std::string> interrupt_meant(const LoadedScenario& loaded, const std::optional<std::string>& name);

/// The mean time from edge to edge of an interrupt.
double seconds_per_edge(const Scenario& scenario, std::size_t interrupt);

/// Experiments of a scenario, as above; `tables` may be shared between scenarios.
Repetition scenario_repetition(Scenario scenario, std::size_t measured, std::shared_ptr<QuantileTables> tables,
                               std::stop_token stop);

}  // namespace vecusim
