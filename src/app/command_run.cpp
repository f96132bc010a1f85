// `vecusim run`: predicts what a scenario's latencies and loads are.
#include <chrono>
#include <sstream>

#include "analysis/report_text.hpp"
#include "app/experiments.hpp"
#include "app/folder.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

Result predict(const Session& session, const LoadedScenario& loaded, const RunOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Result result = run_experiment(loaded, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::ostringstream text;
  text << loaded.name << ": " << result.replications << " replications, " << result.simulated_s << " s simulated, "
       << result.events << " events in " << seconds << " s\n";
  session.console.detail(text.view());
  return result;
}

Status run(const Session& session) {
  const auto folder = session.arguments.text("output");
  if (folder) require_writable(*folder);
  Progress progress(session.console.style().progress);
  const RunOptions options = run_options(session, progress);
  const LoadedScenario loaded = load(session, session.arguments.operands.front());
  const Interrupts::Orderly orderly(session.interrupts);
  const Result result = predict(session, loaded, options);
  if (folder) write_folder(*folder, loaded, options, result);
  session.console.data(session.arguments.has("json") ? json::pretty(to_json(result))
                                                     : to_text(result, session.console.style().colour));
  return requirements_met(result) ? Status::done : Status::unmet;
}

}  // namespace

Verb run_verb() {
  return {.name = "run",
          .operands = "SCENARIO",
          .sentence =
              "predicts the latencies, their stages, and the load of a scenario; exit status 1 if a requirement "
              "is not met",
          .least_operands = 1,
          .most_operands = 1,
          .options = with_experiment_options(
              {{.name = "output",
                .letter = 'o',
                .argument = "DIR",
                .sentence = "also write result.json, result.txt and samples-INTERRUPT.csv to this folder"}}),
          .examples = {{{"run pi4-native", "predicts the published bench without a hypervisor"},
                        {"run pi4-native --set /board/clock_mhz=1500 --reps 10 --json",
                         "ten replications at another clock, as a result document"},
                        {"run pi4-native --seed 7 -o out/native", "another seed; all files in a folder"}}},
          .run = run};
}

}  // namespace vecusim
