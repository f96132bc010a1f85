// Identities as JSON texts, and where two of them part.
#include "analysis/sweep_identity.hpp"

#include <algorithm>
#include <optional>

#include "system/json_fields.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

json::Node inputs_of(const std::vector<Input>& inputs) {
  json::Node list = json::Node::array();
  for (const Input& input : inputs) {
    json::Node node = json::Node::object();
    node.set("name", json::Node::string(input.name));
    node.set("sha256", json::Node::string(input.sha256));
    list.items.push_back(std::move(node));
  }
  return list;
}

/// Numbers of one value as one text, whatever way they were written in.
json::Node canonical(const json::Node& value) {
  if (!value.is_number()) return value;
  const auto whole = value.as_int64();
  return whole ? json::Node::integer(*whole) : json::Node::floating(value.as_double());
}

/// The place of the first difference, if there is one.
std::optional<std::string> difference(const json::Node& a, const json::Node& b, const std::string& pointer) {
  if (a.kind == json::Kind::object && b.kind == json::Kind::object) {
    for (const json::Member& member : a.members) {
      const json::Node* other = b.find(member.key);
      if (other == nullptr) return json::child(pointer, member.key);
      if (auto below = difference(member.value, *other, json::child(pointer, member.key))) return below;
    }
    for (const json::Member& member : b.members) {
      if (a.find(member.key) == nullptr) return json::child(pointer, member.key);
    }
    return std::nullopt;
  }
  if (a.kind == json::Kind::array && b.kind == json::Kind::array && a.items.size() == b.items.size()) {
    for (std::size_t i = 0; i < a.items.size(); ++i) {
      if (auto below = difference(a.items[i], b.items[i], json::child(pointer, i))) return below;
    }
    return std::nullopt;
  }
  return json::compact(canonical(a)) == json::compact(canonical(b)) ? std::nullopt : std::optional(pointer);
}

json::Node parsed(const std::string& text) {
  Problems problems;
  return json::parse(text, "", problems).value_or(json::Node{});
}

std::string shown(const json::Node* node) { return node == nullptr ? "nothing" : json::shown(*node); }

Problem scenario_problem(const std::string& file, const std::string& wanted, const std::string& found) {
  const json::Node ours = parsed(wanted);
  const json::Node theirs = parsed(found);
  const std::string pointer = difference(ours, theirs, "").value_or("");
  return {{},
          pointer,
          shown(json::find(theirs, pointer)) + ", as in the sweep of " + file,
          shown(json::find(ours, pointer))};
}

/// The name of the first input that is not there in the same form.
std::string changed_input(const json::Node& ours, const json::Node& theirs) {
  const auto same = [](const json::Node& a, const json::Node& b) { return json::compact(a) == json::compact(b); };
  for (const json::Node& input : ours.items) {
    const auto there = [&](const json::Node& other) { return same(input, other); };
    if (std::none_of(theirs.items.begin(), theirs.items.end(), there)) return input.find("name")->text;
  }
  return "fewer of them";
}

}  // namespace

std::map<std::string, std::string> identity_of(const Sweep& sweep, const RunOptions& options) {
  Scenario scenario = with_options(sweep.base.scenario, options);
  scenario.run.replications = 1;
  json::Node document = json::write(scenario);
  json::Node varied = json::Node::array();
  Problems problems;
  for (const std::string& pointer : sweep.pointers) {
    json::set(document, pointer, {}, problems);
    varied.items.push_back(json::Node::string(pointer));
  }
  return {{"schema", "vecusim/store/1"},
          {"program", std::string(tool_version())},
          {"scenario", json::pretty(document)},
          {"inputs", json::pretty(inputs_of(sweep.base.inputs))},
          {"varied", json::compact(varied)}};
}

void check_identity(const std::string& file, const std::map<std::string, std::string>& wanted,
                    const std::map<std::string, std::string>& found) {
  Problems problems;
  for (const auto& [name, value] : wanted) {
    const auto entry = found.find(name);
    const std::string theirs = entry == found.end() ? "" : entry->second;
    if (theirs == value) continue;
    if (name == "scenario") {
      problems.add(scenario_problem(file, value, theirs));
    } else if (name == "inputs") {
      problems.add({{},
                    "",
                    "the inputs that the sweep of " + file + " was computed from",
                    "another " + changed_input(parsed(value), parsed(theirs))});
    } else {
      const std::string there = theirs.empty() ? "none" : theirs;
      problems.add(
          {{}, "", std::string(name).append(" ").append(there).append(", as in the sweep of ").append(file), value});
    }
  }
  problems.throw_if_errors();
}

std::string key_of(const SweepPoint& point) {
  auto values = point.values;
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  json::Node key = json::Node::object();
  for (const auto& [pointer, value] : values) key.set(pointer, canonical(value));
  return json::compact(key);
}

}  // namespace vecusim
