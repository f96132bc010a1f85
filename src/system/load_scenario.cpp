// From what a user names to a scenario: file, preset or result; cost tables merged; --set applied; every problem
// collected.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "system/data_files.hpp"
#include "system/json_assign.hpp"
#include "system/json_fields.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"
#include "system/scenario.hpp"

namespace vecusim {

namespace {

namespace fs = std::filesystem;

struct CostFile {
  std::string schema;
  std::string title;
  std::map<std::string, Cost> values;

  void fields(FieldVisitor& visit) {
    visit.text({"schema", "\"vecusim/costs/1\"", true}, schema);
    visit.require(schema == "vecusim/costs/1", "schema", "\"vecusim/costs/1\"");
    visit.text({"title", "what the table is about"}, title);
    visit.map({"values", "costs by name", true}, values);
  }
};

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Reads a document and notes its hash.
std::optional<json::Node> read_input(const std::string& name, const fs::path& path, LoadedScenario& loaded) {
  if (name == "-") {
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    loaded.inputs.push_back({"-", sha256(text)});
    return json::parse(text, "-", loaded.problems);
  }
  auto document = json::read_file(path.string(), loaded.problems);
  if (document) loaded.inputs.push_back({name, sha256(file_content(path).value_or(""))});
  return document;
}

void add_problem(Problems& problems, const json::Node& at, std::string pointer, std::string expected, std::string found,
                 std::string suggestion = {}) {
  problems.add({.place = at.place,
                .pointer = std::move(pointer),
                .expected = std::move(expected),
                .found = std::move(found),
                .suggestion = std::move(suggestion)});
}

// The document behind a user's word, a result's scenario taken out of it.
json::Node document_of(const std::string& what, LoadedScenario& loaded) {
  std::optional<json::Node> document;
  if (what == "-" || is_file(what)) {
    document = read_input(what, what, loaded);
  } else if (const auto preset = data_file("scenarios", what)) {
    document = read_input(what, *preset, loaded);
  } else {
    const auto names = data_names("scenarios");
    json::Node at;
    at.place.file = std::make_shared<const std::string>(what);
    add_problem(loaded.problems, at, "", "a file, \"-\" or the name of a preset", json::quoted(what),
                nearest(what, names));
  }
  loaded.problems.throw_if_errors();
  const json::Node* schema = document->find("schema");
  if (schema == nullptr || schema->text != "vecusim/result/1") return *std::move(document);
  const json::Node* scenario = document->find("scenario");
  const json::Node* seed = document->find("seed");
  if (scenario == nullptr || scenario->kind != json::Kind::object) {
    add_problem(loaded.problems, *document, "/scenario", "the result's scenario", "nothing");
    loaded.problems.throw_if_errors();
  }
  json::Node repeated = *scenario;
  if (seed != nullptr) json::set(repeated, "/run/seed", *seed, loaded.problems);
  return repeated;
}

// The values of one cost table, named or in a file.
std::optional<json::Node> cost_values(const json::Node& name, const std::string& pointer, const fs::path& beside,
                                      LoadedScenario& loaded) {
  if (name.kind != json::Kind::string) {
    add_problem(loaded.problems, name, pointer, "the name of a cost table or a file", json::shown(name));
    return std::nullopt;
  }
  std::optional<fs::path> path = data_file("validation/costs", name.text);
  if (!path && is_file(beside / name.text)) path = beside / name.text;
  if (!path) {
    const auto names = data_names("validation/costs");
    add_problem(loaded.problems, name, pointer, "the name of a cost table or a file", json::shown(name),
                nearest(name.text, names));
    return std::nullopt;
  }
  const std::size_t before = loaded.problems.errors();
  auto table = read_input(name.text, *path, loaded);
  if (!table) return std::nullopt;
  CostFile file;
  json::read(*table, file, loaded.problems);
  if (loaded.problems.errors() != before) return std::nullopt;
  return *table->find("values");
}

// Replaces a list of table names by the merged values.
void merge_costs(json::Node& document, const fs::path& beside, LoadedScenario& loaded) {
  json::Node* costs = document.find("costs");
  json::Node names;
  if (costs == nullptr) {
    const json::Node* model = json::find(document, "/board/model");
    if (model == nullptr || model->kind != json::Kind::string) return;  // the reader will say so
    names = json::Node::array({*model});
    names.place = model->place;
  } else if (costs->kind == json::Kind::array) {
    names = *costs;
  } else {
    return;
  }
  json::Node merged = json::Node::object();
  merged.place = names.place;
  for (std::size_t i = 0; i < names.items.size(); ++i) {
    const auto values = cost_values(names.items[i], json::child("/costs", i), beside, loaded);
    if (!values) continue;
    for (const json::Member& member : values->members) merged.set(member.key, member.value);
  }
  document.set("costs", std::move(merged));
}

void apply(const Settings& settings, bool tables, json::Node& document, Problems& problems) {
  for (const std::string& setting : settings) {
    Problems unsaid;
    auto assignment = json::parse_assignment(setting, tables ? problems : unsaid);
    if (!assignment || (assignment->pointer == "/costs") != tables) continue;
    json::set(document, assignment->pointer, std::move(assignment->value), problems);
  }
}

}  // namespace

LoadedScenario load_scenario(std::string_view what, const Settings& settings) {
  LoadedScenario loaded;
  loaded.name = what;
  loaded.document = document_of(loaded.name, loaded);
  // Which tables are used is set before they are merged, everything else in what results.
  apply(settings, true, loaded.document, loaded.problems);
  const fs::path beside = is_file(loaded.name) ? fs::path(loaded.name).parent_path() : fs::path{};
  merge_costs(loaded.document, beside, loaded);
  apply(settings, false, loaded.document, loaded.problems);
  json::read(loaded.document, loaded.scenario, loaded.problems);
  if (!loaded.problems.has_errors()) check(loaded.scenario, loaded.document, loaded.problems);
  loaded.problems.throw_if_errors();
  return loaded;
}

Scenario with_values(const LoadedScenario& base, const std::vector<std::pair<std::string, json::Node>>& values) {
  json::Node document = base.document;
  Problems problems;
  for (const auto& [pointer, value] : values) json::set(document, pointer, value, problems);
  Scenario scenario;
  json::read(document, scenario, problems);
  if (!problems.has_errors()) check(scenario, document, problems);
  problems.throw_if_errors();
  return scenario;
}

std::vector<std::string> presets() { return data_names("scenarios"); }

}  // namespace vecusim
