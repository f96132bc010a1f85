// SweepRows: the rows of a sweep in every form that was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pareto.hpp"
#include "analysis/sweep_csv.hpp"
#include "app/sweep_table.hpp"
#include "system/output_file.hpp"

namespace vecusim {

struct SweepForms {
  /// A file, or "-" for standard output.
  std::optional<std::string> csv;
  bool json = false;
  /// Marks the front.
  std::optional<ParetoAxes> pareto;
};

/// A CSV file is complete at the end or not there.
class SweepRows {
 public:
  /// Throws OutputError, before anything has been computed.
  SweepRows(const Sweep& sweep, const SweepForms& forms);
  void add(const SweepRow& row);
  /// What belongs on standard output.
  std::string finish();

 private:
  void mark_front();

  const Sweep& sweep_;
  bool json_;
  std::optional<CsvTable> csv_;
  std::optional<OutputFile> file_;
  std::vector<std::string> json_lines_;
  SweepTable table_;
  std::optional<ParetoFront> pareto_;
};

}  // namespace vecusim
