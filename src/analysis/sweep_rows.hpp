// SweepRows: the rows of a sweep in every form that was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/difference_table.hpp"
#include "analysis/paired.hpp"
#include "analysis/pareto.hpp"
#include "analysis/sweep_csv.hpp"
#include "analysis/sweep_plot.hpp"
#include "analysis/sweep_table.hpp"
#include "system/output_file.hpp"

namespace vecusim {

struct SweepForms {
  /// A file, or "-" for standard output.
  std::optional<std::string> csv = {};
  bool json = false;
  /// Marks the front.
  std::optional<ParetoAxes> pareto = {};
  /// From which point the paired differences are.
  std::optional<SweepPoint> base = {};
  /// Of the terminal.
  std::optional<std::size_t> width = {};
  /// Curves over the last so many pointers, which change side by side; 0: none.
  std::size_t plots = 0;
};

/// A CSV file is complete at the end or not there. Rows wait in spools, so that memory does not grow with them.
class SweepRows {
 public:
  /// Throws OutputError, before anything has been computed.
  SweepRows(const Sweep& sweep, const SweepForms& forms);
  void add(const SweepRow& row, const std::vector<PairedDifference>& differences);
  /// How many have been added.
  std::size_t size() const { return size_; }
  /// Completes the CSV file; what belongs on standard output goes to `out`.
  void finish(Pieces& out);

 private:
  void write_json(Pieces& out);
  void write_tables(Pieces& out);

  const Sweep& sweep_;
  std::size_t size_ = 0;
  bool json_;
  std::optional<std::size_t> width_;
  std::optional<CsvTable> csv_;
  std::optional<OutputFile> file_;
  Spool json_rows_;  // the members of each
  std::string json_base_;
  SweepTable table_;
  std::optional<DifferenceTable> differences_;
  std::optional<SweepPlot> plot_;
  std::optional<ParetoFront> pareto_;
  std::vector<bool> front_;
};

}  // namespace vecusim
