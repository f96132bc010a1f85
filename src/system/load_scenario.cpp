// From what a user names to a scenario: file, preset or result; cost tables merged; --set applied; every problem
// collected.
#include <algorithm>
#include <filesystem>

#include "system/data_files.hpp"
#include "system/json_assign.hpp"
#include "system/json_fields.hpp"
#include "system/json_parse.hpp"
#include "system/json_pointer.hpp"
#include "system/json_print.hpp"
#include "system/load_board.hpp"
#include "system/load_capture.hpp"
#include "system/load_times.hpp"
#include "system/nearest.hpp"
#include "system/scenario.hpp"
#include "system/scenario_input.hpp"
#include "system/scenario_text.hpp"

namespace vecusim {

namespace {

namespace fs = std::filesystem;

struct CostFile {
  std::string schema;
  std::string title;
  Costs values;

  void fields(FieldVisitor& visit) {
    visit.text({"schema", "\"vecusim/costs/1\"", true}, schema);
    visit.require(schema == "vecusim/costs/1", "schema", "\"vecusim/costs/1\"");
    visit.text({"title", "what the table is about"}, title);
    values.fields(visit, {"values", "costs by name", true});
  }
};

// The scenario of a result document, with its seed; another document as it is.
json::Node out_of_result(json::Node document, LoadedScenario& loaded) {
  const json::Node* schema = document.find("schema");
  if (schema == nullptr || schema->text != "vecusim/result/1") return document;
  const json::Node* scenario = document.find("scenario");
  const json::Node* seed = document.find("seed");
  if (scenario == nullptr || scenario->kind != json::Kind::object) {
    add_problem(loaded.problems, document, "/scenario", "the result's scenario", "nothing");
    loaded.problems.throw_if_errors();
  }
  json::Node repeated = *scenario;
  if (seed != nullptr) json::set(repeated, "/run/seed", *seed, loaded.problems);
  return repeated;
}

// The document behind a user's word.
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
  return *std::move(document);
}

// The values of one cost table, named or in a file.
std::optional<json::Node> cost_values(const json::Node& name, const std::string& pointer, const fs::path& beside,
                                      LoadedScenario& loaded) {
  if (name.kind != json::Kind::string) {
    add_problem(loaded.problems, name, pointer, "the name of a cost table or a file", json::shown(name));
    return std::nullopt;
  }
  std::optional<fs::path> path = data_file("validation/costs", name.text);
  if (const fs::path file = named_file(name, beside); !path && is_file(file)) path = file;
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

// Replaces a list of table names by the merged values. Without a list it is the board's own.
void merge_costs(json::Node& document, const BoardTables& board, fs::path beside, LoadedScenario& loaded) {
  json::Node* costs = document.find("costs");
  json::Node names;
  if (costs == nullptr && board.costs) {
    names = *board.costs;
    beside = board.folder;
  } else if (costs == nullptr) {
    const json::Node* model = json::find(document, "/board/model");
    if (model == nullptr || model->kind != json::Kind::string) return;  // the reader will say so
    if (model->text == "file") {
      if (!board.read) return;  // what is wrong with it has been said
      add_problem(loaded.problems, *model, "/costs", "names or files of cost tables, as the board's file has none",
                  "nothing");
      return;
    }
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

bool names_files(std::string_view pointer) {
  return pointer == "/costs" || pointer == "/board" || pointer == "/board/model" || pointer == "/board/path" ||
         names_times(pointer) || names_capture(pointer);
}

// What says which files are read is set before they are, everything else in what results. Interrupts and the network
// are set before as a whole, so that what replaces a part and what changes it keep their order.
bool set_before_files(std::string_view pointer) {
  return names_files(pointer) || (pointer.starts_with("/interrupts/") && !within_times(pointer)) ||
         (pointer.starts_with("/network/") && !within_capture(pointer));
}

// A part of a cost that is not there would make one of it alone. False if that has been reported.
bool has_cost(const json::Node& document, std::string_view pointer, const json::Node& value, Problems& problems) {
  const auto tokens = json::parse_pointer(pointer);
  const json::Node* costs = document.find("costs");
  if (!tokens || tokens->size() < 3 || tokens->front() != "costs" || costs == nullptr) return true;
  if (costs->kind != json::Kind::object || costs->find((*tokens)[1]) != nullptr) return true;
  std::vector<std::string> names;
  for (const json::Member& cost : costs->members) names.push_back(cost.key);
  add_problem(problems, value, json::child("/costs", (*tokens)[1]), "a cost that the scenario has",
              json::quoted((*tokens)[1]), nearest((*tokens)[1], names));
  return false;
}

void apply(const Settings& settings, bool files, json::Node& document, Problems& problems) {
  for (const std::string& setting : settings) {
    Problems unsaid;
    auto assignment = json::parse_assignment(setting, files ? problems : unsaid);
    if (!assignment || set_before_files(assignment->pointer) != files) continue;
    if (!files && !has_cost(document, assignment->pointer, assignment->value, problems)) continue;
    json::set(document, assignment->pointer, std::move(assignment->value), problems);
    if (assignment->pointer == "/board/path") forget_board(document);
    forget_times(document, assignment->pointer);
    forget_capture(document, assignment->pointer);
  }
}

// Where a scenario is: the files it names are looked for beside it.
fs::path folder_of(const std::string& what) {
  if (is_file(what)) return fs::path(what).parent_path();
  const auto preset = data_file("scenarios", what);
  return preset ? preset->parent_path() : fs::path{};
}

// The parts of a scenario that can be read without the others. False if this is none.

template <class T>
bool read_anew(const json::Node& node, T& part, Problems& problems) {
  part = T{};
  json::read(node, part, problems);
  return true;
}

template <class T>
bool read_anew(const json::Node& node, std::vector<T>& parts, Problems& problems) {
  parts.clear();
  for (const json::Node& item : node.items) read_anew(item, parts.emplace_back(), problems);
  return node.kind == json::Kind::array;
}

bool read_part(std::string_view key, const json::Node& node, Scenario& scenario, Problems& problems) {
  if (key == "board") return read_anew(node, scenario.board, problems);
  if (key == "hypervisor") return read_anew(node, scenario.hypervisor, problems);
  if (key == "domains") return read_anew(node, scenario.domains, problems);
  if (key == "interrupts") return read_anew(node, scenario.interrupts, problems);
  if (key == "run") return read_anew(node, scenario.run, problems);
  return false;
}

// Whether something of it is not as in its document; then a part that may be short for others is not read alone.
bool written_out(const LoadedScenario& base) {
  const json::Node* interrupts = base.document.find("interrupts");
  return interrupts != nullptr && interrupts->items.size() != base.scenario.interrupts.size();
}

// Most points of a large sweep are valid and touch one part of the scenario, or costs: then only these are read. Empty
// if that is not so, or if anything is wrong: what and where tells the whole document.
std::optional<Scenario> with_parts(const LoadedScenario& base,
                                   const std::vector<std::pair<std::string, json::Node>>& values) {
  Scenario scenario = base.scenario;
  json::Node touched = json::Node::object();
  Problems problems;
  for (const auto& [pointer, value] : values) {
    const auto tokens = json::parse_pointer(pointer);
    if (!tokens || tokens->size() < 2 || names_files(pointer)) return std::nullopt;
    const bool cost = tokens->front() == "costs";
    if (!cost && tokens->front() != "board" && tokens->front() != "run" && written_out(base)) return std::nullopt;
    const std::string part = json::child(cost ? "/costs" : "", cost ? (*tokens)[1] : tokens->front());
    const json::Node* before = json::find(base.document, part);
    if (before == nullptr) return std::nullopt;
    if (touched.find(part) == nullptr) touched.set(part, *before);
    json::set(*touched.find(part), pointer.substr(part.size()), value, problems);
  }
  for (const json::Member& part : touched.members) {
    const auto tokens = json::parse_pointer(part.key).value();
    const bool read = tokens.size() > 1 ? read_anew(part.value, scenario.costs[tokens[1]], problems)
                                        : read_part(tokens.front(), part.value, scenario, problems);
    if (!read) return std::nullopt;
  }
  scenario.write_out();
  if (!problems.has_errors()) check(scenario, base.document, problems);
  if (problems.has_errors()) return std::nullopt;
  return scenario;
}

// What is named is read, what is set is set; `beside`: where the files are that the document names.
LoadedScenario complete(LoadedScenario loaded, const fs::path& beside, const Settings& settings) {
  loaded.document = out_of_result(std::move(loaded.document), loaded);
  apply(settings, true, loaded.document, loaded.problems);
  const BoardTables board = merge_board(loaded.document, beside, loaded);
  merge_costs(loaded.document, board, beside, loaded);
  merge_times(loaded.document, beside, loaded);
  merge_captures(loaded.document, beside, loaded);
  apply(settings, false, loaded.document, loaded.problems);
  json::read(loaded.document, loaded.scenario, loaded.problems);
  loaded.scenario.costs.share();
  loaded.scenario.write_out();
  if (!loaded.problems.has_errors()) check(loaded.scenario, loaded.document, loaded.problems);
  loaded.problems.throw_if_errors();
  return loaded;
}

}  // namespace

LoadedScenario load_scenario(std::string_view what, const Settings& settings) {
  LoadedScenario loaded;
  loaded.name = what;
  loaded.document = document_of(loaded.name, loaded);
  const fs::path beside = folder_of(loaded.name);
  return complete(std::move(loaded), beside, settings);
}

LoadedScenario load_scenario_text(std::string_view text, std::string_view name, const Settings& settings) {
  LoadedScenario loaded;
  loaded.name = name;
  auto document = json::parse(text, name, loaded.problems);
  loaded.problems.throw_if_errors();
  loaded.document = *std::move(document);
  loaded.inputs.push_back({loaded.name, sha256(text)});
  return complete(std::move(loaded), {}, settings);
}

Scenario with_values(const LoadedScenario& base, const std::vector<std::pair<std::string, json::Node>>& values) {
  if (auto scenario = with_parts(base, values)) return *std::move(scenario);
  json::Node document = base.document;
  Problems problems;
  for (const auto& [pointer, value] : values) {
    const bool times = (names_times(pointer) || names_capture(pointer)) && pointer.ends_with("/file");
    if (times || pointer == "/board/path") {
      add_problem(problems, value, pointer,
                  std::string("a value that can vary; the file has been read, vary ") +
                      (times ? "`times_us` beside it" : "/board/spec/…"),
                  json::shown(value));
    }
    if (has_cost(document, pointer, value, problems)) json::set(document, pointer, value, problems);
  }
  Scenario scenario;
  json::read(document, scenario, problems);
  scenario.write_out();
  if (!problems.has_errors()) check(scenario, document, problems);
  problems.throw_if_errors();
  return scenario;
}

std::vector<std::string> presets() { return data_names("scenarios"); }

}  // namespace vecusim
