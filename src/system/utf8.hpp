// The little that we must know of UTF-8: where a character ends, and how many there are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vecusim {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

/// Every byte of a text but the continuation bytes starts a character.
inline bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// The bytes of the well-formed character (RFC 3629) at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text);

std::size_t utf8_characters(std::string_view text);

/// `text` if it has at most `limit` characters, else its first ones and an ellipsis.
std::string utf8_cut(std::string_view text, std::size_t limit);

}  // namespace vecusim
