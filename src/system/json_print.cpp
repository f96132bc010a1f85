// The printers of JSON trees.
#include "system/json_print.hpp"

#include <algorithm>

#include "system/utf8.hpp"

namespace vecusim::json {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kShownCharacters = 40;

void append_compact(std::string& out, const Node& node);

void append_array(std::string& out, const Node& node) {
  out += '[';
  const char* separator = "";
  for (const Node& item : node.items) {
    out += separator;
    append_compact(out, item);
    separator = ", ";
  }
  out += ']';
}

void append_object(std::string& out, const Node& node) {
  out += '{';
  const char* separator = "";
  for (const Member& member : node.members) {
    out += separator;
    out += quoted(member.key);
    out += ": ";
    append_compact(out, member.value);
    separator = ", ";
  }
  out += '}';
}

void append_compact(std::string& out, const Node& node) {
  switch (node.kind) {
    case Kind::null:
      out += "null";
      break;
    case Kind::boolean:
      out += node.truth ? "true" : "false";
      break;
    case Kind::integer:
    case Kind::floating:
      out += node.text;
      break;
    case Kind::string:
      out += quoted(node.text);
      break;
    case Kind::array:
      append_array(out, node);
      break;
    case Kind::object:
      append_object(out, node);
      break;
  }
}

/// Whether the compact form has at most `room` characters; looks no further than needed.
bool fits(const Node& node, std::size_t& room) {
  const auto take = [&room](std::size_t count) {
    if (count > room) return false;
    room -= count;
    return true;
  };
  if (node.kind != Kind::array && node.kind != Kind::object) return take(utf8_characters(compact(node)));
  const std::size_t parts = node.items.size() + node.members.size();
  if (!take(2 + 2 * (std::max<std::size_t>(parts, 1) - 1))) return false;
  for (const Node& item : node.items) {
    if (!fits(item, room)) return false;
  }
  for (const Member& member : node.members) {
    if (!take(utf8_characters(quoted(member.key)) + 2) || !fits(member.value, room)) return false;
  }
  return true;
}

/// `node` where `column` characters of its line are used up, in a container indented by `indent`.
void append_pretty(std::string& out, const Node& node, std::size_t indent, std::size_t column) {
  // One is for the comma behind it.
  std::size_t room = kColumns - std::min(column + 1, kColumns);
  if ((node.items.empty() && node.members.empty()) || fits(node, room)) {
    append_compact(out, node);
    return;
  }
  const std::size_t inner = indent + 2;
  std::string line_start(inner + 1, ' ');
  line_start.front() = '\n';
  const char* separator = "";
  out += node.kind == Kind::array ? '[' : '{';
  for (const Node& item : node.items) {
    out += separator;
    out += line_start;
    append_pretty(out, item, inner, inner);
    separator = ",";
  }
  for (const Member& member : node.members) {
    const std::string key = quoted(member.key) + ": ";
    out += separator;
    out += line_start;
    out += key;
    append_pretty(out, member.value, inner, inner + utf8_characters(key));
    separator = ",";
  }
  out += line_start.substr(0, indent + 1);
  out += node.kind == Kind::array ? ']' : '}';
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += {'\\', 'u', '0', '0', kHex[byte >> 4U], kHex[byte & 0xFU]};
    } else if (const std::size_t length = utf8_length(text.substr(i)); length > 0) {
      out += text.substr(i, length);
      i += length - 1;
    } else {
      out += kReplacementCharacter;
    }
  }
  return out + '"';
}

std::string compact(const Node& node) {
  std::string out;
  append_compact(out, node);
  return out;
}

std::string pretty(const Node& node) {
  std::string out;
  append_pretty(out, node, 0, 0);
  return out + "\n";
}

std::string shown(const Node& node) {
  if (node.kind == Kind::array) return "an array";
  if (node.kind == Kind::object) return "an object";
  if (node.kind == Kind::string) return quoted(utf8_cut(node.text, kShownCharacters));
  return utf8_cut(compact(node), kShownCharacters);
}

}  // namespace vecusim::json
