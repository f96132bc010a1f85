// The front of a sweep: points that no other one beats in both of two figures.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/result.hpp"
#include "system/problem.hpp"

namespace vecusim {

/// `METRIC,METRIC`: numbers of the result by their paths, of which less is better; more, if `+` stands before it.
struct ParetoAxes {
  struct Axis {
    std::string path;
    bool more_is_better;
  };
  std::vector<Axis> axes;
};

/// A figure without a dot is the latency's of `interrupt`. Empty after a problem, which names `--pareto`.
std::optional<ParetoAxes> parse_pareto(std::string_view text, const std::optional<std::string>& interrupt,
                                       Problems& problems);

/// Points as they come, and in the end which of them are on the front. One whose result has not all figures is not.
class ParetoFront {
 public:
  explicit ParetoFront(ParetoAxes axes) : axes_(std::move(axes)) {}
  void add(const std::vector<Column>& columns);
  std::vector<bool> front() const;

 private:
  ParetoAxes axes_;
  /// Turned so that less is better; empty: not all known.
  std::vector<std::vector<double>> points_;
};

}  // namespace vecusim
