// JSON text to a located tree.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "system/json_node.hpp"
#include "system/problem.hpp"

namespace vecusim::json {

/// What a document may have at most; more is a problem that names the limit.
inline constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxValues = 2'000'000;

/// Parses one document; its nodes are in the file `name`. RFC 8259 strictly, in UTF-8 with or without a byte-order
/// mark, plus: no key twice in an object. Empty if there is nothing to go on with; after a repeated key there is (the
/// first one counts).
std::optional<Node> parse(std::string_view text, std::string_view name, Problems& problems);

/// The same with the text standing at `at` within a longer one-line text, as an option's value does.
std::optional<Node> parse_at(std::string_view text, const Place& at, Problems& problems);

/// Reads and parses a file, or the standard input if `path` is "-". Problems name the path as it was given.
std::optional<Node> read_file(const std::string& path, Problems& problems);

/// Reads and parses all that is left in `in`.
std::optional<Node> read_stream(std::istream& in, std::string_view name, Problems& problems);

}  // namespace vecusim::json
