// A JSON tree to text, the same bytes for the same tree.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "system/json_node.hpp"

namespace vecusim::json {

/// On one line: `{"a": [1, 2]}`, without a line end.
std::string compact(const Node& node);

/// Two blanks for each level; an array or object that fits in the rest of 100 columns stays on one line. Ends with a
/// line end.
std::string pretty(const Node& node);

/// `text` between double quotes, escaped where JSON demands it; bytes that are no UTF-8 become U+FFFD, so that the
/// result is always JSON.
std::string quoted(std::string_view text);

/// A value as an error message shows it: cut to about 40 characters; `an array` and `an object` instead of their
/// content.
std::string shown(const Node& node);

}  // namespace vecusim::json
