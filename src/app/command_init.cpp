// `vecusim init`: the scenario file of a preset, or the file of a board, to start from.
#include <optional>

#include "app/commands.hpp"
#include "system/data_files.hpp"
#include "system/json_print.hpp"
#include "system/load_board.hpp"
#include "system/nearest.hpp"
#include "system/output_file.hpp"
#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

namespace {

Status run(const Session& session) {
  const std::string& name = session.arguments.operands.front();
  if (const auto board = board_file_of(name)) {
    session.console.data(json::pretty(*board));
    return Status::done;
  }
  const auto path = data_file("scenarios", name);
  const auto text = path ? file_content(*path) : std::nullopt;
  if (!text) {
    throw InvalidInput(
        Problem{.place = {std::make_shared<const std::string>(name)},
                .pointer = "",
                .expected = "the name of a preset or a board (see `vecusim list presets`, `vecusim list boards`)",
                .found = json::quoted(name),
                .suggestion = nearest(name, presets())});
  }
  session.console.data(*text);
  return Status::done;
}

}  // namespace

Verb init_verb() {
  return {.name = "init",
          .operands = "PRESET|BOARD",
          .sentence = "prints the scenario file of a preset, or the file of a board, to start from",
          .least_operands = 1,
          .most_operands = 1,
          .options = {},
          .examples = {{{"init pi4-native > own.json", "a file to change; `vecusim run own.json` predicts it"},
                        {"init pi4-native | vecusim run -", "the same as `vecusim run pi4-native`"},
                        {"init zcu104 > board.json",
                         "to describe one's own board: {\"model\": \"file\", \"path\": \"board.json\"}"}}},
          .run = run};
}

}  // namespace vecusim
