// Trials of a sweep in other processes: what such a process is told once, what for each chunk, and what it answers.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/experiment.hpp"
#include "analysis/sweep.hpp"
#include "analysis/tally.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Told once: scenario, costs and seed.
std::string remote_base(const LoadedScenario& base, const RunOptions& options);
/// Which trials.
std::string remote_chunk(const std::vector<SweepTrial>& trials);

/// In the other process.
class RemoteTrials {
 public:
  /// `base`: of remote_base(). Throws DamagedBytes.
  explicit RemoteTrials(std::string_view base);
  /// The tallies of a chunk's trials, for remote_tallies(). Throws Interrupted soon after `stop` is requested.
  std::string run(std::string_view chunk, const std::stop_token& stop);

 private:
  LoadedScenario base_;
  std::optional<std::uint64_t> seed_;
  QuantileTables tables_;
};

/// In the order of the chunk's trials; without views, which follow from their scenarios.
std::vector<Tally> remote_tallies(std::string_view answer);

}  // namespace vecusim
