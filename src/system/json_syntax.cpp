// The wording of syntax errors.
#include "system/json_syntax.hpp"

#include <algorithm>
#include <cstdint>

#include "system/json_parse.hpp"
#include "system/utf8.hpp"

namespace vecusim::json {
namespace {

constexpr std::size_t kShownCharacters = 40;
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kDelimiters = " \t\r\n,:[]{}\"";

bool holds(std::string_view text, std::size_t offset, char c) { return offset < text.size() && text[offset] == c; }

std::size_t skip_blanks(std::string_view text, std::size_t offset) {
  return std::min(text.find_first_not_of(kBlanks, offset), text.size());
}

/// Whether the comma or colon at `offset` is due after what was read last.
bool separator_due(std::string_view text, std::size_t offset, const SyntaxState& state) {
  if (state.last == Last::key) return holds(text, offset, ':');
  return state.last == Last::value && state.within != Kind::null && holds(text, offset, ',');
}

std::string byte_text(char c) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return std::string{"the byte 0x"} + kHex[byte >> 4U] + kHex[byte & 0xFU];
}

/// The token at `offset` as a message shows it.
std::string token_text(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  const std::string_view rest = text.substr(offset);
  if (utf8_length(rest) == 0) return byte_text(rest.front());
  if (rest.front() == '"') return utf8_cut(rest.substr(0, rest.find('"', 1)), kShownCharacters) + "\"";
  if (kDelimiters.find(rest.front()) != std::string_view::npos) return std::string{"\""} + rest.front() + "\"";
  return utf8_cut(rest.substr(0, rest.find_first_of(kDelimiters)), kShownCharacters);
}

/// What may stand after `state`, a due separator being there (`separated`) or not.
std::string expected_after(const SyntaxState& state, bool separated) {
  const bool in_array = state.within == Kind::array;
  switch (state.last) {
    case Last::nothing:
      return "a JSON value";
    case Last::start:
      return in_array ? "a JSON value or \"]\"" : "a key in double quotes or \"}\"";
    case Last::key:
      return separated ? "a JSON value" : "\":\" after the key";
    case Last::value:
      break;
  }
  if (state.within == Kind::null) return "nothing after the document";
  if (separated) return in_array ? "a JSON value after the comma" : "a key in double quotes after the comma";
  return in_array ? "\",\" or \"]\"" : "\",\" or \"}\"";
}

std::size_t first_ill_formed(std::string_view text, std::size_t offset) {
  while (offset < text.size()) {
    const std::size_t length = utf8_length(text.substr(offset));
    if (length == 0) break;
    offset += length;
  }
  return offset;
}

/// What is wrong within the string that starts at `start`; `offset` is the character at which the lexer gave up.
SyntaxError explain_string(std::string_view text, std::size_t start, std::size_t offset, std::string_view message) {
  const auto says = [&](std::string_view part) { return message.find(part) != std::string_view::npos; };
  if (says("ill-formed UTF-8")) {
    offset = first_ill_formed(text, start);
    return {offset, {"UTF-8", token_text(text, offset)}};
  }
  if (offset >= text.size()) return {start, {"a string with a closing quote", "none before the end of the text"}};
  if (holds(text, offset, '\n') || holds(text, offset, '\r')) {
    return {start, {"a string with a closing quote", "none before the end of the line"}};
  }
  if (static_cast<unsigned char>(text[offset]) < 0x20) {
    return {offset, {"an escape like \\t for a control character", byte_text(text[offset])}};
  }
  const std::size_t backslash = text.rfind('\\', offset);
  if (backslash == std::string_view::npos) return {start, {"a string", token_text(text, start)}};
  const std::string found = utf8_cut(text.substr(backslash, offset - backslash + 1), kShownCharacters);
  if (says("surrogate")) return {backslash, {"a pair of surrogates \\uD800-\\uDBFF \\uDC00-\\uDFFF", found}};
  if (says("4 hex digits")) return {backslash, {"\\u and four hexadecimal digits", found}};
  return {backslash, {R"(one of the escapes \" \\ \/ \b \f \n \r \t \u)", found}};
}

}  // namespace

std::size_t skip_to_token(std::string_view text, const SyntaxState& state) {
  const std::size_t offset = skip_blanks(text, state.end_of_last);
  return separator_due(text, offset, state) ? skip_blanks(text, offset + 1) : offset;
}

SyntaxError explain_syntax_error(std::string_view text, const SyntaxState& state, std::size_t read,
                                 std::string_view message) {
  const bool separated = separator_due(text, skip_blanks(text, state.end_of_last), state);
  const std::size_t start = skip_to_token(text, state);
  if (message.starts_with("[json.exception.out_of_range")) {
    return {start, {"a number of at most 1.8e308", token_text(text, start)}};
  }
  const bool in_string = message.find("- invalid string: ") != std::string_view::npos;
  if (in_string) return explain_string(text, start, std::max<std::size_t>(read, 1) - 1, message);
  return {start, {expected_after(state, separated), token_text(text, start)}};
}

std::optional<SyntaxError> explain_no_json_at_all(std::string_view text) {
  if (text.size() > kMaxBytes) {
    return SyntaxError{0, {"at most " + std::to_string(kMaxBytes >> 20U) + " MiB", "more"}};
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return SyntaxError{0, {"UTF-8", "UTF-16"}};
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) return SyntaxError{nul, {"JSON text", "a NUL character"}};
  return std::nullopt;
}

}  // namespace vecusim::json
