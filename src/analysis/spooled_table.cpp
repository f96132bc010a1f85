// Rows as bytes.
#include "analysis/spooled_table.hpp"

#include <algorithm>
#include <utility>

#include "analysis/bytes.hpp"
#include "system/utf8.hpp"

namespace vecusim {

void SpooledTable::head(std::vector<std::string> names) {
  heading_ = std::move(names);
  layout_.add(heading_);
}

void SpooledTable::add(std::vector<std::string> fields, std::size_t item) {
  layout_.add(fields);
  ByteWriter bytes;
  bytes(item);
  bytes(fields);
  rows_.add(bytes.text());
}

void SpooledTable::add_column(const std::string& name, std::function<std::string(std::size_t)> field) {
  heading_.push_back(name);
  layout_.add_column(utf8_characters(name));
  last_ = std::move(field);
}

bool SpooledTable::leave_out(const std::string& name) {
  const auto found = std::find(heading_.begin(), heading_.end(), name);
  if (found == heading_.end()) return false;
  left_out_.push_back(static_cast<std::size_t>(found - heading_.begin()));
  layout_.erase(left_out_.back());
  heading_.erase(found);
  return true;
}

void SpooledTable::write(Pieces& out) {
  if (empty()) return;
  out.add(layout_.line(heading_));
  rows_.read([&](std::string_view record) {
    ByteReader bytes(record);
    std::size_t item = 0;
    bytes(item);
    std::vector<std::string> row;
    bytes(row);
    if (last_) row.push_back(last_(item));
    for (const std::size_t column : left_out_) {
      if (column < row.size()) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
    out.add(layout_.line(row));
  });
}

}  // namespace vecusim
