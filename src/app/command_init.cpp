// `vecusim init`: the scenario file of a preset, or the file of a board, to start from.
#include <optional>

#include "app/commands.hpp"
#include "app/recorded_trace.hpp"
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
  if (const auto trace = open_recorded(session, name)) {
    session.console.data(json::pretty(scenario_of(*trace)));
    return Status::done;
  }
  const auto path = data_file("scenarios", name);
  const auto text = path ? file_content(*path) : std::nullopt;
  if (!text) {
    throw InvalidInput(Problem{
        .place = {std::make_shared<const std::string>(name)},
        .pointer = "",
        .expected = "the name of a preset or a board (see `vecusim list presets`, `vecusim list boards`), or an "
                    "xentrace",
        .found = json::quoted(name),
        .suggestion = nearest(name, presets())});
  }
  session.console.data(*text);
  return Status::done;
}

}  // namespace

Verb init_verb() {
  return {.name = "init",
          .operands = "PRESET|BOARD|TRACE",
          .sentence =
              "prints the scenario file of a preset, the file of a board, or a scenario in which the vCPUs of "
              "an xentrace do again what they did, to start from",
          .least_operands = 1,
          .most_operands = 1,
          .options = {{.name = "counter-hz",
                       .argument = "N",
                       .sentence = "of an xentrace: the frequency of its counter, where it does not tell"}},
          .examples = {{{"init pi4-native > own.json", "a file to change; `vecusim run own.json` predicts it"},
                        {"init trace.bin --counter-hz 54000000 > s.json",
                         "what a machine's xentrace recorded, as a scenario"},
                        {"init zcu104 > board.json",
                         "to describe one's own board: {\"model\": \"file\", \"path\": \"board.json\"}"}}},
          .run = run};
}

}  // namespace vecusim
