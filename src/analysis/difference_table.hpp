// DifferenceTable: how far the points of a sweep are from a base point, in the few numbers that one looks at first.
#pragma once

#include <string>
#include <vector>

#include "analysis/paired.hpp"
#include "analysis/spooled_table.hpp"
#include "analysis/sweep.hpp"

namespace vecusim {

class DifferenceTable {
 public:
  DifferenceTable(const Sweep& sweep, const SweepPoint& base);
  void add(const SweepRow& row, const std::vector<PairedDifference>& differences);
  /// All of it, once.
  void write(Pieces& out);

 private:
  const Sweep& sweep_;
  std::string title_;
  SpooledTable table_;
};

}  // namespace vecusim
