// A recorded trace replayed: the same wakes and the same work for our policy, and where it decides otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/trace_episodes.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// What became of one wake.
struct WakeOutcome {
  std::int64_t waited_ns = 0;
  /// How long whoever ran there had run by then; 0 if nobody did.
  std::int64_t stint_ns = 0;
  /// Who: "d1/0"; empty if nobody.
  std::string runner;
};

/// How a recorded wake and its replay differ.
enum class WakeDifference : std::uint8_t {
  none,
  merged,       ///< in the replay the vCPU was still awake from before
  edge,         ///< one was held and the other was not: the runner's stints lie on either side of the rate limit
  stint,        ///< … and are far apart, as an earlier difference has moved them
  credits,      ///< … with both stints on the same side: what is left to decide is credits, budgets or slots
  held_longer,  ///< both were held, but not equally long
};
inline constexpr std::size_t kWakeDifferences = 6;

struct ReplayedWake {
  TracedVcpu vcpu;
  std::int64_t at_ns = 0;
  WakeOutcome recorded;
  WakeOutcome replayed;
  WakeDifference difference = WakeDifference::none;
};

struct TraceReplay {
  std::string scheduler;
  std::int64_t ratelimit_ns = 0;
  /// By time.
  std::vector<ReplayedWake> wakes;

  std::array<std::size_t, kWakeDifferences> counts() const;
};

/// Drives the policy of the scenario, with the parameters of its domains (d0, d1, …, as scenario_of() calls them), on
/// an ideal machine on which passes and switches take no time. Throws InvalidInput if the scenario is not under Xen,
/// has several cpupools, or lacks a recorded vCPU.
TraceReplay replay(const Xentrace& trace, double counter_hz, const LoadedScenario& loaded);

/// For a terminal of 80 columns.
std::string to_text(const TraceReplay& replayed);

}  // namespace vecusim
