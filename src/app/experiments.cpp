// From options to experiments.
#include "app/experiments.hpp"

#include "analysis/limits.hpp"
#include "system/json_assign.hpp"

namespace vecusim {

Settings settings_of(const Arguments& arguments) {
  Settings settings = arguments.all("set");
  Problems problems;
  for (const std::string& setting : settings) json::parse_assignment(setting, problems);
  if (problems.has_errors()) throw UsageError(problems.text());
  return settings;
}

LoadedScenario load(const Session& session, const std::string& what) {
  LoadedScenario loaded = load_scenario(what, settings_of(session.arguments));
  session.console.note(loaded.problems.text());
  return loaded;
}

RunOptions run_options(const Session& session, Progress& progress) {
  const Arguments& arguments = session.arguments;
  RunOptions options;
  options.seed = arguments.number("seed", 0, kMostSeed);
  options.replications = arguments.number("reps", 1, kMostReplications);
  options.parallel.threads = static_cast<unsigned>(arguments.number("jobs", 1, kMostThreads).value_or(0));
  options.parallel.stop = session.interrupts.stop_token();
  options.parallel.progress = [&progress](std::size_t done, std::size_t total) { progress.update(done, total); };
  return options;
}

bool wants_plots(const Arguments& arguments) {
  const auto when = arguments.word("plot", {"auto", "on", "off"}).value_or("auto");
  return when == "on" || (when == "auto" && is_terminal_output());
}

OptionText plot_option() {
  return {.name = "plot",
          .argument = "WHEN",
          .sentence = "histograms and curves of characters below the tables: auto (on a terminal), on or off"};
}

}  // namespace vecusim
