// `vecusim import`: what files of other tools say, as a summary, samples or a scenario.
#include <array>
#include <optional>

#include "analysis/import.hpp"
#include "analysis/text_records.hpp"
#include "analysis/xl_scenario.hpp"
#include "app/commands.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

namespace vecusim {

namespace {

/// "50ms", "2us".
Duration duration_option(std::string_view option, const std::string& text) {
  struct Unit {
    std::string_view suffix;
    int digits;
  };
  constexpr std::array<Unit, 4> kUnits = {{{"ns", 3}, {"us", 6}, {"ms", 9}, {"s", 12}}};
  for (const Unit& unit : kUnits) {
    if (!text.ends_with(unit.suffix)) continue;
    const auto value = parse_duration(std::string_view(text).substr(0, text.size() - unit.suffix.size()), unit.digits);
    if (value) return *value;
  }
  throw UsageError("--" + std::string(option) + ": expected a time with its unit, as 50ms, found \"" + text + "\"");
}

std::uint16_t channel(std::string_view text) {
  constexpr std::uint64_t kMost = 1023;
  const auto number = parse_number(text);
  if (!number || *number > kMost) {
    throw UsageError("--channels: expected two indices from 0, as 0,1, found \"" + std::string(text) + "\"");
  }
  return static_cast<std::uint16_t>(*number);
}

ImportOptions import_options(const Arguments& arguments) {
  ImportOptions options;
  if (const auto text = arguments.text("channels")) {
    const std::size_t comma = text->find(',');
    options.pairing.stimulus = channel(std::string_view(*text).substr(0, comma));
    options.pairing.response = channel(comma == std::string::npos ? "" : std::string_view(*text).substr(comma + 1));
  }
  if (const auto edge = arguments.word("edge", {"rise", "fall", "both"})) {
    options.pairing.rise = *edge == "both" ? std::nullopt : std::optional(*edge == "rise");
  }
  if (const auto text = arguments.text("timeout")) options.pairing.timeout = duration_option("timeout", *text);
  if (const auto text = arguments.text("min-gap")) options.pairing.min_gap = duration_option("min-gap", *text);
  constexpr std::uint64_t kMostHz = 100'000'000'000;
  if (const auto hz = arguments.number("counter-hz", 1, kMostHz)) options.counter_hz = static_cast<double>(*hz);
  return options;
}

std::string scenario_of(const std::vector<Imported>& files, const Console& console) {
  std::vector<XlReading> outputs;
  std::vector<XlConfig> configs;
  for (const Imported& file : files) {
    if (file.xl) outputs.push_back(*file.xl);
    if (file.config) configs.push_back(*file.config);
  }
  if (outputs.size() + configs.size() != files.size()) {
    throw UsageError("--as scenario: expected what xl prints, and configurations of domains, alone");
  }
  const XlScenario scenario = make_scenario(outputs, configs);
  for (const std::string& sentence : scenario.unknown) console.note("not known: " + sentence + "\n");
  return json::pretty(scenario.document);
}

std::string samples_of(const std::vector<Imported>& files, bool as_json) {
  if (files.size() != 1) throw UsageError("--as samples: expected one FILE");
  const std::string csv = samples_csv(files.front());
  if (csv.empty()) {
    throw InvalidInput(Problem{{std::make_shared<const std::string>(files.front().name), 1, 1},
                               {},
                               "latencies one by one, or counted",
                               std::string(files.front().form->sentence) + " without any"});
  }
  return as_json ? json::pretty(samples_json(files.front())) : csv;
}

std::string chosen(const Arguments& arguments, const std::vector<Imported>& files) {
  if (const auto as = arguments.word("as", {"summary", "samples", "scenario"})) return *as;
  if (!arguments.has("output")) return "summary";
  return files.front().xl || files.front().config ? "scenario" : "samples";
}

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  const std::vector<Imported> files = import_files(arguments.operands, import_options(arguments));
  const bool as_json = arguments.has("json");
  const std::string as = chosen(arguments, files);
  Problems problems;
  for (const Imported& file : files) problems.append(file.problems);
  if (as == "summary") {
    const std::string text = as_json ? json::pretty(to_json(files)) : to_text(files);
    if (const auto output = arguments.text("output")) {
      write_file(*output, text);
    } else {
      session.console.data(text);
    }
    if (problems.has_errors()) {
      if (!as_json) Console::error(problems.text());
      return Status::invalid;
    }
  } else {
    problems.throw_if_errors();
    const std::string text = as == "scenario" ? scenario_of(files, session.console) : samples_of(files, as_json);
    if (const auto output = arguments.text("output")) {
      write_file(*output, text);
    } else {
      session.console.data(text);
    }
  }
  session.console.note(problems.text());
  return Status::done;
}

}  // namespace

Verb import_verb() {
  return {
      .name = "import",
      .operands = "FILE…",
      .sentence =
          "reads what other tools wrote, told by its content (cyclictest, OSADL, rtla, logic analysers, xentrace, "
          "ftrace, xl and its configurations, captures), and gives a summary, samples or a scenario; exit status 3 on "
          "a record that cannot be read",
      .least_operands = 1,
      .most_operands = kAnyNumber,
      .options =
          {{.name = "as",
            .argument = "WHAT",
            .sentence = "summary, samples (CSV for --data, of a capture its times; with --json every series), or "
                        "scenario (of xl's files); with -o alone samples or scenario"},
           {.name = "output", .letter = 'o', .argument = "OUT", .sentence = "the file to write"},
           {.name = "channels",
            .argument = "OUT,IN",
            .sentence = "of a logic analyser: the stimulus and the response, from 0; without it 0,1"},
           {.name = "edge", .argument = "EDGE", .sentence = "which edges count: rise (without it), fall or both"},
           {.name = "timeout", .argument = "TIME", .sentence = "an answer that comes later (50ms) is none"},
           {.name = "min-gap", .argument = "TIME", .sentence = "an edge that follows another sooner is a bounce"},
           {.name = "counter-hz",
            .argument = "N",
            .sentence = "xentrace: the frequency of the counter, where the trace does not tell it"}},
      .examples = {{{"import hist.txt", "n, min, mean, percentiles and max of each thread of a cyclictest"},
                    {"import trace.bin --json", "each vCPU's run, wait and sleep times as vecusim/import/1"},
                    {"import info.txt vcpus.txt sched.txt domu.cfg --as scenario -o board.json",
                     "what xl info, vcpu-list and sched-credit2 print, and a guest's xl.cfg, as a scenario"}}},
      .run = run};
}

}  // namespace vecusim
