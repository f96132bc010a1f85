// SweepTable: the few numbers of each point of a sweep that one looks at first, for a terminal of 80 columns.
#pragma once

#include <string>
#include <vector>

#include "analysis/sweep.hpp"

namespace vecusim {

/// One row for each point and interrupt. Which interrupt, what a requirement says and what the hypervisor costs are
/// columns where there are several, one, or one.
class SweepTable {
 public:
  void add(const Sweep& sweep, const SweepRow& row);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace vecusim
