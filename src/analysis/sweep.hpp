// Sweep: a scenario at every point of a grid of values, with the same seed everywhere, so that points differ by their
// values alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/experiment.hpp"
#include "analysis/result.hpp"
#include "system/json_assign.hpp"
#include "system/scenario.hpp"

namespace vecusim {

struct SweepPoint {
  /// In the grid's order, in which the last variation changes fastest.
  std::size_t index;
  /// Pointer and value of each variation.
  std::vector<std::pair<std::string, json::Node>> values;
  /// The values as tables show them.
  std::vector<std::string> texts;
  /// As the scenario has it at this point.
  std::uint64_t replications = 1;
};

/// A grid whose every point has been found valid.
struct Sweep {
  LoadedScenario base;
  std::vector<json::Variation> variations;
  std::vector<SweepPoint> points;

  Scenario scenario_at(const SweepPoint& point) const { return with_values(base, point.values); }
};

/// A sweep of more points is refused: a typing error rather than a plan.
inline constexpr std::size_t kMostPoints = 1'000'000;

/// Throws InvalidInput with the problems of all points, each of which names its point, before anything is run.
Sweep plan_sweep(LoadedScenario base, std::vector<json::Variation> variations);

struct SweepRow {
  const SweepPoint& point;
  Result result;
};

/// Runs the points that `wanted` accepts (all if it is empty; a resumed sweep skips those it has) and hands each row
/// on, in the order of the points, as soon as it and all before it are complete.
void run_sweep(const Sweep& sweep, const RunOptions& options, const std::function<bool(const SweepPoint&)>& wanted,
               const std::function<void(SweepRow)>& row);

}  // namespace vecusim
