// `vecusim validate`: predicted against measured.
#include <optional>

#include "analysis/limits.hpp"
#include "analysis/validate_request.hpp"
#include "app/experiments.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

namespace vecusim {

namespace {

Validation judge_bench(const Session& session, const std::string& file, const ValidationRequest& request) {
  const std::vector<std::string>& operands = session.arguments.operands;
  if (operands.size() != 1) throw UsageError("validate: expected one SCENARIO with --data");
  const std::string& scenario = operands.front();
  if (scenario == "-" && file == "-") throw UsageError("--data -: standard input is the scenario already");
  const BenchData data = read_bench_file(file);
  session.console.note(data.warnings.text());
  const auto load = [&scenario](const Settings& settings) { return load_scenario(scenario, settings); };
  return validate_bench({scenario, load, scenario == "-"}, data, session.arguments.text("interrupt"), request);
}

Validation judge_cases(const Session& session, const ValidationRequest& request) {
  if (session.arguments.has("interrupt")) throw UsageError("--interrupt: only with --data");
  return validate_cases(session.arguments.operands, request);
}

std::string as_asked(const Validation& validation, const Session& session) {
  if (session.arguments.has("json")) return json::pretty(to_json(validation));
  if (session.arguments.has("markdown")) return to_markdown(validation);
  return to_text(validation, session.console.style().colour);
}

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  if (arguments.has("json") && arguments.has("markdown")) throw UsageError("--markdown: not together with --json");
  Progress progress(session.console.style().progress);
  const RunOptions run = run_options(session, progress);
  const ValidationRequest request{
      .settings = settings_of(arguments),
      .seed = run.seed,
      .repetitions = arguments.number("reps", kRepetitions, kMostRepetitions).value_or(kRepetitions),
      .parallel = run.parallel};
  const auto bench = arguments.text("data");
  const auto output = arguments.text("output");
  const Interrupts::Orderly orderly(session.interrupts);
  const Validation validation = bench ? judge_bench(session, *bench, request) : judge_cases(session, request);
  if (output) write_file(*output, json::pretty(to_json(validation)));
  session.console.data(as_asked(validation, session));
  return validation.failed() == 0 ? Status::done : Status::unmet;
}

}  // namespace

Verb validate_verb() {
  return {
      .name = "validate",
      .operands = "[CASE… | SCENARIO --data FILE]",
      .sentence =
          "judges predictions by measurements, row by row; exit status 1 if a verdict is not the expected "
          "one; without operands, all of validation/cases",
      .least_operands = 0,
      .most_operands = kAnyNumber,
      .options = with_experiment_options(
          {{.name = "data",
            .argument = "FILE",
            .sentence = "measurements of one's own (CSV), compared with a scenario; - for standard input"},
           {.name = "interrupt", .argument = "NAME", .sentence = "with --data: whose latency, if there are several"},
           {.name = "output",
            .letter = 'o',
            .argument = "FILE",
            .sentence = "also write the document vecusim/validation/1, of which report makes a page, to this file"},
           {.name = "markdown", .sentence = "the outcome as a page; of all cases, docs/validation.md"}}),
      .examples = {{{"validate ksae2022-native", "a published table without a hypervisor"},
                    {"validate ksae2022-native --json", "the same as vecusim/validation/1"},
                    {"validate ksae2022-native --reps 5000 -v", "intervals from more repeated experiments"}}},
      .run = run};
}

}  // namespace vecusim
