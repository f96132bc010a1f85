// `vecusim list`: which boards, hypervisors, schedulers, presets, metrics and costs there are.
#include <array>

#include "analysis/table.hpp"
#include "app/commands.hpp"
#include "app/cost_list.hpp"
#include "app/metric_list.hpp"
#include "hypervisors/catalogue.hpp"
#include "models/board.hpp"
#include "schedulers/catalogue.hpp"
#include "system/json_node.hpp"
#include "system/json_print.hpp"
#include "system/scenario.hpp"
#include "system/utf8.hpp"

namespace vecusim {

namespace {

using json::Node;

template <class Entry>
Node entries(std::span<const Entry> all) {
  Node list = Node::array();
  for (const Entry& entry : all) {
    list.push_back(Node::object({{"name", Node::string(std::string(entry.option.name))},
                                 {"title", Node::string(std::string(entry.option.sentence))}}));
  }
  return list;
}

Node preset_list() {
  Node list = Node::array();
  for (const std::string& name : presets()) {
    list.push_back(
        Node::object({{"name", Node::string(name)}, {"title", Node::string(load_scenario(name).scenario.title)}}));
  }
  return list;
}

struct Group {
  std::string_view name;
  Node (*list)();
};

constexpr std::array kGroups = {
    Group{"boards", [] { return entries(boards()); }},
    Group{"hypervisors", [] { return entries(hypervisors()); }},
    Group{"schedulers", [] { return entries(policies()); }},
    Group{"presets", preset_list},
    Group{"metrics", metric_list},
    Group{"costs", cost_list},
};

// Most values are a number or a short law; a table of quantiles would make its column hundreds wide (--json has it).
std::string in_a_column(const Node& value) {
  if (value.kind != json::Kind::object && value.kind != json::Kind::array) return value.text;
  constexpr std::size_t kWidest = 60;
  return utf8_cut(json::compact(value), kWidest);
}

/// A list as text: its objects' members as columns.
std::string text_of(const Group& group, const Node& list) {
  if (list.items.empty()) return std::string(group.name) + ": none, as the program's folder of data is not there\n";
  std::vector<std::vector<std::string>> rows(1);
  for (const json::Member& member : list.items.front().members) rows.front().push_back(member.key);
  rows.front().front() = group.name;
  for (const Node& item : list.items) {
    std::vector<std::string> row;
    for (const json::Member& member : item.members) row.push_back(in_a_column(member.value));
    rows.push_back(std::move(row));
  }
  return table(rows);
}

Status run(const Session& session) {
  const std::vector<std::string>& operands = session.arguments.operands;
  std::vector<std::string> names;
  names.reserve(std::size(kGroups));
  for (const Group& group : kGroups) names.emplace_back(group.name);
  if (!operands.empty() && std::find(names.begin(), names.end(), operands.front()) == names.end()) {
    throw UsageError("list: no list \"" + operands.front() + "\"" + did_you_mean(operands.front(), names));
  }
  Node document = Node::object({{"schema", Node::string("vecusim/list/1")}});
  std::string text;
  for (const Group& group : kGroups) {
    if (!operands.empty() && operands.front() != group.name) continue;
    const Node& list = document.set(std::string(group.name), group.list());
    text += (text.empty() ? "" : "\n") + text_of(group, list);
  }
  session.console.data(session.arguments.has("json") ? json::pretty(document) : text);
  return Status::done;
}

}  // namespace

Verb list_verb() {
  return {
      .name = "list",
      .operands = "[boards|hypervisors|schedulers|presets|metrics|costs]",
      .sentence = "tells what there is; without an operand, all of it",
      .least_operands = 0,
      .most_operands = 1,
      .options = {},
      .examples = {{{"list presets", "the scenarios that come with vecusim"},
                    {"list costs", "every number of the models that is an estimate or was measured, with its source"},
                    {"list schedulers --json", "the policies, for tools"}}},
      .run = run};
}

}  // namespace vecusim
