// The models that a validation compares with: scenarios, one replication for each repeated experiment.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "analysis/validate.hpp"

namespace vecusim {

/// An experiment of n edges is a replication of the row's scenario in which the row's interrupt has n edges after the
/// warm-up; it ends when all are settled, whatever `run.measure_ms` says. `seed`: instead of the scenario's. The
/// simulator throws InvalidInput if a scenario cannot be read or does not tell which interrupt is meant.
Simulator scenario_simulator(std::optional<std::uint64_t> seed, std::stop_token stop);

}  // namespace vecusim
