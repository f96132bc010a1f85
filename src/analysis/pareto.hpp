// The front of a sweep: points that no other one beats in all of its figures.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/result.hpp"
#include "analysis/sweep.hpp"
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

/// Throws InvalidInput if no point of the sweep has one of the figures, and names the nearest.
void require_metrics(const ParetoAxes& axes, const Sweep& sweep);

/// Points as they come, and in the end which of them are on the front. One whose result has not all figures is not.
class ParetoFront {
 public:
  explicit ParetoFront(const ParetoAxes& axes) : axes_(axes.axes) {}
  void add(const std::vector<Column>& columns);
  std::vector<bool> front() const;

 private:
  using Point = std::span<const double>;
  Point point(std::size_t index) const { return Point(figures_).subspan(index * axes_.size(), axes_.size()); }

  std::vector<ParetoAxes::Axis> axes_;
  /// Of one point after the other, turned so that less is better; not numbers where one of the point's is not known.
  std::vector<double> figures_;
};

}  // namespace vecusim
