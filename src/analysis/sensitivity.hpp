// Sensitivity: how far each cost, moved through its range alone, moves a figure; under common random numbers, so that a
// difference is sharp where the figure itself is not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/case_statistic.hpp"
#include "analysis/experiment.hpp"
#include "analysis/statistics.hpp"
#include "system/json_node.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// A change of the figure, in µs, with its 95 % interval over the replications.
struct Effect {
  double change = 0.0;
  Interval interval95{0.0, 0.0};

  /// Whether the interval leaves zero out.
  bool real() const { return interval95.lo > 0.0 || interval95.hi < 0.0; }
};

struct CostEffect {
  std::string name;
  std::string unit;
  double value = 0.0;
  Interval range{0.0, 0.0};
  Provenance provenance = Provenance::estimated;
  std::string source;
  Effect at_lo;
  Effect at_hi;

  double swing() const;
};

/// Two costs at the upper ends of their ranges do more, or less, together than each alone.
struct Interaction {
  std::string first;
  std::string second;
  Effect beyond;
};

struct Sensitivity {
  std::string scenario;
  std::string interrupt;
  Statistic statistic = Statistic::mean;
  std::int64_t edges = 0;
  std::uint64_t replications = 0;
  double base_us = 0.0;
  /// Those that change something, the largest swing first.
  std::vector<CostEffect> costs;
  /// Costs with a range that change nothing here, and laws, which have no range.
  std::size_t without_effect = 0;
  std::vector<std::string> laws;
  std::vector<Interaction> interactions;

  /// The root of the sum of the squared half swings: how far the figure is open if the ranges are independent.
  double together_us() const;
};

/// Of the first interrupt, or the one named. The figure is the mean over replications of what one bench of the
/// scenario's edges shows. Throws InvalidInput if the scenario has too few edges for the statistic.
Sensitivity sensitivity(const LoadedScenario& loaded, const std::optional<std::string>& interrupt, Statistic statistic,
                        const RunOptions& options);

/// The document `vecusim/sensitivity/1`.
json::Node to_json(const Sensitivity& sensitivity);
/// As many are shown to people.
inline constexpr std::size_t kCostsShown = 10;
/// For a terminal of 80 columns: the `most` largest.
std::string to_text(const Sensitivity& sensitivity, std::size_t most);

}  // namespace vecusim
