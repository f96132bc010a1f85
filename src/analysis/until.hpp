// The stop rule of `run --until`: replications are doubled until an interval is as narrow as was asked for.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/claim.hpp"
#include "analysis/experiment.hpp"
#include "analysis/result.hpp"

namespace vecusim {

struct StopCheck {
  bool met = false;
  /// "edge: p99_us 235.4, 231.0 … 238.9 (± 1.9 %)", one for each interrupt.
  std::string explanation;
};

/// Whether every interrupt's 95 % interval reaches no further than the claim's share of the figure to either side.
StopCheck check_precision(const Result& result, const Claim& claim);

struct UntilResult {
  Result result;
  bool met = false;
  /// A line for each look.
  std::string explanation;
};

/// Looks after 64 replications (more if the options say so), then after twice as many each time, up to `most`. What
/// comes is what as many replications without the rule give: a look changes no number, only when to stop.
UntilResult run_until(const LoadedScenario& loaded, const RunOptions& options, const Claim& claim, std::uint64_t most);

}  // namespace vecusim
