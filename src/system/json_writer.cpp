// Writes a configuration struct as a JSON tree: all fields in their order.
#include <utility>

#include "system/json_fields.hpp"
#include "system/json_range.hpp"

namespace vecusim::json {
namespace {

Node duration_node(Duration value, int power) { return Node::number(in_unit(value, power)); }

Node index_node(const std::vector<std::int64_t>& indices) {
  Node list = Node::array();
  for (const std::int64_t index : indices) list.push_back(Node::integer(index));
  return list;
}

class Writer final : public FieldVisitor {
 public:
  /// The object that `fields` makes.
  template <class Fields>
  Node write_object(Fields fields) {
    Node object = Node::object();
    Node* const outer = std::exchange(object_, &object);
    fields();
    object_ = outer;
    return object;
  }

  void flag(const Field& field, bool& value) override { put(field, Node::boolean(value)); }
  void text(const Field& field, std::string& value) override { put(field, Node::string(value)); }
  void integer(const Field& field, std::int64_t& value, const Range<std::int64_t>&) override {
    put(field, Node::integer(value));
  }
  void number(const Field& field, double& value, const Range<double>&) override { put(field, Node::floating(value)); }
  void duration(const Field& field, Duration& value, const Range<Duration>&) override {
    put(field, duration_node(value, unit_power(field.key)));
  }
  void choice(const Field& field, std::size_t& value, std::span<const Option> options) override {
    put(field, Node::string(std::string{options[value].name}));
  }
  void durations(const Field& field, std::vector<Duration>& values, const Range<Duration>&) override {
    Node list = Node::array();
    for (const Duration value : values) list.push_back(duration_node(value, unit_power(field.key)));
    put(field, std::move(list));
  }
  void numbers(const Field& field, std::vector<double>& values, const Range<double>&) override {
    Node list = Node::array();
    for (const double value : values) list.push_back(Node::floating(value));
    put(field, std::move(list));
  }
  void texts(const Field& field, std::vector<std::string>& values) override {
    Node list = Node::array();
    for (const std::string& value : values) list.push_back(Node::string(value));
    put(field, std::move(list));
  }
  void index_lists(const Field& field, std::vector<std::vector<std::int64_t>>& lists,
                   const Range<std::int64_t>&) override {
    // One list that is empty keeps both brackets: `[]` are no lists.
    if (lists.size() == 1 && !lists.front().empty()) return put(field, index_node(lists.front()));
    Node outer = Node::array();
    for (const auto& list : lists) outer.push_back(index_node(list));
    put(field, std::move(outer));
  }
  void object(const Field& field, Part& part) override {
    put(field, write_object([&] { part.fields(*this); }));
  }
  void list(const Field& field, PartList& parts) override {
    Node list = Node::array();
    for (std::size_t i = 0; i < parts.size(); ++i) list.push_back(write_object([&] { parts.fields(i, *this); }));
    put(field, std::move(list));
  }
  void map(const Field& field, PartMap& parts) override {
    Node map = Node::object();
    for (const std::string& name : parts.names()) map.set(name, write_object([&] { parts.fields(name, *this); }));
    put(field, std::move(map));
  }
  void alternatives(const Field& tag, Alternatives& parts) override {
    put(tag, Node::string(std::string{parts.options()[parts.current()].name}));
    parts.fields(*this);
  }
  bool wants(const Field& /*field*/, bool set) override { return set; }
  void require(bool /*ok*/, std::string_view /*key*/, std::string_view /*expected*/) override {}

 private:
  void put(const Field& field, Node value) { object_->set(std::string{field.key}, std::move(value)); }

  Node* object_ = nullptr;
};

}  // namespace

Node write(Part& part) {
  Writer writer;
  return writer.write_object([&] { part.fields(writer); });
}

}  // namespace vecusim::json
