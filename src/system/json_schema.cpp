// Describes a configuration struct as a JSON Schema, draft 2020-12.
#include <utility>

#include "system/json_default.hpp"
#include "system/json_fields.hpp"
#include "system/json_range.hpp"

namespace vecusim::json {
namespace {

Node text_node(std::string_view text) { return Node::string(std::string{text}); }

Node typed(std::string_view type) {
  Node schema = Node::object();
  schema.set("type", text_node(type));
  return schema;
}

Node array_of(Node items) {
  Node schema = typed("array");
  schema.set("items", std::move(items));
  return schema;
}

Node any_of(std::vector<Node> schemas) {
  Node schema = Node::object();
  schema.set("anyOf", Node::array(std::move(schemas)));
  return schema;
}

Node constant(Node value) {
  Node schema = Node::object();
  schema.set("const", std::move(value));
  return schema;
}

Node number_schema(const Bounds& bounds) {
  Node schema = typed(bounds.whole ? "integer" : "number");
  if (!bounds.lo.empty()) schema.set("minimum", Node::number(bounds.lo));
  if (!bounds.hi.empty()) schema.set("maximum", Node::number(bounds.hi));
  if (bounds.also.empty()) return schema;
  return any_of({constant(Node::number(bounds.also)), std::move(schema)});
}

/// One form that an object may have: each choice of its tags is a form.
struct Form {
  Node properties = Node::object();
  Node required = Node::array();
};

Node form_schema(Form form) {
  Node schema = typed("object");
  schema.set("properties", std::move(form.properties));
  if (!form.required.items.empty()) schema.set("required", std::move(form.required));
  schema.set("additionalProperties", Node::boolean(false));
  return schema;
}

class Describer final : public FieldVisitor {
 public:
  template <class Fields>
  Node describe_object(Fields fields) {
    std::vector<Form> outer = std::exchange(forms_, std::vector<Form>(1));
    fields();
    std::vector<Form> forms = std::exchange(forms_, std::move(outer));
    if (forms.size() == 1) return form_schema(std::move(forms.front()));
    Node alternatives = Node::array();
    for (Form& form : forms) alternatives.push_back(form_schema(std::move(form)));
    Node schema = Node::object();
    schema.set("oneOf", std::move(alternatives));
    return schema;
  }

  void flag(const Field& field, bool& value) override {
    put(field, typed("boolean"), [&](FieldVisitor& visit) { visit.flag(field, value); });
  }
  void text(const Field& field, std::string& value) override {
    put(field, typed("string"), [&](FieldVisitor& visit) { visit.text(field, value); });
  }
  void integer(const Field& field, std::int64_t& value, const Range<std::int64_t>& range) override {
    put(field, number_schema(bounds(range)), [&](FieldVisitor& visit) { visit.integer(field, value, range); });
  }
  void number(const Field& field, double& value, const Range<double>& range) override {
    put(field, number_schema(bounds(range)), [&](FieldVisitor& visit) { visit.number(field, value, range); });
  }
  void duration(const Field& field, Duration& value, const Range<Duration>& range) override {
    put(field, number_schema(bounds(range, unit_power(field.key))),
        [&](FieldVisitor& visit) { visit.duration(field, value, range); });
  }
  void choice(const Field& field, std::size_t& value, std::span<const Option> options) override {
    Node names = Node::array();
    for (const Option& option : options) names.push_back(text_node(option.name));
    Node schema = Node::object();
    schema.set("enum", std::move(names));
    put(field, std::move(schema), [&](FieldVisitor& visit) { visit.choice(field, value, options); });
  }
  void durations(const Field& field, std::vector<Duration>& values, const Range<Duration>& each) override {
    put(field, array_of(number_schema(bounds(each, unit_power(field.key)))),
        [&](FieldVisitor& visit) { visit.durations(field, values, each); });
  }
  void numbers(const Field& field, std::vector<double>& values, const Range<double>& each) override {
    put(field, array_of(number_schema(bounds(each))), [&](FieldVisitor& visit) { visit.numbers(field, values, each); });
  }
  void texts(const Field& field, std::vector<std::string>& values) override {
    put(field, array_of(typed("string")), [&](FieldVisitor& visit) { visit.texts(field, values); });
  }
  void index_lists(const Field& field, std::vector<std::vector<std::int64_t>>& lists,
                   const Range<std::int64_t>& each) override {
    const Node plain = array_of(number_schema(bounds(each)));
    put(field, any_of({plain, array_of(plain)}), [&](FieldVisitor& visit) { visit.index_lists(field, lists, each); });
  }
  void object(const Field& field, Part& part) override {
    put(field, describe_object([&] { part.fields(*this); }));
  }
  void list(const Field& field, PartList& parts) override {
    const Node value = default_of(field, [&](FieldVisitor& visit) { visit.list(field, parts); });
    parts.resize(0);
    parts.resize(1);
    put(field, array_of(describe_object([&] { parts.fields(0, *this); })), value);
  }
  void map(const Field& field, PartMap& parts) override {
    const Node value = default_of(field, [&](FieldVisitor& visit) { visit.map(field, parts); });
    Node schema = typed("object");
    schema.set("additionalProperties", describe_object([&] { parts.fields("", *this); }));
    put(field, std::move(schema), value);
  }
  void alternatives(const Field& tag, Alternatives& parts) override;
  bool wants(const Field& field, bool set) override {
    if (!set) unset_ = field.key;
    return true;
  }
  void require(bool /*ok*/, std::string_view /*key*/, std::string_view /*expected*/) override {}

 private:
  /// Adds a property, whose default is null for none, to all forms of the object.
  void put(const Field& field, Node schema, Node value = {}) {
    schema.set("description", text_node(field.sentence));
    const bool has_default = value.kind != Kind::null && !field.required && unset_ != field.key;
    if (has_default) schema.set("default", std::move(value));
    unset_ = {};
    for (Form& form : forms_) {
      form.properties.set(std::string{field.key}, schema);
      if (field.required) form.required.push_back(text_node(field.key));
    }
  }
  template <class Show>
  requires std::invocable<Show, FieldVisitor&>
  void put(const Field& field, Node schema, Show show) { put(field, std::move(schema), default_of(field, show)); }

  std::vector<Form> forms_;
  /// The key of the optional field, visited next, that is not set and so has no default.
  std::string unset_;
};

/// Multiplies the forms by the options: each form so far goes on with each option's fields.
void Describer::alternatives(const Field& tag, Alternatives& parts) {
  const std::size_t standard = parts.current();
  const std::vector<Form> before = forms_;
  std::vector<Form> after;
  for (std::size_t i = 0; i < parts.options().size(); ++i) {
    const Option option = parts.options()[i];
    forms_ = before;
    // Without the tag the document means the standard option, and only that.
    put({tag.key, option.sentence, tag.required || i != standard}, constant(text_node(option.name)));
    parts.select(i);
    parts.fields(*this);
    for (Form& form : forms_) after.push_back(std::move(form));
  }
  forms_ = std::move(after);
}

}  // namespace

Node schema(Part& part, std::string_view title) {
  Describer describer;
  Node object = describer.describe_object([&] { part.fields(describer); });
  Node document = Node::object();
  document.set("$schema", text_node("https://json-schema.org/draft/2020-12/schema"));
  document.set("title", text_node(title));
  for (Member& member : object.members) document.set(std::move(member.key), std::move(member.value));
  return document;
}

}  // namespace vecusim::json
