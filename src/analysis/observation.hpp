// Observation: a result together with what it tells of, so that its samples can be looked at, and both stored and
// restored.
#pragma once

#include <string>
#include <string_view>

#include "analysis/experiment.hpp"
#include "analysis/result.hpp"
#include "analysis/tally.hpp"
#include "system/scenario.hpp"

namespace vecusim {

struct Observation {
  Result result;
  /// By interrupt as `result.latency`.
  Tally tally;
};

/// run_experiment(), with its tally.
Observation observe(const LoadedScenario& loaded, const RunOptions& options);

/// All of it but the slowest flights, for observation_of(): for this version of the program.
std::string to_bytes(Observation& observation);
/// What gives the same documents as the observation that the bytes were made of. Throws DamagedBytes, or InvalidInput
/// if they hold no scenario of this program.
Observation observation_of(std::string_view bytes);

}  // namespace vecusim
