// Replications until one knows enough: they are doubled, and looked at each time. The stop rule of `run --until` is
// that an interval is as narrow as was asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "analysis/claim.hpp"
#include "analysis/experiment.hpp"
#include "analysis/observation.hpp"
#include "analysis/result.hpp"

namespace vecusim {

/// What one experiment in ten shows must have been seen before a scatter is believed: with fewer replications, stopping
/// by width picks those that have not seen it.
inline constexpr std::uint64_t kFirstLook = 64;

/// Looks after `first` replications, then after twice as many each time, until `enough` says so of the result or there
/// are `most`. What comes is what as many replications without a rule give: a look changes no number, only when to
/// stop.
Observation run_looks(const LoadedScenario& loaded, const RunOptions& options, std::uint64_t first, std::uint64_t most,
                      const std::function<bool(const Result&)>& enough);

struct StopCheck {
  bool met = false;
  /// "edge: p99_us 235.4, 231.0 … 238.9 (± 1.9 %)", one for each interrupt.
  std::string explanation;
};

/// Whether every interrupt's 95 % interval reaches no further than the claim's share of the figure to either side.
StopCheck check_precision(const Result& result, const Claim& claim);

/// The most replications that `run --until` looks at.
inline constexpr std::uint64_t kMostLooked = 4096;

/// The claim of `text`, which says how precise a figure is to be ("p99_us ± 2%"). Throws InvalidInput, naming `option`.
Claim stop_rule(const std::string& text, std::string_view option);

struct UntilResult {
  Observation observed;
  bool met = false;
  /// A line for each look.
  std::string explanation;
};

/// Looks after kFirstLook replications (more if the options say so), then after twice as many each time, up to `most`.
UntilResult run_until(const LoadedScenario& loaded, const RunOptions& options, const Claim& claim, std::uint64_t most);

}  // namespace vecusim
