// `vecusim report`: documents as one page for people.
#include <algorithm>
#include <filesystem>

#include "analysis/report.hpp"
#include "analysis/report_page.hpp"
#include "app/experiments.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

namespace vecusim {

namespace {

/// A page is no text for a terminal.
void require_outlet(const Arguments& arguments) {
  if (arguments.has("output") || arguments.has("json") || !is_terminal_output()) return;
  throw UsageError("report: expected -o FILE.html, or an output that is no terminal");
}

void require_page(const Arguments& arguments) {
  if (arguments.has("json") || !report_page().empty()) return;
  throw UsageError(
      "report: this program was built without the charting library. `bash scripts/charts` fetches it; then configure "
      "and "
      "build again. --json gives what the page would show.");
}

ReportOptions options_of(const Session& session, Progress& progress) {
  ReportOptions options;
  options.title = session.arguments.text("title").value_or("");
  options.parallel = run_options(session, progress).parallel;
  if (const auto file = session.arguments.text("data")) {
    options.bench = read_bench_file(*file);
    session.console.note(options.bench->warnings.text());
  }
  return options;
}

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  require_outlet(arguments);
  require_page(arguments);
  const auto output = arguments.text("output");
  Progress progress(session.console.style().progress);
  const ReportOptions options = options_of(session, progress);
  const Interrupts::Orderly orderly(session.interrupts);
  const json::Node model = make_report(arguments.operands, options);
  const std::string text = arguments.has("json") ? json::pretty(model) : to_page(report_page(), model);
  if (output) {
    write_file(*output, text);
  } else {
    session.console.data(text);
  }
  return Status::done;
}

}  // namespace

Verb report_verb() {
  return {
      .name = "report",
      .operands = "FILE…",
      .sentence =
          "makes one HTML page, which needs nothing else, of results, validations, calibrations and sensitivities "
          "(--json) and of sweeps (--out)",
      .least_operands = 1,
      .most_operands = kAnyNumber,
      .options =
          {{.name = "output", .letter = 'o', .argument = "FILE", .sentence = "the page; without it, standard output"},
           {.name = "title", .argument = "TEXT", .sentence = "instead of the scenario's title"},
           {.name = "data",
            .argument = "FILE",
            .sentence = "samples of a bench, drawn beside the latency of each result that has only one"},
           {.name = "jobs",
            .letter = 'j',
            .argument = "N",
            .sentence = "threads for running results once more, which tells their slowest answers"},
           {.name = "progress",
            .argument = "WHEN",
            .sentence = "a bar on standard error: auto (on a terminal), on or off"}},
      .examples = {{{"report new/result.json -o report.html",
                     "a prediction: figures, histogram, stages, the slowest answers"},
                    {"report late.sqlite old/result.json -o report.html --title \"Clocks\"",
                     "a sweep and a prediction on one page"},
                    {"report out/result.json --data bench.csv -o report.html", "what a bench has measured beside it"}}},
      .run = run};
}

}  // namespace vecusim
