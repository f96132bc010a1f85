// A sweep's rows as CSV (RFC 4180) and as JSON lines.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sweep.hpp"

namespace vecusim {

/// One field, quoted if it has to be.
std::string csv_field(std::string_view text);

/// Collects rows. The header is each varied pointer, `replications`, then every number of the results by its path, in
/// the order in which paths first appeared: results of different hypervisors have different stages. What a result does
/// not have, or has as null, is an empty field.
class CsvTable {
 public:
  explicit CsvTable(const Sweep& sweep);

  /// `more`: columns that are not the result's own.
  void add(const SweepRow& row, const std::vector<Column>& more = {});
  /// One more column, with a field for each row.
  void add_column(const std::string& name, const std::vector<std::string>& fields);
  /// Lines end in a line feed.
  std::string text() const;

 private:
  std::size_t column(const std::string& path);

  std::vector<std::string> header_;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A row as the members of a JSON object: `"/costs/x/value": 1, …, "replications": 1, "latency.edge.n": 100, …`.
std::string json_members(const SweepRow& row, const std::vector<Column>& more = {});

}  // namespace vecusim
