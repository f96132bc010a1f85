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
#include "analysis/sweep_design.hpp"
#include "system/scenario.hpp"

namespace vecusim {

struct SweepPoint {
  /// In the grid's order, in which the last dimension changes fastest.
  std::size_t index;
  /// Pointer and value of each.
  std::vector<std::pair<std::string, json::Node>> values;
  /// The values as tables show them.
  std::vector<std::string> texts;
};

/// What is kept of each point of a sweep; the rest follows from the dimensions.
struct PlannedPoint {
  std::size_t index;
  /// As the scenario has it at this point.
  std::uint64_t replications = 1;
};

/// A grid whose every point has been found valid.
struct Sweep {
  LoadedScenario base;
  std::vector<Dimension> dimensions;
  /// Of all dimensions, in their order.
  std::vector<std::string> pointers;
  std::vector<PlannedPoint> points;

  SweepPoint at(const PlannedPoint& point) const;
  Scenario scenario_at(const SweepPoint& point) const { return with_values(base, point.values); }
};

/// A sweep of more points is refused: a typing error rather than a plan.
inline constexpr std::size_t kMostPoints = 1'000'000;

/// Throws InvalidInput with the problems of all points, each of which names its point, before anything is run.
Sweep plan_sweep(LoadedScenario base, std::vector<Dimension> dimensions);

class SweepRow {
 public:
  SweepRow(const SweepPoint& at, Result made, const Tally& of) : point(at), result(std::move(made)), tally(of) {}

  const SweepPoint& point;
  /// Without its inputs and its scenario, which are the sweep's and the point's.
  const Result result;
  /// What the result tells of.
  const Tally& tally;

  /// The result's (to_columns), worked out once however many forms the row is written in.
  const std::vector<Column>& columns() const;

 private:
  mutable std::vector<Column> columns_;
};

/// What there is of a sweep's points already, and where new ones go.
class SweepMemory {
 public:
  virtual ~SweepMemory() = default;
  /// How many replications of the point there are: its first ones.
  virtual std::uint64_t replications(const SweepPoint& point) = 0;
  /// They, without the tally's view: as many as replications() said or more, if others add to it too. There is at least
  /// one.
  virtual Tally tally(const SweepPoint& point) = 0;
  /// A row that is complete, and the tally of which it tells.
  virtual void keep(const SweepRow& row, Tally& tally) = 0;
};

/// One replication of a point.
struct SweepTrial {
  SweepPoint point;
  std::uint32_t replication;
};

/// Runs trials somewhere else than on threads of this process: 0 … count - 1, each of which `trial` describes, and
/// hands what was observed on to `reduce`, in the order of the trials; a tally may lack its view.
using SweepRunner = std::function<void(std::size_t count, const std::function<SweepTrial(std::size_t)>& trial,
                                       const std::function<void(std::size_t, Tally)>& reduce)>;

/// Leaves every n-th point, from the k-th on.
void keep_shard(std::vector<PlannedPoint>& points, std::size_t k, std::size_t n);

/// Runs the replications that `memory` (may be null) does not have, and hands each point's row on, in the order of the
/// points, as soon as it and all before it are complete. What was remembered and what is new come to the same row.
void run_sweep(const Sweep& sweep, const RunOptions& options, SweepMemory* memory,
               const std::function<void(const SweepRow&)>& row, const SweepRunner& elsewhere = {});

}  // namespace vecusim
