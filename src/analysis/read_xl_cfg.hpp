// Reads a domain's configuration for xl: assignments as in Python.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/problem.hpp"

namespace vecusim {

/// A string, a number as it was written, or a list of them.
struct XlValue {
  bool list = false;
  /// One, or those of the list.
  std::vector<std::string> items = {};
  Place place = {};
};

struct XlConfig {
  /// In the order of the file; of a key that is assigned twice the last one counts.
  std::vector<std::pair<std::string, XlValue>> values = {};
  Problems problems = {};

  /// Null if it is not there.
  const XlValue* find(std::string_view key) const;
  /// Of a value that is no list; else empty.
  std::string text(std::string_view key) const;
  /// Of a number, or a string that is one.
  std::optional<std::uint64_t> number(std::string_view key) const;
};

XlConfig read_xl_cfg(std::string_view text, const std::string& name);

}  // namespace vecusim
