// Reading the cost tables for `list costs`.
#include "app/cost_list.hpp"

#include "system/data_files.hpp"
#include "system/json_parse.hpp"

namespace vecusim {

namespace {

using json::Node;

Node member(const Node& cost, std::string_view key) {
  const Node* found = cost.find(key);
  return found != nullptr ? *found : Node{};
}

void add_table(const std::string& table, const Node& values, Node& list) {
  for (const json::Member& cost : values.members) {
    list.push_back(Node::object({{"name", Node::string(cost.key)},
                                 {"table", Node::string(table)},
                                 {"value", member(cost.value, cost.value.find("law") != nullptr ? "law" : "value")},
                                 {"unit", member(cost.value, "unit")},
                                 {"range", member(cost.value, "range")},
                                 {"provenance", member(cost.value, "provenance")},
                                 {"source", member(cost.value, "source")}}));
  }
}

}  // namespace

json::Node cost_list() {
  Node list = Node::array();
  for (const std::string& table : data_names("validation/costs")) {
    Problems problems;
    const auto document = json::read_file(data_file("validation/costs", table)->string(), problems);
    problems.throw_if_errors();
    add_table(table, member(*document, "values"), list);
  }
  return list;
}

}  // namespace vecusim
