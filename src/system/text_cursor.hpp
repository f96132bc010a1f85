// Line and column of an offset in a text, for offsets asked for in rising order.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "system/place.hpp"
#include "system/utf8.hpp"

namespace vecusim {

/// Counts lines (ended by LF, CR LF or CR) and columns in characters from 1; a byte-order mark is no character. Never
/// goes back: each byte is looked at once.
class TextCursor {
 public:
  TextCursor(std::string_view text, Place start) : text_(text), place_(std::move(start)) {
    if (text.starts_with(kByteOrderMark)) offset_ = kByteOrderMark.size();
  }

  std::size_t offset() const { return offset_; }
  const Place& place() const { return place_; }

  void advance_to(std::size_t offset) {
    for (; offset_ < offset && offset_ < text_.size(); ++offset_) step(text_[offset_]);
  }

 private:
  void step(char c) {
    const bool line_feed_follows = offset_ + 1 < text_.size() && text_[offset_ + 1] == '\n';
    if (c == '\n' || (c == '\r' && !line_feed_follows)) {
      ++place_.line;
      place_.column = 1;
    } else if (starts_character(c)) {
      ++place_.column;
    }
  }

  std::string_view text_;
  Place place_;
  std::size_t offset_ = 0;
};

}  // namespace vecusim
