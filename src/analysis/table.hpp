// Plain tables for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vecusim {

/// How wide columns are: as they need to be, two blanks apart; a column whose fields below the heading are all numbers
/// (or empty) is flush right.
class TableLayout {
 public:
  /// The heading is the first row.
  void add(const std::vector<std::string>& row);
  /// One more, flush left.
  void add_column(std::size_t width) { columns_.push_back({width, false}); }
  void erase(std::size_t column);
  /// Of the widest line, in characters.
  std::size_t width() const;
  /// Ends with a line end.
  std::string line(const std::vector<std::string>& row) const;

 private:
  struct Column {
    std::size_t width = 0;
    bool numbers = true;
  };

  std::vector<Column> columns_;
  bool headed_ = false;
};

/// All rows, the heading first.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace vecusim
