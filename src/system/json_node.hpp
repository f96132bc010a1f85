// A JSON value as a plain tree that knows where each of its values and keys stands.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/place.hpp"

namespace vecusim::json {

/// `integer` is a number written without fraction and exponent that fits 64 bits, `floating` any other number.
enum class Kind : std::uint8_t { null, boolean, integer, floating, string, array, object };

struct Member;

/// One JSON value. A value type: copy it, splice it, build it; each node keeps its own place. Members keep the order of
/// the file.
struct Node {
  Kind kind = Kind::null;
  bool truth = false;
  /// Given unquoted on a command line: where text is wanted, a number or word is taken as it was written
  /// (`version=4.19`).
  bool bare = false;
  /// The content of a string (UTF-8), or a number as it was written.
  std::string text = {};
  std::vector<Node> items;
  std::vector<Member> members;
  Place place = {};

  static Node boolean(bool value);
  template <std::integral T>
  static Node integer(T value) {
    return number_of(Kind::integer, std::to_string(value));
  }
  /// The shortest text that reads back as the same double; null if it is not finite, for JSON has no such numbers.
  static Node floating(double value);
  /// `text` must be a JSON number.
  static Node number(std::string text);
  static Node string(std::string value);
  static Node array();
  static Node array(std::vector<Node> items);
  static Node object();
  static Node object(std::vector<Member> members);

  bool is_number() const { return kind == Kind::integer || kind == Kind::floating; }
  /// The number as the nearest double; 0 if this is no number.
  double as_double() const;
  /// The number if it is whole (`2`, `2.0` and `2e0` are) and fits.
  std::optional<std::int64_t> as_int64() const;
  std::optional<std::uint64_t> as_uint64() const;

  /// The member of that key, or null if there is none or this is no object.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  /// Replaces or appends a member; makes an object of a null.
  Node& set(std::string key, Node value);
  /// Whether there was such a member.
  bool erase(std::string_view key);
  Node& push_back(Node value);

 private:
  static Node number_of(Kind kind, std::string text);
};

struct Member {
  std::string key;
  Node value;
  /// Where the key stands; the value has its own place.
  Place key_place = {};
};

/// The same value and order of members, wherever they stand; numbers are compared as they are written.
bool operator==(const Node& a, const Node& b);

}  // namespace vecusim::json
