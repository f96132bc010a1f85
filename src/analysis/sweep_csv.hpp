// A sweep's rows as CSV (RFC 4180) and as JSON lines.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sweep.hpp"
#include "system/spool.hpp"

namespace vecusim {

/// One field, quoted if it has to be.
std::string csv_field(std::string_view text);

/// Collects rows. The header is each varied pointer, `replications`, then every number of the results by its path, in
/// the order in which paths first appeared: results of different hypervisors have different stages. What a result does
/// not have, or has as null, is an empty field. Rows wait in a spool, as the last may have a column of its own.
class CsvTable {
 public:
  /// What is known of each row only when all are there.
  struct LastColumn {
    std::string name;
    std::function<std::string(std::size_t row)> field;
  };

  explicit CsvTable(const Sweep& sweep);

  /// `more`: columns that are not the result's own.
  void add(const SweepRow& row, const std::vector<Column>& more = {});
  /// All of it, once. Lines end in a line feed.
  void write(Pieces& out, const std::optional<LastColumn>& last = {});

 private:
  /// From this row on, lines have so many columns.
  struct Growth {
    std::size_t row;
    std::size_t columns;
  };

  std::size_t column(std::string_view path);
  void put(const Column& entry);
  /// What rows of fewer columns lack.
  std::string missing_from(std::size_t columns) const;

  std::size_t fixed_;  // columns before those of the results
  std::vector<std::string> header_;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::size_t expected_ = 0;        // the column that comes next where a row is like the one before
  std::vector<std::string> cells_;  // of the row that is added
  std::string line_;
  std::vector<Growth> growth_;
  std::size_t rows_ = 0;
  Spool lines_;
};

/// A row as the members of a JSON object: `"/costs/x/value": 1, …, "replications": 1, "latency.edge.n": 100, …`.
std::string json_members(const SweepRow& row, const std::vector<Column>& more = {});

}  // namespace vecusim
