// Laying out a table.
#include "app/table.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace vecusim {

namespace {

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("+-.0123456789e") == std::string_view::npos;
}

struct Column {
  std::size_t width = 0;
  bool numbers = true;
};

std::vector<Column> layout(const std::vector<std::vector<std::string>>& rows) {
  std::vector<Column> layout;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    layout.resize(std::max(layout.size(), rows[r].size()));
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      layout[c].width = std::max(layout[c].width, columns(rows[r][c]));
      if (r > 0 && !rows[r][c].empty() && !is_number(rows[r][c])) layout[c].numbers = false;
    }
  }
  return layout;
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows) {
  const auto widths = layout(rows);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c].width - columns(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (widths[c].numbers ? blanks + row[c] : row[c] + blanks);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace vecusim
