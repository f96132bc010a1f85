// SweepTable: the few numbers of each point of a sweep that one looks at first, for a terminal of 80 columns.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/spooled_table.hpp"
#include "analysis/sweep.hpp"

namespace vecusim {

/// Pointers as headings: each from the last '/' on that leaves it different from the others.
std::vector<std::string> short_names(const std::vector<std::string>& pointers);

/// One row for each point and interrupt, or flow where none is measured. Which interrupt, what a requirement says and
/// what the hypervisor costs are columns where there are several, one, or one.
class SweepTable {
 public:
  void add(const Sweep& sweep, const SweepRow& row);
  /// One more column, when all rows are there, with a field for each point in the order in which they came.
  void add_column(const std::string& name, std::function<std::string(std::size_t point)> field);
  /// All of it, once. On a terminal of this width, without the numbers that matter least, as far as there is no room
  /// for them.
  void write(Pieces& out, std::optional<std::size_t> width = {});

 private:
  SpooledTable table_;
  std::size_t added_ = 0;
};

}  // namespace vecusim
