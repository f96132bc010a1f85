// Identities as JSON texts, and where two of them part.
#include "analysis/sweep_identity.hpp"

#include <algorithm>
#include <optional>

#include "system/json_fields.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/utf8.hpp"

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

/// What comes of a long text from shortly before the place where it parts from the other on.
std::string shown_from(const std::string& text, std::size_t parting) {
  constexpr std::size_t kBefore = 8;
  constexpr std::size_t kShown = 40;
  std::size_t from = parting > kBefore ? parting - kBefore : 0;
  const auto within_character = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
  while (from > 0 && within_character(from)) --from;
  return (from > 0 ? "…" : "") + utf8_cut(std::string_view(text).substr(from), kShown);
}

/// Two values that are not the same, each so that the difference shows where their short forms are alike.
std::pair<std::string, std::string> told_apart(const json::Node* a, const json::Node* b) {
  std::pair<std::string, std::string> texts{shown(a), shown(b)};
  if (texts.first != texts.second || a == nullptr || b == nullptr) return texts;
  if (a->kind == json::Kind::array && a->items.size() != b->items.size()) {
    return {"an array of " + std::to_string(a->items.size()), "an array of " + std::to_string(b->items.size())};
  }
  const std::string one = json::compact(*a);
  const std::string other = json::compact(*b);
  const auto parting = std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin();
  return {shown_from(one, static_cast<std::size_t>(parting)), shown_from(other, static_cast<std::size_t>(parting))};
}

Problem scenario_problem(const std::string& file, const std::string& wanted, const std::string& found) {
  const json::Node ours = parsed(wanted);
  const json::Node theirs = parsed(found);
  const std::string pointer = difference(ours, theirs, "").value_or("");
  const auto [expected, given] = told_apart(json::find(theirs, pointer), json::find(ours, pointer));
  return {{}, pointer, expected + ", as in the sweep of " + file, given};
}

const json::Node* named(const json::Node& inputs, const std::string& name) {
  const auto at = std::find_if(inputs.items.begin(), inputs.items.end(),
                               [&](const json::Node& input) { return input.find("name")->text == name; });
  return at == inputs.items.end() ? nullptr : &*at;
}

/// The first input of one that the other does not have in the same form.
std::string changed_input(const json::Node& ours, const json::Node& theirs) {
  for (const json::Node& input : ours.items) {
    const std::string& name = input.find("name")->text;
    const json::Node* other = named(theirs, name);
    if (other == nullptr) return name + ", which that sweep did not read";
    if (json::compact(input) != json::compact(*other)) return name + " with another content";
  }
  for (const json::Node& input : theirs.items) {
    const std::string& name = input.find("name")->text;
    if (named(ours, name) == nullptr) return "no " + name + ", which that sweep read";
  }
  return "them in another order";
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
  return {{"schema", std::string(kStoreSchema)},
          {"program", std::string(tool_version())},
          {"scenario", json::pretty(document)},
          {"inputs", json::pretty(inputs_of(sweep.base.inputs))},
          {"varied", json::compact(varied)}};
}

void check_schema(const std::string& file, const std::map<std::string, std::string>& found) {
  const auto entry = found.find("schema");
  const std::string theirs = entry == found.end() ? "none" : entry->second;
  if (theirs == kStoreSchema) return;
  throw InvalidInput(Problem{{},
                             "",
                             "a sweep in the form " + std::string(kStoreSchema) + ", which this program goes on with",
                             file + " in the form " + theirs + ": --out with a new file computes it anew"});
}

void check_identity(const std::string& file, const std::map<std::string, std::string>& wanted,
                    const std::map<std::string, std::string>& found) {
  check_schema(file, found);
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
                    changed_input(parsed(value), parsed(theirs))});
    } else {
      const std::string there = theirs.empty() ? "none" : theirs;
      problems.add(
          {{}, "", std::string(name).append(" ").append(there).append(", as in the sweep of ").append(file), value});
    }
  }
  problems.throw_if_errors();
}

bool has_values(const SweepPoint& point, const std::vector<std::pair<std::string, json::Node>>& values) {
  const auto same = [](const json::Node& a, const json::Node& b) {
    return json::compact(canonical(a)) == json::compact(canonical(b));
  };
  return std::all_of(values.begin(), values.end(), [&](const auto& wanted) {
    return std::any_of(point.values.begin(), point.values.end(), [&](const auto& value) {
      return value.first == wanted.first && same(value.second, wanted.second);
    });
  });
}

std::string key_of(const SweepPoint& point) {
  auto values = point.values;
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  json::Node key = json::Node::object();
  for (const auto& [pointer, value] : values) key.set(pointer, canonical(value));
  return json::compact(key);
}

}  // namespace vecusim
