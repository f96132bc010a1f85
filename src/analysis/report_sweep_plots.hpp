// A sweep's numbers as plots: over one value, as boxes, and over two values as a map.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/report_parts.hpp"
#include "analysis/report_store.hpp"

namespace vecusim::report {

/// `/hypervisor/scheduler/ratelimit_us`: "ratelimit", in µs.
NameAndUnit dimension_name(const std::string& pointer);

/// The values that one pointer takes, ascending if they are numbers.
struct Steps {
  std::vector<std::string> texts;
  bool numeric = true;
};

/// Everything of one store that the sections look at.
struct SweepView {
  SweepView(const StoredSweep& stored, std::string identifier);

  const StoredSweep& sweep;
  /// What identifiers of its sections begin with.
  std::string id;
  /// By varied pointer.
  std::vector<Steps> steps;

  bool one_dimension() const { return sweep.pointers.size() == 1; }
};

/// A number of the points, by its path, and what it is called.
struct Line {
  std::string title;
  std::string path;
};

/// A point's value of one varied pointer.
json::Node value_cell(const StoredPoint& point, std::size_t dimension);

/// Figures over one dimension. Where others are varied too, each line is the mean over them, and its band reaches from
/// the least to the greatest; else the band is the 95 % interval, where there is one.
Part lines_part(const SweepView& view, std::size_t dimension, std::string id, std::string title,
                const std::string& unit, const std::vector<Line>& lines);
/// The spread of one interrupt's answers at each value; of one dimension.
Part boxes_part(const SweepView& view, const std::string& id, std::size_t interrupt);
/// The first two dimensions as a map of each figure.
Part map_part(const SweepView& view, std::string id, const std::string& unit, const std::vector<Line>& figures);

}  // namespace vecusim::report
