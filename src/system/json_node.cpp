// Making, reading and changing JSON values.
#include "system/json_node.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "system/json_decimal.hpp"

namespace vecusim::json {
namespace {

Node of_kind(Kind kind) {
  Node node;
  node.kind = kind;
  return node;
}

}  // namespace

Node Node::boolean(bool value) {
  Node node = of_kind(Kind::boolean);
  node.truth = value;
  return node;
}

Node Node::number_of(Kind kind, std::string text) {
  Node node = of_kind(kind);
  node.text = std::move(text);
  return node;
}

Node Node::floating(double value) {
  if (!std::isfinite(value)) return {};
  // 500000 rather than 5e+05: an exponent only where it helps to read.
  const double size = std::abs(value);
  const auto format =
      size == 0.0 || (size >= 1e-5 && size < 1e15) ? std::chars_format::fixed : std::chars_format::general;
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
  return number_of(Kind::floating, std::string(buffer.data(), end));
}

Node Node::number(std::string text) {
  const bool plain = text.find_first_of(".eE") == std::string::npos;
  const Decimal decimal = parse_decimal(text);
  const bool fits = decimal.negative ? scaled(decimal, 0).has_value() : scaled_magnitude(decimal, 0).has_value();
  return number_of(plain && fits ? Kind::integer : Kind::floating, std::move(text));
}

Node Node::string(std::string value) {
  Node node = of_kind(Kind::string);
  node.text = std::move(value);
  return node;
}

Node Node::array() { return of_kind(Kind::array); }

Node Node::array(std::vector<Node> items) {
  Node node = of_kind(Kind::array);
  node.items = std::move(items);
  return node;
}

Node Node::object() { return of_kind(Kind::object); }

Node Node::object(std::vector<Member> members) {
  Node node = of_kind(Kind::object);
  node.members = std::move(members);
  return node;
}

double Node::as_double() const {
  double value = 0;
  if (!is_number()) return value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Out of range is too small here, for a number too large is no number of ours: 1e-400 is 0.
  return error == std::errc{} ? value : 0;
}

std::optional<std::int64_t> Node::as_int64() const {
  if (!is_number()) return std::nullopt;
  const Decimal decimal = parse_decimal(text);
  if (!decimal.is_whole()) return std::nullopt;
  return scaled(decimal, 0);
}

std::optional<std::uint64_t> Node::as_uint64() const {
  if (!is_number()) return std::nullopt;
  const Decimal decimal = parse_decimal(text);
  if (!decimal.is_whole() || (decimal.negative && !decimal.digits.empty())) return std::nullopt;
  return scaled_magnitude(decimal, 0);
}

const Node* Node::find(std::string_view key) const {
  const auto at = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
  return at == members.end() ? nullptr : &at->value;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

Node& Node::set(std::string key, Node value) {
  if (kind == Kind::null) kind = Kind::object;
  if (Node* present = find(key)) return *present = std::move(value);
  const Place key_place = value.place;
  return members.emplace_back(Member{std::move(key), std::move(value), key_place}).value;
}

bool Node::erase(std::string_view key) {
  return std::erase_if(members, [&](const Member& member) { return member.key == key; }) > 0;
}

Node& Node::push_back(Node value) {
  if (kind == Kind::null) kind = Kind::array;
  return items.emplace_back(std::move(value));
}

bool operator==(const Node& a, const Node& b) {
  const auto same = [](const Member& x, const Member& y) { return x.key == y.key && x.value == y.value; };
  return a.kind == b.kind && a.truth == b.truth && a.text == b.text && a.items == b.items &&
         std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(), same);
}

}  // namespace vecusim::json
