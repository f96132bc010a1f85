// Which Xen it is: the behaviour of the schedulers that differs between versions, as plain switches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vecusim {

/// The differences of the specification of the Xen schedulers, section 6, that can change a decision or a time.
/// Everything starts as in 4.14.0 and is set by resolve_version().
struct XenBehaviour {
  // Credit2
  /// The scan of the runqueue skips a unit that is not runnable; before, it ended there.
  bool credit2_skips_unrunnable = false;
  /// The scan skips a capped unit without budget; before, it ended there.
  bool credit2_skips_unaffordable = false;
  /// A pass that keeps the running unit updates that unit's load average; before, no average was updated.
  bool credit2_updates_kept_unit = false;
  /// Arrangement `all` is not split by the test that siblings fit.
  bool credit2_all_ignores_siblings = false;
  /// The slice also considers the credit of the unit that is being preempted.
  bool credit2_slice_minds_preempted = false;
  // RTDS
  /// A unit found not runnable at the head of the runqueue also leaves the replenishment queue.
  bool rtds_unrunnable_leaves_replenishment = false;
  /// The pass goes on searching the runqueue after a unit that is not runnable.
  bool rtds_searches_on = false;
  /// Parameters for a whole domain are checked like those of one unit.
  bool rtds_checks_domain_parameters = false;
  /// Extra time switched on for a depleted unit refills it at once, at the next lower level.
  bool rtds_extratime_revives = false;
  // Credit
  /// A pCPU balances at most once per millisecond.
  bool credit_limits_balancing = false;
  /// A unit that yielded keeps its flag while it is queued, and is not stolen.
  bool credit_keeps_yield = false;
  // ARINC653
  /// Frames lie on a fixed grid, missed slots are skipped, and an empty table has 10 ms frames too; before, a frame
  /// started at its first pass.
  bool arinc653_fixed_grid = false;
};

/// What is not known about a version: only that the head of its branch has the change, not since which point release.
struct VersionWarning {
  std::string_view policy;
  std::string text;
};

struct XenVersion {
  XenBehaviour behaviour;
  std::vector<VersionWarning> warnings;
};

/// `text` is "4.BRANCH" (the branch with every change listed for it) or "4.BRANCH.POINT", for the branches 4.14
/// to 4.22. A change of which the point release is not known counts as absent from every point release of that branch,
/// with a warning. Throws std::invalid_argument, saying what was expected.
XenVersion resolve_version(std::string_view text);

/// The version that the golden traces were recorded from.
inline constexpr std::string_view kDefaultXenVersion = "4.14.6";

}  // namespace vecusim
