// `vecusim run`: predicts what a scenario's latencies and loads are.
#include <chrono>
#include <sstream>

#include "analysis/report_text.hpp"
#include "analysis/sensitivity.hpp"
#include "analysis/until.hpp"
#include "app/experiments.hpp"
#include "app/folder.hpp"
#include "app/trace_request.hpp"
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

std::optional<Claim> asked_rule(const Arguments& arguments) {
  const auto text = arguments.text("until");
  if (!text) return {};
  try {
    return stop_rule(*text, "--until");
  } catch (const InvalidInput& invalid) {
    throw UsageError(invalid.problems().text());
  }
}

/// With a stop rule: whether it was met within kMostLooked replications.
std::pair<Result, bool> predict_until(const Session& session, const LoadedScenario& loaded, const RunOptions& options,
                                      const std::optional<Claim>& rule) {
  if (!rule) return {predict(session, loaded, options), true};
  UntilResult until = run_until(loaded, options, *rule, kMostLooked);
  session.console.note(until.explanation + "--until " + rule->text + (until.met ? ": met\n" : ": not met\n"));
  return {std::move(until.observed.result), until.met};
}

/// What the prediction of each interrupt rests on, from small benches: it is a remark, not the answer.
void tell_sensitivity(const Session& session, const LoadedScenario& loaded, const RunOptions& options) {
  constexpr std::int64_t kEdges = 100;
  if (!session.console.style().verbose) return;
  RunOptions few = options;
  few.replications = 5;
  few.parallel.progress = {};
  const std::vector<InterruptConfig>& interrupts = loaded.scenario.interrupts;
  for (std::size_t i = 0; i < interrupts.size(); ++i) {
    LoadedScenario small = loaded;
    StimulusConfig& stimulus = small.scenario.interrupts[leader_of(interrupts, i)].stimulus;
    if (stimulus.count == 0 || stimulus.model == StimulusModel::recorded) continue;
    stimulus.count = std::min(stimulus.count, kEdges);
    try {
      session.console.detail(to_text(sensitivity(small, interrupts[i].name, Statistic::mean, few), kCostsShown));
    } catch (const InvalidInput& silent) {
      session.console.detail("what " + interrupts[i].name + " rests on: " + silent.what());
    }
  }
}

constexpr TraceOptionNames kTraceOptions = {.window = "trace-window", .only = "trace-only"};

const TraceFormat& format_of(const Arguments& arguments, const std::string& file) {
  std::vector<std::string> names;
  for (const TraceFormat& format : trace_formats()) names.emplace_back(format.name);
  if (const auto name = arguments.word("trace-format", names)) return *find_trace_format(*name);
  if (const TraceFormat* format = trace_format_of(file)) return *format;
  std::string endings;
  for (const TraceFormat& format : trace_formats()) endings += std::string(format.ending) + ", ";
  throw UsageError("--trace: expected a file that ends in " + endings + "or --trace-format; found \"" + file + "\"");
}

/// A trace that is to be written; its file is begun.
struct WantedTrace {
  WantedTrace(const Session& session, const std::string& file)
      : request(trace_request(session.arguments, kTraceOptions)),
        format(format_of(session.arguments, file)),
        to(file, session.console) {}

  TraceRequest request;
  const TraceFormat& format;
  Destination to;
};

std::optional<std::string> trace_file(const Arguments& arguments) {
  auto file = arguments.text("trace");
  for (const std::string_view option : {std::string_view("trace-format"), kTraceOptions.window, kTraceOptions.only}) {
    if (!file && arguments.has(option)) throw UsageError("--" + std::string(option) + ": there is no --trace FILE");
  }
  return file;
}

Status run(const Session& session) {
  const auto rule = asked_rule(session.arguments);
  const bool plots = wants_plots(session.arguments);
  const auto folder = session.arguments.text("output");
  if (folder) require_writable(*folder);
  const auto file = trace_file(session.arguments);
  std::optional<WantedTrace> trace;
  if (file) trace.emplace(session, *file);
  Progress progress(session.console.style().progress);
  const RunOptions options = run_options(session, progress);
  const LoadedScenario loaded = load(session, session.arguments.operands.front());
  if (trace) check_rows(trace->request, loaded.scenario, kTraceOptions);
  const Interrupts::Orderly orderly(session.interrupts);
  const auto [result, precise] = predict_until(session, loaded, options, rule);
  tell_sensitivity(session, loaded, options);
  if (folder) write_folder(*folder, loaded, options, result);
  if (trace) write_trace_of(session, loaded, options, trace->request, kTraceOptions, trace->format, trace->to);
  session.console.data(session.arguments.has("json") ? json::pretty(to_json(result))
                                                     : to_text(result, session.console.style().colour, plots));
  return precise && requirements_met(result) ? Status::done : Status::unmet;
}

}  // namespace

Verb run_verb() {
  return {
      .name = "run",
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
            .sentence = "also write result.json, result.txt and samples-INTERRUPT.csv to this folder"},
           {.name = "until",
            .argument = "CLAIM",
            .sentence = "\"p99_us ± 2%\", \"mean ± 1%\": double the replications until the 95 % interval is as narrow"},
           {.name = "trace",
            .argument = "FILE",
            .sentence = "also record what ran when: .json (Chrome, Perfetto), .btf, .vcd, .csv or .ndjson"},
           {.name = "trace-window",
            .argument = "FROM:TO",
            .sentence = "that part of the first replication, in ms; or worst: around the slowest answer of all"},
           {.name = "trace-only",
            .argument = "NAME,…",
            .sentence = "rows of these pCPUs, vCPUs, domains and interrupts only"},
           {.name = "trace-format",
            .argument = "FORMAT",
            .sentence = "chrome, btf, vcd, csv or ndjson, whatever the file's ending"},
           plot_option()}),
      .examples = {{{"run pi4-native", "predicts the published bench without a hypervisor"},
                    {"run pi4-native --set /board/clock_mhz=1500 --reps 10 --json -o out/native",
                     "ten replications at another clock, as a result document; all files in a folder"},
                    {"run pi4-xen-console --trace out/t.json --trace-window worst",
                     "what ran around the slowest answer, for ui.perfetto.dev"}}},
      .run = run};
}

}  // namespace vecusim
