// The list of verbs, and the options that many share.
#include "app/commands.hpp"

#include <algorithm>

namespace vecusim {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {run_verb(),      sweep_verb(),   merge_verb(),  calibrate_verb(),
                                        validate_verb(), compare_verb(), report_verb(), plan_verb(),
                                        explain_verb(),  export_verb(),  check_verb(),  init_verb(),
                                        list_verb(),     schema_verb(),  policy_verb(), import_verb()};
  return all;
}

const Verb* find_verb(std::string_view name) {
  const auto found = std::find_if(verbs().begin(), verbs().end(), [&](const Verb& verb) { return verb.name == name; });
  return found == verbs().end() ? nullptr : &*found;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) names.emplace_back(verb.name);
  return names;
}

std::span<const OptionText> general_options() {
  static constexpr std::array kOptions = {
      OptionText{.name = "json", .sentence = "one JSON document on standard output, also for problems of an input"},
      OptionText{.name = "quiet", .letter = 'q', .sentence = "no warnings, remarks or progress"},
      OptionText{.name = "verbose", .letter = 'v', .sentence = "say what is done, and how long it took"},
      OptionText{.name = "no-color", .sentence = "no colours, as with NO_COLOR in the environment"},
      OptionText{.name = "help", .letter = 'h', .sentence = "this text"},
  };
  return kOptions;
}

std::vector<OptionText> with_experiment_options(std::vector<OptionText> options) {
  const std::array shared = {
      OptionText{.name = "set",
                 .argument = "PTR=VALUE",
                 .sentence = "put a value at a JSON pointer of the scenario; may be repeated"},
      OptionText{.name = "seed", .argument = "N", .sentence = "instead of the scenario's /run/seed"},
      OptionText{.name = "reps", .argument = "N", .sentence = "replications, instead of /run/replications"},
      OptionText{.name = "jobs",
                 .letter = 'j',
                 .argument = "N",
                 .sentence = "threads; without it one for each processor; results do not depend on it"},
      OptionText{.name = "progress",
                 .argument = "WHEN",
                 .sentence = "a bar on standard error: auto (on a terminal), on or off"},
  };
  options.insert(options.end(), shared.begin(), shared.end());
  return options;
}

}  // namespace vecusim
