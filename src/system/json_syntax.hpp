// Why a text is no JSON, in the words of its author: what could have stood there, and what does.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "system/json_node.hpp"

namespace vecusim::json {

struct Surprise {
  std::string expected;
  std::string found;
};

struct SyntaxError {
  std::size_t offset;
  Surprise surprise;
};

/// The last thing that a parser has taken in.
enum class Last : std::uint8_t { nothing, start, key, value };

/// Where a parser is: the end of what it took in last, and the innermost open container (null: none).
struct SyntaxState {
  std::size_t end_of_last = 0;
  Last last = Last::nothing;
  Kind within = Kind::null;
};

/// The offset of the next token with a meaning of its own: past blanks and the comma or colon that is due.
std::size_t skip_to_token(std::string_view text, const SyntaxState& state);

/// What is wrong with the token after `state`. `read` is how many bytes the lexer has read, `message` is nlohmann's,
/// which is needed only to tell apart what can go wrong inside a string.
SyntaxError explain_syntax_error(std::string_view text, const SyntaxState& state, std::size_t read,
                                 std::string_view message);

/// What no parser need look at: too long, UTF-16, or with NUL characters.
std::optional<SyntaxError> explain_no_json_at_all(std::string_view text);

}  // namespace vecusim::json
