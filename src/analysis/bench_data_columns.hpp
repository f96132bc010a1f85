// The columns of a bench data file: what their names mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/case_statistic.hpp"

namespace vecusim {

struct BenchColumn {
  enum class Is : std::uint8_t { seq, t_out, t_in, latency, count, row, n, lost, figure };
  Is is;
  std::string name;
  /// Powers of ten from a picosecond to the unit, if it has one.
  int digits = 0;
  /// Of a figure.
  Statistic statistic = Statistic::min;
};

/// Empty if no column is called so.
std::optional<BenchColumn> parse_column(std::string_view name);

/// To suggest from.
std::vector<std::string> known_columns();

}  // namespace vecusim
