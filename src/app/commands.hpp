// The verbs of the program: what each is called, what it takes, how it is explained, and the function that does it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/arguments.hpp"
#include "app/console.hpp"
#include "app/interrupts.hpp"

namespace vecusim {

/// How the program ends, apart from an interrupt.
enum class Status {
  done = 0,   ///< as expected
  unmet = 1,  ///< a requirement, expectation or validation is not met
  usage = 2,
  invalid = 3,  ///< an input cannot be used, or the machine refused a file or memory
  bug = 4,
};

/// One option, as its help shows it. `name` is without dashes; an empty `argument` makes it a switch.
struct OptionText {
  std::string_view name;
  char letter = 0;
  std::string_view argument = {};
  std::string_view sentence;
};

struct Example {
  /// What follows the program's name; a line that a shell understands.
  std::string_view command;
  std::string_view sentence;
};

/// What a verb works with.
struct Session {
  const Arguments& arguments;
  Console& console;
  Interrupts& interrupts;
};

struct Verb {
  std::string_view name;
  /// "SCENARIO…"
  std::string_view operands;
  std::string_view sentence;
  std::size_t least_operands = 0;
  std::size_t most_operands = 0;
  /// Without those of every verb.
  std::vector<OptionText> options;
  std::array<Example, 3> examples;
  Status (*run)(const Session& session);
};

inline constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

/// All verbs, in the order of the overview.
const std::vector<Verb>& verbs();
/// Null if there is none of that name.
const Verb* find_verb(std::string_view name);
std::vector<std::string> verb_names();

/// The options of every verb.
std::span<const OptionText> general_options();
/// The options of every verb that simulates; they belong at the end of its own.
std::vector<OptionText> with_experiment_options(std::vector<OptionText> options);

// One file each, command_NAME.cpp.
Verb run_verb();
Verb sweep_verb();
Verb calibrate_verb();
Verb validate_verb();
Verb merge_verb();
Verb compare_verb();
Verb report_verb();
Verb plan_verb();
Verb explain_verb();
Verb export_verb();
Verb import_verb();
Verb check_verb();
Verb init_verb();
Verb list_verb();
Verb schema_verb();
Verb policy_verb();

}  // namespace vecusim
