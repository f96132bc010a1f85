// vecusim: parses verb and options, calls the verb, and maps every way to end to an exit status.
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <boost/program_options.hpp>

#include "analysis/result.hpp"
#include "analysis/trials.hpp"
#include "app/commands.hpp"
#include "app/help.hpp"
#include "system/json_node.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"
#include "system/problem.hpp"

namespace {

using namespace vecusim;
namespace po = boost::program_options;

std::string version() { return "vecusim " + std::string(tool_version()); }

std::vector<OptionText> options_of(const Verb& verb) {
  std::vector<OptionText> options = verb.options;
  options.insert(options.end(), general_options().begin(), general_options().end());
  return options;
}

po::options_description description_of(const std::vector<OptionText>& options) {
  po::options_description description;
  for (const OptionText& option : options) {
    std::string name(option.name);
    if (option.letter != 0) name += std::string(",") + option.letter;
    if (option.argument.empty()) {
      description.add_options()(name.c_str(), "");
    } else {
      description.add_options()(name.c_str(), po::value<std::vector<std::string>>(), "");
    }
  }
  return description;
}

std::string unknown_option(const Verb& verb, const std::vector<OptionText>& options, const std::string& given) {
  std::vector<std::string> names;
  names.reserve(options.size());
  for (const OptionText& option : options) names.push_back("--" + std::string(option.name));
  const std::string name = given.substr(0, given.find('='));
  return "unknown option \"" + name + "\" of " + std::string(verb.name) + did_you_mean(name, names);
}

Arguments parse(const Verb& verb, const std::vector<std::string>& words) {
  const auto options = options_of(verb);
  const auto description = description_of(options);
  // No abbreviations: a script must not change its meaning when an option is added.
  constexpr int kStyle = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  Arguments arguments;
  try {
    for (const auto& option : po::command_line_parser(words).options(description).style(kStyle).run().options) {
      if (option.string_key.empty()) {
        arguments.operands.insert(arguments.operands.end(), option.value.begin(), option.value.end());
      } else {
        auto& values = arguments.options[option.string_key];
        values.insert(values.end(), option.value.begin(), option.value.end());
      }
    }
  } catch (const po::unknown_option& error) {
    throw UsageError(unknown_option(verb, options, error.get_option_name()));
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  return arguments;
}

void check_operands(const Verb& verb, const std::vector<std::string>& operands) {
  if (operands.size() < verb.least_operands) {
    throw UsageError(std::string(verb.name) + ": expected " + std::string(verb.operands) + ", found nothing");
  }
  if (operands.size() > verb.most_operands) {
    throw UsageError(std::string(verb.name) + ": unexpected \"" + operands[verb.most_operands] + "\"");
  }
}

Console::Style style_of(const Arguments& arguments) {
  const auto progress = arguments.word("progress", {"auto", "on", "off"}).value_or("auto");
  const char* no_color = std::getenv("NO_COLOR");
  Console::Style style;
  style.quiet = arguments.has("quiet");
  style.verbose = arguments.has("verbose");
  style.colour = is_terminal_output() && !arguments.has("no-color") && (no_color == nullptr || *no_color == '\0');
  style.progress = progress == "on" || (progress == "auto" && is_terminal_error() && !style.quiet);
  return style;
}

Status run(const Verb& verb, const std::vector<std::string>& words, Interrupts& interrupts) {
  const Arguments arguments = parse(verb, words);
  Console console(style_of(arguments));
  if (arguments.has("help")) {
    console.data(help(verb));
    return Status::done;
  }
  check_operands(verb, arguments.operands);
  try {
    return verb.run({arguments, console, interrupts});
  } catch (const InvalidInput& error) {
    if (arguments.has("json")) {
      console.data(json::pretty(error.problems().to_json()));
    } else {
      Console::error(error.problems().text());
    }
    return Status::invalid;
  }
}

Status run(const std::vector<std::string>& words, Interrupts& interrupts) {
  if (words.empty()) {
    Console::error(overview());
    return Status::usage;
  }
  const std::string& first = words.front();
  if (first == "--help" || first == "-h" || first == "--version") {
    Console({}).data(first == "--version" ? version() + "\n" : overview());
    return Status::done;
  }
  if (const Verb* verb = find_verb(first)) return run(*verb, {words.begin() + 1, words.end()}, interrupts);
  if (first.starts_with('-')) throw UsageError("expected a verb, found the option \"" + first + "\"");
  throw UsageError("unknown verb \"" + first + "\"" + did_you_mean(first, verb_names()));
}

/// Everything that can end a verb, as a status.
int guarded(const std::vector<std::string>& words, Interrupts& interrupts) {
  Status status = Status::bug;
  try {
    status = run(words, interrupts);
  } catch (const Interrupted&) {
    return interrupts.status();
  } catch (const UsageError& error) {
    std::string text = error.what();
    while (text.ends_with('\n')) text.pop_back();  // of problems, which are lines
    Console::error("vecusim: " + text + "\nTry `vecusim --help`.\n");
    status = Status::usage;
  } catch (const OutputError& error) {
    Console::error("vecusim: " + std::string(error.what()) + "\n");
    status = Status::invalid;
  } catch (const std::system_error& error) {
    // What the machine refused: a folder that cannot be looked into, a thread.
    Console::error("vecusim: " + std::string(error.what()) + "\n");
    status = Status::invalid;
  } catch (const std::bad_alloc&) {
    Console::error("vecusim: out of memory\n");
    status = Status::invalid;
  } catch (const std::exception& error) {
    Console::error("vecusim: this is a bug in " + version() + ", please report it: " + std::string(error.what()) +
                   "\n");
  }
  return static_cast<int>(status);
}

}  // namespace

int main(int argc, char** argv) {
  prepare_standard_streams();
  Interrupts interrupts;
  return guarded({argv + 1, argv + argc}, interrupts);
}
