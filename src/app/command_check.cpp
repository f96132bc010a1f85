// `vecusim check`: every problem of scenarios, and what is allowed but looks wrong.
#include "app/commands.hpp"
#include "app/experiments.hpp"
#include "system/all_problems.hpp"
#include "system/json_node.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

Status run(const Session& session) {
  const Settings settings = settings_of(session.arguments);
  Problems problems;
  for (const std::string& what : session.arguments.operands) {
    problems.append(all_problems([&] { return load_scenario(what, settings); }));
  }
  session.console.data(session.arguments.has("json") ? json::pretty(problems.to_json()) : problems.text());
  if (problems.empty()) return Status::done;
  session.console.note(counted(problems.errors(), "error") + ", " +
                       counted(problems.size() - problems.errors(), "warning") + "\n");
  return problems.has_errors() ? Status::invalid : Status::done;
}

}  // namespace

Verb check_verb() {
  return {.name = "check",
          .operands = "SCENARIO…",
          .sentence =
              "tells every problem of scenarios, and what is allowed but looks wrong; exit status 3 on a "
              "problem, 0 with warnings only",
          .least_operands = 1,
          .most_operands = kAnyNumber,
          .options = {{.name = "set",
                       .argument = "PTR=VALUE",
                       .sentence = "put a value at a JSON pointer of the scenario; may be repeated"}},
          .examples = {{{"check pi4-native", "the file's problems, one a line: FILE:LINE:COLUMN: what and why"},
                        {"check pi4-native pi4-xen-published --json", "the same for tools: vecusim/problems/1"},
                        {"check pi4-native --set /interrupts/0/stimulus/count=10",
                         "whether a change is allowed, and what it makes doubtful"}}},
          .run = run};
}

}  // namespace vecusim
