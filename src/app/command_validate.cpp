// `vecusim validate`: predicted against measured.
#include <optional>

#include "analysis/validate.hpp"
#include "analysis/validate_figures.hpp"
#include "analysis/validate_simulation.hpp"
#include "app/experiments.hpp"
#include "system/data_files.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"

namespace vecusim {

namespace {

constexpr std::uint64_t kMostRepetitions = 1'000'000;

std::string case_path(const std::string& what) {
  if (const auto known = data_file("validation/cases", what)) return known->string();
  std::error_code ignored;
  if (std::filesystem::exists(what, ignored)) return what;
  throw InvalidInput(Problem{.place = {std::make_shared<const std::string>(what)},
                             .pointer = "",
                             .expected = "a case file or the name of a case",
                             .found = json::quoted(what),
                             .suggestion = nearest(what, data_names("validation/cases"))});
}

/// --set asks what would come out under a change: it is added to what each row sets.
LoadedCase changed_case(const std::string& what, const Settings& settings) {
  LoadedCase loaded = load_case(case_path(what));
  for (CaseRow& row : loaded.content.rows) row.set.insert(row.set.end(), settings.begin(), settings.end());
  for (CaseFigure& figure : loaded.content.figures) {
    figure.set.insert(figure.set.end(), settings.begin(), settings.end());
  }
  return loaded;
}

/// For rows that differ in their data alone: the scenario is read once, for standard input can be.
Simulator of_one_scenario(Simulator simulator) {
  return [simulator = std::move(simulator), made = std::make_shared<std::optional<Repetition>>()](
             const CaseRow& row, const std::vector<std::string>& set) {
    if (!*made) *made = simulator(row, set);
    return **made;
  };
}

template <class T>
void append(std::vector<T>& list, std::vector<T> more) {
  for (T& element : more) list.push_back(std::move(element));
}

Validation judge_bench(const Session& session, const std::string& file, const Simulator& simulator,
                       const ValidationOptions& options) {
  const std::vector<std::string>& operands = session.arguments.operands;
  if (operands.size() != 1) throw UsageError("validate: expected one SCENARIO with --data");
  if (operands.front() == "-" && file == "-") throw UsageError("--data -: standard input is the scenario already");
  const BenchData data = read_bench_file(file);
  session.console.note(data.warnings.text());
  LoadedCase loaded = bench_case(operands.front(), settings_of(session.arguments), data);
  for (CaseRow& row : loaded.content.rows) row.interrupt = session.arguments.text("interrupt");
  ValidationOptions once = options;
  if (operands.front() == "-") once.uncertain = {};  // standard input is read once
  return {judge(loaded, data, of_one_scenario(simulator), once)};
}

/// `run`: what figures are simulated with. Of --reps, the experiments behind an interval, they are no part: how often
/// their scenarios run is said there (/run/replications).
Validation judge_cases(const Session& session, const Simulator& simulator, const ValidationOptions& options,
                       const RunOptions& run) {
  if (session.arguments.has("interrupt")) throw UsageError("--interrupt: only with --data");
  const Settings settings = settings_of(session.arguments);
  std::vector<std::string> names = session.arguments.operands;
  if (names.empty()) names = data_names("validation/cases");
  std::vector<LoadedCase> cases;
  cases.reserve(names.size());
  for (const std::string& name : names) cases.push_back(changed_case(name, settings));
  Validation validation;
  for (const LoadedCase& loaded : cases) {
    std::vector<JudgedRow> judged = judge(loaded, simulator, options);
    append(validation.comparisons, compare_hypotheses(loaded, judged, simulator, options));
    append(validation.rows, std::move(judged));
    append(validation.rows, judge_figures(loaded, run));
  }
  return validation;
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
  ValidationOptions options;
  options.parallel = run.parallel;
  options.repetitions = arguments.number("reps", kRepetitions, kMostRepetitions).value_or(kRepetitions);
  options.uncertain = uncertain_scenarios(run.seed, run.parallel.stop);

  RunOptions figures = run;
  figures.replications.reset();
  const Simulator simulator = scenario_simulator(run.seed, run.parallel.stop);
  const auto bench = arguments.text("data");
  const Interrupts::Orderly orderly(session.interrupts);
  const Validation validation =
      bench ? judge_bench(session, *bench, simulator, options) : judge_cases(session, simulator, options, figures);
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
           {.name = "markdown", .sentence = "the outcome as a page; of all cases, docs/validation.md"}}),
      .examples = {{{"validate ksae2022-native", "a published table without a hypervisor"},
                    {"validate ksae2022-native --json", "the same as vecusim/validation/1"},
                    {"validate ksae2022-native --reps 5000 -v", "intervals from more repeated experiments"}}},
      .run = run};
}

}  // namespace vecusim
