// Walking and changing a tree along JSON pointers.
#include "system/json_pointer.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "system/json_parse.hpp"
#include "system/json_print.hpp"

namespace vecusim::json {
namespace {

/// Unescapes one reference token; empty if a `~` is not followed by 0 or 1.
std::optional<std::string> unescaped(std::string_view token) {
  std::string result;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      result += token[i];
      continue;
    }
    ++i;
    if (i == token.size() || (token[i] != '0' && token[i] != '1')) return std::nullopt;
    result += token[i] == '0' ? '~' : '/';
  }
  return result;
}

/// An array index: digits without leading zeros (RFC 6901, section 4).
std::optional<std::size_t> index_of(std::string_view token) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool all = error == std::errc{} && end == token.data() + token.size();
  if (!all || (token.size() > 1 && token.front() == '0')) return std::nullopt;
  return index;
}

/// Why a token does not lead on from a node.
struct Obstacle {
  std::string expected;
  std::string found;
};

std::string indices_of(const Node& array) {
  if (array.items.empty()) return "\"-\" (the array is empty)";
  return "an index from 0 to " + std::to_string(array.items.size() - 1) + " or \"-\"";
}

/// The node that `token` names within `node`, made if it may be; null, and `obstacle` set, if it may not. What is made
/// stands at `place`.
Node* step(Node& node, const std::string& token, const Place& place, Obstacle& obstacle) {
  Node made;
  made.place = place;
  if (node.kind == Kind::null) node.kind = token == "-" ? Kind::array : Kind::object;
  if (node.kind == Kind::object) {
    Node* member = node.find(token);
    return member != nullptr ? member : &node.set(token, std::move(made));
  }
  if (node.kind != Kind::array) {
    obstacle = {"an object or an array to put \"" + token + "\" into", shown(node)};
    return nullptr;
  }
  if (token == "-") return &node.push_back(std::move(made));
  const std::optional<std::size_t> index = index_of(token);
  if (index && *index < node.items.size()) return &node.items[*index];
  obstacle = {indices_of(node), shown(Node::string(token))};
  return nullptr;
}

template <class AnyNode>
AnyNode* walk(AnyNode& root, std::string_view pointer) {
  const auto tokens = parse_pointer(pointer);
  if (!tokens) return nullptr;
  AnyNode* node = &root;
  for (const std::string& token : *tokens) {
    if (node->kind == Kind::array) {
      const std::optional<std::size_t> index = index_of(token);
      node = index && *index < node->items.size() ? &node->items[*index] : nullptr;
    } else {
      node = node->find(token);
    }
    if (node == nullptr) break;
  }
  return node;
}

}  // namespace

std::optional<std::vector<std::string>> parse_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (pointer.front() != '/') return std::nullopt;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::optional<std::string> token = unescaped(pointer.substr(0, end));
    if (!token) return std::nullopt;
    tokens.push_back(std::move(*token));
    pointer.remove_prefix(end);
  }
  return tokens;
}

std::string child(std::string_view pointer, std::string_view key) {
  std::string result{pointer};
  result += '/';
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::string child(std::string_view pointer, std::size_t index) {
  return std::string{pointer} + '/' + std::to_string(index);
}

bool leads_to(std::string_view pointer, std::string_view pattern) {
  const auto way = parse_pointer(pointer);
  const auto goal = parse_pointer(pattern);
  return way && goal && !way->empty() && way->size() <= goal->size() &&
         std::equal(way->begin(), way->end(), goal->begin(), [](const std::string& token, const std::string& wanted) {
           return wanted == "*" || token == wanted;
         });
}

const Node* find(const Node& root, std::string_view pointer) { return walk(root, pointer); }
Node* find(Node& root, std::string_view pointer) { return walk(root, pointer); }

void set(Node& root, std::string_view pointer, Node value, Problems& problems) {
  const auto tokens = parse_pointer(pointer);
  const Place place = value.place;
  const auto refuse = [&](std::string at, std::string expected, std::string found) {
    problems.add({place, std::move(at), std::move(expected), std::move(found), {}, Severity::error, "pointer"});
  };
  if (!tokens) return refuse({}, "a JSON pointer like /run/seed", shown(Node::string(std::string{pointer})));
  if (tokens->size() > kMaxDepth) {
    return refuse({}, "at most " + std::to_string(kMaxDepth) + " levels", std::to_string(tokens->size()));
  }
  Node* node = &root;
  std::string at;
  Obstacle obstacle;
  for (const std::string& token : *tokens) {
    Node* next = step(*node, token, place, obstacle);
    if (next == nullptr) return refuse(at, obstacle.expected, obstacle.found);
    at = child(at, token);
    node = next;
  }
  *node = std::move(value);
}

}  // namespace vecusim::json
