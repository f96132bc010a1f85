// SweepTable: the few numbers of each point of a sweep that one looks at first.
#pragma once

#include <string>
#include <vector>

#include "analysis/sweep.hpp"

namespace vecusim {

/// One row for each point and interrupt; what a requirement says is a column where there is one.
class SweepTable {
 public:
  void add(const Sweep& sweep, const SweepRow& row);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  bool requirements_ = false;
};

}  // namespace vecusim
