// SweepPlot: how mean and 99th percentile go over the values of a sweep, as curves of characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/sweep.hpp"

namespace vecusim {

/// A curve over the last pointers of the grid, which change fastest, for each combination of the others.
class SweepPlot {
 public:
  /// `fastest`: how many pointers change side by side last.
  SweepPlot(const Sweep& sweep, std::size_t fastest);
  void add(const SweepRow& row);
  /// Empty where there are fewer than three values in a row.
  std::string text() const;

 private:
  struct Curve {
    /// The values of the slower pointers.
    std::string at;
    std::vector<std::optional<double>> values;
  };
  /// One number of the results.
  struct Figure {
    std::string name;
    std::vector<Curve> curves;
  };

  void add(const std::string& name, const std::string& at, std::optional<double> value);

  const Sweep& sweep_;
  std::size_t slower_;
  std::string first_;
  std::string last_;
  std::vector<Figure> figures_;
};

}  // namespace vecusim
