// JSON pointers (RFC 6901), and what they are used for: finding and replacing a value in a tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/json_node.hpp"
#include "system/problem.hpp"

namespace vecusim::json {

/// The reference tokens of a pointer, unescaped; none for the whole document. Empty if `pointer` is no JSON pointer.
std::optional<std::vector<std::string>> parse_pointer(std::string_view pointer);

/// `pointer` extended by one key or index, escaped.
std::string child(std::string_view pointer, std::string_view key);
std::string child(std::string_view pointer, std::size_t index);

/// Whether `pointer` points to `pattern`, in which `*` stands for an index, or to something that has that in it.
bool leads_to(std::string_view pointer, std::string_view pattern);

/// The value at `pointer`, or null.
const Node* find(const Node& root, std::string_view pointer);
Node* find(Node& root, std::string_view pointer);

/// Puts `value` at `pointer`. Missing objects on the way are made, so that a wrong key is found by the reader, which
/// knows the right ones; `/list/-` appends. An index out of range or a way through a scalar is a problem, located where
/// `value` stands.
void set(Node& root, std::string_view pointer, Node value, Problems& problems);

}  // namespace vecusim::json
