// The right-hand sides of --set and --vary: one value, or the values of a sweep.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "system/json_assign.hpp"
#include "system/json_node.hpp"
#include "system/problem.hpp"

namespace vecusim::json {

/// The most values that one --vary may have.
inline constexpr std::size_t kMaxChoices = 1'000'000;

/// JSON or a bare word, standing at `at`.
std::optional<Node> parse_value(std::string_view text, const Place& at, Problems& problems);

/// VALUES as parse_variation() describes them; none after a problem.
std::vector<Choice> parse_values(std::string_view text, const Place& at, Problems& problems);

}  // namespace vecusim::json
