// From names and data to judged rows.
#include "analysis/validate_request.hpp"

#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include "analysis/validate_figures.hpp"
#include "analysis/validate_simulation.hpp"
#include "system/data_files.hpp"
#include "system/json_print.hpp"
#include "system/nearest.hpp"

namespace vecusim {
namespace {

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

LoadedCase changed_case(const std::string& what, const Settings& settings) {
  LoadedCase loaded = load_case(case_path(what));
  for (CaseRow& row : loaded.content.rows) row.set.insert(row.set.end(), settings.begin(), settings.end());
  for (CaseFigure& figure : loaded.content.figures) {
    figure.set.insert(figure.set.end(), settings.begin(), settings.end());
  }
  return loaded;
}

/// For rows that differ in their data alone: the scenario is read once.
Simulator of_one_scenario(Simulator simulator) {
  return [simulator = std::move(simulator), made = std::make_shared<std::optional<Repetition>>()](
             const CaseRow& row, const std::vector<std::string>& set) {
    if (!*made) *made = simulator(row, set);
    return **made;
  };
}

template <class T>
void append(std::vector<T>& list, std::vector<T> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

ValidationOptions options_of(const ValidationRequest& request, const RowScenarios& scenarios) {
  return {.repetitions = request.repetitions,
          .parallel = request.parallel,
          .uncertain = uncertain_scenarios(scenarios, request.seed, request.parallel.stop)};
}

}  // namespace

Validation validate_cases(std::vector<std::string> names, const ValidationRequest& request) {
  if (names.empty()) names = data_names("validation/cases");
  std::vector<LoadedCase> cases;
  cases.reserve(names.size());
  for (const std::string& name : names) cases.push_back(changed_case(name, request.settings));
  const RowScenarios scenarios = named_scenarios();
  const Simulator simulator = scenario_simulator(scenarios, request.seed, request.parallel.stop);
  const ValidationOptions options = options_of(request, scenarios);
  const RunOptions figures{.seed = request.seed, .parallel = request.parallel};
  Validation validation;
  for (const LoadedCase& loaded : cases) {
    std::vector<JudgedRow> judged = judge(loaded, simulator, options);
    append(validation.comparisons, compare_hypotheses(loaded, judged, simulator, options));
    append(validation.rows, std::move(judged));
    append(validation.rows, judge_figures(loaded, figures));
  }
  return validation;
}

Validation validate_bench(const BenchScenario& scenario, const BenchData& data,
                          const std::optional<std::string>& interrupt, const ValidationRequest& request) {
  LoadedCase loaded = bench_case(scenario.name, request.settings, data);
  for (CaseRow& row : loaded.content.rows) row.interrupt = interrupt;
  const RowScenarios scenarios = [&scenario](const CaseRow&, const Settings& set) { return scenario.load(set); };
  const Simulator simulator = scenario_simulator(scenarios, request.seed, request.parallel.stop);
  ValidationOptions options = options_of(request, scenarios);
  if (scenario.once) options.uncertain = {};
  return {judge(loaded, data, of_one_scenario(simulator), options)};
}

}  // namespace vecusim
