// The fitted costs of a scenario, anywhere in what their fits left open: drawn jointly, for costs that were fitted
// together make up for each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/random.hpp"
#include "models/costs.hpp"
#include "system/json_assign.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Every fitted value with a range, which is taken as its 95 % interval: half a normal law to either side of the value,
/// in the logarithm where all are positive. Two costs hang together if each names the other in `correlations`.
class FittedCosts {
 public:
  explicit FittedCosts(const Scenario& scenario);

  bool empty() const { return costs_.empty(); }
  /// Replaces the scenario's values by drawn ones.
  void draw(Scenario& scenario, RandomStream& stream) const;
  /// Settings, for each independent direction in which the costs are open one to either end of its 95 %. What they
  /// change of a figure adds in squares.
  std::vector<Settings> ends() const;

 private:
  /// The values where independent normal numbers are these.
  std::vector<double> values_at(const std::vector<double>& normals) const;

  std::vector<std::pair<std::string, Cost>> costs_;
  /// The lower Cholesky factor of their correlations, row by row.
  std::vector<double> root_;
};

}  // namespace vecusim
