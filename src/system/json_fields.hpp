// Configuration structs and JSON: read, write, describe as a schema, describe as a reference page. T is anything with
// `void fields(FieldVisitor&)`.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "engine/fields.hpp"
#include "system/json_node.hpp"
#include "system/problem.hpp"

namespace vecusim::json {

/// Reads `node` into `part`, whose present values are the defaults, and reports everything that is wrong. `pointer` is
/// where `node` stands in its document. After an error the values are those that could be read.
void read(const Node& node, Part& part, Problems& problems, std::string pointer = {});
/// All fields in their order, resolved: what read() makes the same values of.
Node write(Part& part);
/// A JSON Schema (draft 2020-12) that accepts what read() accepts, apart from rules over several fields. Uses `part` as
/// scratch: its values are the defaults shown, and are not kept.
Node schema(Part& part, std::string_view title);
/// A reference page in Markdown: a section for each object and each alternative, with a table of its keys. Uses `part`
/// as scratch.
std::string markdown(Part& part, std::string_view title);

/// Any struct with fields(), seen as a Part.
template <class T>
class PartOf final : public Part {
 public:
  explicit PartOf(T& value) : value_(value) {}
  void fields(FieldVisitor& visit) override { value_.fields(visit); }

 private:
  T& value_;
};

template <class T>
concept HasFields = !std::is_base_of_v<Part, T> && requires(T & value, FieldVisitor& visit) {
  value.fields(visit);
};

template <HasFields T>
void read(const Node& node, T& value, Problems& problems, std::string pointer = {}) {
  PartOf<T> part{value};
  read(node, static_cast<Part&>(part), problems, std::move(pointer));
}

template <HasFields T>
Node write(T& value) {
  PartOf<T> part{value};
  return write(static_cast<Part&>(part));
}

/// fields() is not const, so this shows a copy.
template <class T>
requires HasFields<T> && std::copy_constructible<T> Node write(const T& value) {
  T copy{value};
  return write(copy);
}

template <HasFields T>
Node schema(T defaults, std::string_view title) {
  PartOf<T> part{defaults};
  return schema(static_cast<Part&>(part), title);
}

template <HasFields T>
std::string markdown(T defaults, std::string_view title) {
  PartOf<T> part{defaults};
  return markdown(static_cast<Part&>(part), title);
}

}  // namespace vecusim::json
