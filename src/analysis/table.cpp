// Laying out a table.
#include "analysis/table.hpp"

#include <algorithm>
#include <string_view>

#include "system/utf8.hpp"

namespace vecusim {

namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789e") == std::string_view::npos;
}

}  // namespace

void TableLayout::add(const std::vector<std::string>& row) {
  columns_.resize(std::max(columns_.size(), row.size()));
  for (std::size_t c = 0; c < row.size(); ++c) {
    columns_[c].width = std::max(columns_[c].width, utf8_characters(row[c]));
    if (headed_ && !row[c].empty() && !is_number(row[c])) columns_[c].numbers = false;
  }
  headed_ = true;
}

void TableLayout::erase(std::size_t column) { columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(column)); }

std::size_t TableLayout::width() const {
  std::size_t width = 0;
  for (const Column& column : columns_) width += column.width + 2;
  return std::max<std::size_t>(width, 2) - 2;
}

std::string TableLayout::line(const std::vector<std::string>& row) const {
  std::string line;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::string blanks(columns_[c].width - utf8_characters(row[c]), ' ');
    line += (c == 0 ? "" : "  ") + (columns_[c].numbers ? blanks + row[c] : row[c] + blanks);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  TableLayout layout;
  for (const auto& row : rows) layout.add(row);
  std::string text;
  for (const auto& row : rows) text += layout.line(row);
  return text;
}

}  // namespace vecusim
