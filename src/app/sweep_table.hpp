// SweepTable: the few numbers of each point of a sweep that one looks at first, for a terminal of 80 columns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/sweep.hpp"

namespace vecusim {

/// Pointers as headings: each from the last '/' on that leaves it different from the others.
std::vector<std::string> short_names(const std::vector<std::string>& pointers);

/// One row for each point and interrupt, or flow where none is measured. Which interrupt, what a requirement says and
/// what the hypervisor costs are columns where there are several, one, or one.
class SweepTable {
 public:
  void add(const Sweep& sweep, const SweepRow& row);
  /// One more column, with a field for each point.
  void add_column(const std::string& name, const std::vector<std::string>& fields);
  /// On a terminal of this width, without the numbers that matter least, as far as there is no room for them.
  std::string text(std::optional<std::size_t> width = {}) const;

 private:
  std::vector<std::vector<std::string>> rows_;  // the heading first
  std::vector<std::size_t> points_;             // of each row but the heading: the how manieth point it is of
  std::size_t added_ = 0;
};

}  // namespace vecusim
