// A validator for the part of JSON Schema that our schemas use, to compare them with what the reader accepts.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "system/json_node.hpp"

namespace vecusim::test {

bool accepts(const json::Node& schema, const json::Node& value);

inline bool has_type(std::string_view type, const json::Node& value) {
  using json::Kind;
  if (type == "object") return value.kind == Kind::object;
  if (type == "array") return value.kind == Kind::array;
  if (type == "string") return value.kind == Kind::string;
  if (type == "boolean") return value.kind == Kind::boolean;
  if (type == "number") return value.is_number();
  if (type == "integer") return value.as_int64().has_value();
  throw std::logic_error("a type that this validator does not know");
}

inline bool accepts_members(const json::Node& schema, const json::Node& value) {
  const json::Node* properties = schema.find("properties");
  return std::all_of(value.members.begin(), value.members.end(), [&](const json::Member& member) {
    const json::Node* property = properties != nullptr ? properties->find(member.key) : nullptr;
    if (property != nullptr) return accepts(*property, member.value);
    const json::Node* others = schema.find("additionalProperties");
    if (others == nullptr) return true;
    return others->kind == json::Kind::boolean ? others->truth : accepts(*others, member.value);
  });
}

/// One keyword; keywords that only describe accept everything, unknown ones are an error of the test.
inline bool accepts_keyword(const json::Node& schema, std::string_view keyword, const json::Node& argument,
                            const json::Node& value) {
  const auto accepting = [&] {
    return std::count_if(argument.items.begin(), argument.items.end(),
                         [&](const json::Node& option) { return accepts(option, value); });
  };
  const auto same = [&](const json::Node& constant) {
    return constant == value ||
           (constant.is_number() && value.is_number() && constant.as_double() == value.as_double());
  };
  if (keyword == "type") return has_type(argument.text, value);
  if (keyword == "const") return same(argument);
  if (keyword == "enum") return std::any_of(argument.items.begin(), argument.items.end(), same);
  if (keyword == "anyOf") return accepting() > 0;
  if (keyword == "oneOf") return accepting() == 1;
  if (keyword == "minimum") return !value.is_number() || value.as_double() >= argument.as_double();
  if (keyword == "maximum") return !value.is_number() || value.as_double() <= argument.as_double();
  if (keyword == "items") {
    return std::all_of(value.items.begin(), value.items.end(),
                       [&](const json::Node& item) { return accepts(argument, item); });
  }
  if (keyword == "required") {
    return value.kind != json::Kind::object ||
           std::all_of(argument.items.begin(), argument.items.end(),
                       [&](const json::Node& key) { return value.find(key.text) != nullptr; });
  }
  if (keyword == "properties") return accepts_members(schema, value);
  if (keyword == "additionalProperties") return accepts_members(schema, value);
  if (keyword == "$schema" || keyword == "title" || keyword == "description" || keyword == "default") return true;
  throw std::logic_error("a keyword that this validator does not know");
}

inline bool accepts(const json::Node& schema, const json::Node& value) {
  return std::all_of(schema.members.begin(), schema.members.end(), [&](const json::Member& member) {
    return accepts_keyword(schema, member.key, member.value, value);
  });
}

}  // namespace vecusim::test
