// DifferenceTable: how far the points of a sweep are from a base point, in the few numbers that one looks at first.
#pragma once

#include <string>
#include <vector>

#include "analysis/paired.hpp"
#include "analysis/sweep.hpp"

namespace vecusim {

class DifferenceTable {
 public:
  DifferenceTable(const Sweep& sweep, const SweepPoint& base);
  void add(const SweepRow& row, const std::vector<PairedDifference>& differences);
  std::string text() const;

 private:
  const Sweep& sweep_;
  std::string title_;
  std::vector<std::vector<std::string>> rows_;  // the heading first
};

}  // namespace vecusim
