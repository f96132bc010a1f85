// `vecusim calibrate`: costs fitted to bench data.
#include <optional>

#include "analysis/calibrate_scenario.hpp"
#include "analysis/limits.hpp"
#include "app/experiments.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

namespace vecusim {

namespace {

void throw_usage_errors(const Problems& problems) {
  if (problems.has_errors()) throw UsageError(problems.text());
}

CalibrationRequest request_of(const Session& session, const RunOptions& options) {
  const Arguments& arguments = session.arguments;
  CalibrationRequest request;
  request.settings = settings_of(arguments);
  request.seed = options.seed;
  request.held_out = arguments.all("holdout");
  request.interrupt = arguments.text("interrupt");
  Problems words;
  for (const std::string& text : arguments.all("data")) request.data.push_back(parse_data_source(text, words));
  for (const std::string& text : arguments.all("propose")) {
    if (auto variation = json::parse_variation(text, words, "--propose")) request.proposals.push_back(*variation);
  }
  throw_usage_errors(words);
  if (request.data.empty()) throw UsageError("calibrate: expected --data FILE, found none");
  if (!arguments.has("fit")) throw UsageError("calibrate: expected --fit PTR=LO:HI, found none");
  request.scenario = load(session, arguments.operands.front());
  Problems problems;
  for (const char* option : {"fit", "prior"}) {
    for (const std::string& text : arguments.all(option)) {
      const auto cost = parse_free_cost(text, request.scenario, std::string_view{option} == "prior", problems);
      if (cost) request.costs.push_back(*cost);
    }
  }
  problems.throw_if_errors();
  return request;
}

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  Progress progress(false);
  const RunOptions options = run_options(session, progress);
  const CalibrationRequest request = request_of(session, options);
  const auto output = arguments.text("output");
  std::optional<OutputFile> file;
  if (output && *output != "-") file.emplace(*output);

  CalibrationOptions fitting;
  fitting.repetitions =
      arguments.number("reps", kLeastFitRepetitions, kMostFitRepetitions).value_or(fitting.repetitions);
  fitting.parallel.threads = options.parallel.threads;
  fitting.parallel.stop = options.parallel.stop;
  Problems warnings;
  const CalibrationProblem problem = calibration_problem(request, options.parallel.stop, warnings);
  session.console.note(warnings.text());
  const Interrupts::Orderly orderly(session.interrupts);
  const Calibration calibration = calibrate_or_refuse(problem, fitting);
  const bool known = calibration.verdict == CalibrationVerdict::identified;
  if (file && known) {
    file->write(json::pretty(cost_table(calibration, request)));
    file->commit();
  } else if (file) {
    session.console.note("no cost table is written: the verdict is \"" + std::string(name_of(calibration.verdict)) +
                         "\"\n");
  }
  session.console.data(arguments.has("json") ? json::pretty(to_json(calibration, request))
                                             : to_text(calibration, session.console.style().colour));
  return known ? Status::done : Status::unmet;
}

}  // namespace

Verb calibrate_verb() {
  return {
      .name = "calibrate",
      .operands = "SCENARIO",
      .sentence =
          "fits costs to bench data, and tells how well the data know each of them; exit status 1 if they do not, or "
          "if rows contradict each other, and no cost table is written then",
      .least_operands = 1,
      .most_operands = 1,
      .options = with_experiment_options(
          {{.name = "data",
            .argument = "FILE",
            .sentence = "bench data (CSV) or a validation case; FILE@PTR=VALUE tells what was set on the bench; "
                        "may be repeated"},
           {.name = "fit",
            .argument = "PTR=LO:HI",
            .sentence = "a free cost and its bounds; without =LO:HI the range of its table; may be repeated"},
           {.name = "prior",
            .argument = "PTR=LO:HI",
            .sentence = "a cost that is free within what is known of it: 95 % between LO and HI"},
           {.name = "interrupt", .argument = "NAME", .sentence = "whose latency was measured, if there are several"},
           {.name = "holdout", .argument = "ROW", .sentence = "a row that is predicted instead of fitted"},
           {.name = "propose",
            .argument = "PTR=VALUES",
            .sentence = "further runs that could be made, if the data do not suffice"},
           {.name = "output", .letter = 'o', .argument = "FILE", .sentence = "the fitted costs as a cost table"}}),
      .examples = {{{"calibrate pi4-native --data ksae2022-native --fit /costs/linux.path_lines_scale=0.5:2",
                     "one cost to a published row"},
                    {"calibrate pi4-native --data ksae2022-native --fit /costs/core.dram_line -o dram.json",
                     "another, within its table's range, and the outcome as a table for `costs`"},
                    {"calibrate pi4-native --data ksae2022-native --fit /costs/core.dram_line=50:200 --json",
                     "within other bounds, as vecusim/calibration/1"}}},
      .run = run};
}

}  // namespace vecusim
