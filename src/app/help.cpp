// Help texts, laid out in two columns.
#include "app/help.hpp"

#include <algorithm>

namespace vecusim {

namespace {

constexpr std::size_t kWidth = 99;

/// How many columns a text takes; it is UTF-8 without wide characters.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// `left` from column 2, then the words of `right` from column `indent` on, in as many lines as they need.
std::string entry(std::string_view left, std::string_view right, std::size_t indent) {
  std::string line = "  " + std::string(left);
  std::string text;
  bool fresh = true;
  const auto pad = [&] { line.append(indent - columns(line), ' '); };
  if (columns(line) + 2 > indent && !left.empty()) {
    text = line + "\n";
    line.clear();
  }
  pad();
  while (!right.empty()) {
    const auto word = right.substr(0, right.find(' '));
    right.remove_prefix(std::min(right.size(), word.size() + 1));
    if (!fresh && columns(line) + 1 + columns(word) > kWidth) {
      text += line + "\n";
      line.clear();
      pad();
      fresh = true;
    }
    line += (fresh ? "" : " ") + std::string(word);
    fresh = false;
  }
  return text + line + "\n";
}

std::string option_entry(const OptionText& option) {
  std::string left = option.letter != 0 ? std::string("-") + option.letter + ", " : "    ";
  left += "--" + std::string(option.name);
  if (!option.argument.empty()) left += " " + std::string(option.argument);
  return entry(left, option.sentence, 28);
}

}  // namespace

std::string usage_line(const Verb& verb) {
  std::string line = "vecusim " + std::string(verb.name);
  if (!verb.operands.empty()) line += " " + std::string(verb.operands);
  return line + " [OPTION…]";
}

std::string overview() {
  std::string text =
      "vecusim predicts what a hypervisor does to the timing of an embedded system.\n\n"
      "usage: vecusim VERB … [OPTION…]\n\n";
  for (const Verb& verb : verbs()) {
    text += entry(std::string(verb.name) + " " + std::string(verb.operands), verb.sentence, 28);
  }
  text +=
      "\n`vecusim VERB --help` explains a verb, with three examples. `vecusim --version` tells the version.\n\n"
      "SCENARIO is a file, - for standard input, the name of a preset (`vecusim list presets`), or a\n"
      "result document, whose scenario and seed are repeated. Data goes to standard output, all else to\n"
      "standard error.\n\n"
      "Exit status: 0 done, as expected; 1 a requirement, expectation or validation is not met; 2 usage;\n"
      "3 invalid input, or a file that cannot be written; 4 a bug in vecusim; 130 interrupted.\n";
  return text;
}

std::string help(const Verb& verb) {
  std::string text = "usage: " + usage_line(verb) + "\n\n";
  text += entry("", verb.sentence, 2) + "\noptions:\n";
  for (const OptionText& option : verb.options) text += option_entry(option);
  for (const OptionText& option : general_options()) text += option_entry(option);
  text += "\nexamples:\n";
  for (const Example& example : verb.examples) {
    text += "  vecusim " + std::string(example.command) + "\n" + entry("", example.sentence, 6);
  }
  return text;
}

}  // namespace vecusim
