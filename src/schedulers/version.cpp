// The table of what changed in which Xen branch and point release (specification of the Xen schedulers, section 6).
#include "schedulers/version.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace vecusim {
namespace {

constexpr int kFirstBranch = 14;
constexpr int kLastBranch = 22;
constexpr std::size_t kBranches = kLastBranch - kFirstBranch + 1;

/// In a branch's column: the branch never got the change; or its head has it and no point release is known.
constexpr int kNo = 1000;
constexpr int kHead = 999;

struct Change {
  bool XenBehaviour::*flag;
  std::string_view policy;
  std::string_view what;
  /// The first point release with the change, for 4.14, 4.15, …, 4.22.
  std::array<int, kBranches> since;
};

constexpr std::array kChanges = {
    Change{&XenBehaviour::credit2_skips_unrunnable,
           "credit2",
           "the scan skips units that are not runnable",
           {3, 1, 0, 0, 0, 0, 0, 0, 0}},
    Change{&XenBehaviour::credit2_skips_unaffordable,
           "credit2",
           "the scan skips capped units without budget",
           {3, 1, 0, 0, 0, 0, 0, 0, 0}},
    Change{&XenBehaviour::credit2_updates_kept_unit,
           "credit2",
           "a kept unit's load average is updated",
           {3, 1, 0, 0, 0, 0, 0, 0, 0}},
    Change{&XenBehaviour::credit2_all_ignores_siblings,
           "credit2",
           "arrangement all is not split by siblings",
           {kNo, kNo, kHead, kHead, 0, 0, 0, 0, 0}},
    Change{&XenBehaviour::credit2_slice_minds_preempted,
           "credit2",
           "the slice considers the preempted unit",
           {kNo, kNo, kNo, kNo, kNo, 3, 2, 0, 0}},
    Change{&XenBehaviour::rtds_unrunnable_leaves_replenishment,
           "rtds",
           "a unit found not runnable leaves the replenishment queue",
           {kNo, kHead, kHead, 0, 0, 0, 0, 0, 0}},
    Change{&XenBehaviour::rtds_searches_on,
           "rtds",
           "the pass searches on after a unit that is not runnable",
           {kNo, kNo, kNo, kNo, 0, 0, 0, 0, 0}},
    Change{&XenBehaviour::rtds_checks_domain_parameters,
           "rtds",
           "parameters of a whole domain are checked",
           {kNo, kNo, kNo, kNo, kNo, kNo, kNo, kNo, 0}},
    Change{&XenBehaviour::rtds_extratime_revives,
           "rtds",
           "extratime set on a depleted unit refills it",
           {kNo, kNo, kNo, kNo, kNo, kNo, 4, 2, 0}},
    Change{&XenBehaviour::credit_limits_balancing,
           "credit",
           "balancing is limited to once per millisecond",
           {kNo, kNo, kNo, kNo, 0, 0, 0, 0, 0}},
    Change{&XenBehaviour::credit_keeps_yield,
           "credit",
           "a unit that yielded is not stolen",
           {kNo, kNo, kNo, kNo, 0, 0, 0, 0, 0}},
    Change{&XenBehaviour::arinc653_fixed_grid,
           "arinc653",
           "frames start on a fixed grid",
           {kNo, kNo, kNo, kNo, kNo, 3, kHead, 0, 0}},
};

struct Release {
  int branch = 0;
  std::optional<int> point;
};

/// A number without sign at the front of `text`, which it is taken off from.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<Release> parse(std::string_view text) {
  if (!text.starts_with("4.")) return std::nullopt;
  text.remove_prefix(2);
  const std::optional<int> branch = take_number(text);
  if (!branch || *branch < kFirstBranch || *branch > kLastBranch) return std::nullopt;
  if (text.empty()) return Release{*branch, std::nullopt};
  if (text.front() != '.') return std::nullopt;
  text.remove_prefix(1);
  const std::optional<int> point = take_number(text);
  if (!point || *point >= kHead || !text.empty()) return std::nullopt;
  return Release{*branch, point};
}

}  // namespace

XenVersion resolve_version(std::string_view text) {
  const std::optional<Release> release = parse(text);
  if (!release) {
    throw std::invalid_argument("a Xen version from 4.14 to 4.22, such as \"4.14.6\", or \"4.19\" for its branch");
  }
  XenVersion version;
  for (const Change& change : kChanges) {
    const int since = change.since[static_cast<std::size_t>(release->branch - kFirstBranch)];
    if (since == kNo) continue;
    if (release->point && since == kHead) {
      version.warnings.push_back({change.policy, "it is not known whether Xen " + std::string(text) + " has \"" +
                                                     std::string(change.what) +
                                                     "\": only the head of its branch is known to; taken as absent"});
    }
    version.behaviour.*change.flag = !release->point || since <= *release->point;
  }
  return version;
}

}  // namespace vecusim
