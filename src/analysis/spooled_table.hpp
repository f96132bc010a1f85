// SpooledTable: a table of many rows, which wait in a spool until the widths of its columns are known.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "analysis/table.hpp"
#include "system/spool.hpp"

namespace vecusim {

class SpooledTable {
 public:
  bool empty() const { return heading_.empty(); }
  /// Before all rows.
  void head(std::vector<std::string> names);
  /// `item`: what the row is of, for add_column().
  void add(std::vector<std::string> fields, std::size_t item = 0);
  /// One more column, when all rows are there; of no more characters than its name.
  void add_column(const std::string& name, std::function<std::string(std::size_t item)> field);
  /// False if there is none of that name.
  bool leave_out(const std::string& name);
  /// In characters.
  std::size_t width() const { return layout_.width(); }
  /// All of it, once.
  void write(Pieces& out);

 private:
  std::vector<std::string> heading_;
  std::vector<std::size_t> left_out_;  // columns, each counted without those before it
  std::function<std::string(std::size_t)> last_;
  TableLayout layout_;
  Spool rows_;
};

}  // namespace vecusim
