// Reading a board's file.
#include "system/load_board.hpp"

#include "system/json_fields.hpp"
#include "system/json_pointer.hpp"
#include "system/scenario_input.hpp"

namespace vecusim {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchema = "vecusim/board/1";

struct BoardFile {
  std::string schema;
  std::string title;
  std::vector<std::string> costs;
  BoardSpec spec;

  void fields(FieldVisitor& visit) {
    visit.text({"schema", "\"vecusim/board/1\"", true}, schema);
    visit.require(schema == kSchema, "schema", "\"vecusim/board/1\"");
    visit.text({"title", "which board it is"}, title);
    visit.texts({"costs", "cost tables that go with it, by name or as files beside it"}, costs);
    spec.fields(visit);
  }
};

bool describes(std::string_view key) { return key != "schema" && key != "title" && key != "costs"; }

json::Node* file_board(json::Node& document) {
  json::Node* board = document.find("board");
  if (board == nullptr || board->kind != json::Kind::object) return nullptr;
  const json::Node* model = board->find("model");
  return model != nullptr && model->kind == json::Kind::string && model->text == "file" ? board : nullptr;
}

}  // namespace

BoardTables merge_board(json::Node& document, const fs::path& beside, LoadedScenario& loaded) {
  json::Node* board = file_board(document);
  if (board == nullptr || board->find("spec") != nullptr) return {};
  const json::Node* path = board->find("path");
  if (path == nullptr || path->kind != json::Kind::string) return {};  // the reader will say so
  const fs::path file = named_file(*path, beside);
  if (!is_file(file)) {
    add_problem(loaded.problems, *path, "/board/path", "the name of a file that describes a board",
                "\"" + path->text + "\", and there is no " + file.lexically_normal().string());
    return {};
  }
  const std::size_t before = loaded.problems.errors();
  auto described = read_input(path->text, file, loaded);
  if (!described) return {};
  BoardFile content;
  json::read(*described, content, loaded.problems);
  if (loaded.problems.errors() != before) return {};
  json::Node spec = json::Node::object();
  spec.place = described->place;
  for (const json::Member& member : described->members) {
    if (describes(member.key)) spec.set(member.key, member.value);
  }
  BoardTables tables{true, {}, file.parent_path()};
  if (const json::Node* costs = described->find("costs")) tables.costs = *costs;
  board->set("spec", std::move(spec));
  return tables;
}

std::optional<json::Node> board_file_of(std::string_view name) {
  for (const BoardEntry& entry : boards()) {
    const std::unique_ptr<Config> config = entry.config();
    BoardFile file{std::string(kSchema),
                   std::string(entry.option.sentence),
                   {std::string(name)},
                   static_cast<const BoardChoice&>(*config).spec()};
    if (entry.option.name == name && !file.spec.clusters.empty()) return json::write(file);
  }
  return std::nullopt;
}

void forget_board(json::Node& document) {
  json::Node* board = file_board(document);
  if (board != nullptr) board->erase("spec");
}

}  // namespace vecusim
