// `vecusim export`: what a simulation finds, in formats that others' tools read.
#include <algorithm>

#include "analysis/export.hpp"
#include "app/experiments.hpp"
#include "app/trace_request.hpp"
#include "system/json_parse.hpp"
#include "system/scenario_input.hpp"

namespace vecusim {

namespace {

constexpr TraceOptionNames kOptions = {.window = "window", .only = "only"};

/// What an export is made from.
struct Export {
  const Session& session;
  const LoadedScenario& loaded;
  Scenario scenario;
  RunOptions options;
  std::vector<std::string> only;
  Destination& to;

  /// The interrupts that are asked for, by their index; all if none is.
  std::vector<std::size_t> interrupts() const;
  std::vector<NamedLatency> latencies(const Tally& tally) const;
};

std::vector<std::size_t> Export::interrupts() const {
  std::vector<std::string> there;
  for (const InterruptConfig& interrupt : scenario.interrupts) there.push_back(interrupt.name);
  Complaints complaints;
  for (const std::string& name : only) {
    if (std::find(there.begin(), there.end(), name) != there.end()) continue;
    complaints.add("--only: expected an interrupt of the scenario, found \"" + name + "\"" + did_you_mean(name, there));
  }
  if (there.empty()) complaints.add("export: the scenario has no interrupts, so it has no samples");
  complaints.throw_if_any();
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (only.empty() || std::find(only.begin(), only.end(), there[i]) != only.end()) chosen.push_back(i);
  }
  return chosen;
}

std::vector<NamedLatency> Export::latencies(const Tally& tally) const {
  std::vector<NamedLatency> named;
  for (const std::size_t i : interrupts()) named.push_back({scenario.interrupts[i].name, &tally.latency[i]});
  return named;
}

Tally simulate(const Export& wanted) {
  wanted.interrupts();  // before anything is simulated
  return run_replications(wanted.scenario, 0, wanted.options.parallel);
}

// ---- One function for each format ----

Status samples_csv(const Export& wanted) {
  const auto interrupts = wanted.interrupts();
  wanted.to.write(
      [&](TextStream& out) { write_samples_csv(wanted.scenario, interrupts, wanted.options.parallel, out); });
  return Status::done;
}

Status samples_ndjson(const Export& wanted) {
  const auto interrupts = wanted.interrupts();
  wanted.to.write(
      [&](TextStream& out) { write_samples_ndjson(wanted.scenario, interrupts, wanted.options.parallel, out); });
  return Status::done;
}

Status hgrm(const Export& wanted) {
  if (wanted.interrupts().size() != 1) {
    throw UsageError("--format hgrm: has room for one interrupt; name it with --only");
  }
  const Tally tally = simulate(wanted);
  const NamedLatency latency = wanted.latencies(tally).front();
  if (latency.tally->samples.n() == 0) throw UsageError("--format hgrm: " + latency.name + " has no answers");
  wanted.to.write([&](TextStream& out) { write_hgrm(latency, out); });
  return Status::done;
}

Status cyclictest(const Export& wanted) {
  const Tally tally = simulate(wanted);
  const std::string remark = "predicted by vecusim " + std::string(tool_version()) +
                             ", not measured: " + wanted.loaded.name + ", seed " +
                             std::to_string(wanted.scenario.run.seed);
  wanted.to.write([&](TextStream& out) { write_cyclictest(wanted.latencies(tally), remark, out); });
  return Status::done;
}

Status osadl(const Export& wanted) {
  const Tally tally = simulate(wanted);
  wanted.to.write([&](TextStream& out) { write_osadl(wanted.latencies(tally), out); });
  return Status::done;
}

Status junit(const std::vector<Testcase>& testcases, Destination& to) {
  to.write([&](TextStream& out) { write_junit(testcases, out); });
  const bool fails =
      std::any_of(testcases.begin(), testcases.end(), [](const Testcase& t) { return !t.failure.empty(); });
  return fails ? Status::unmet : Status::done;
}

Status requirements(const Export& wanted) {
  const Result result = run_experiment(wanted.loaded, wanted.options);
  return junit(testcases_of(wanted.loaded.name, result), wanted.to);
}

struct Format {
  std::string_view name;
  Status (*write)(const Export&);
};
constexpr Format kFormats[] = {{"csv", samples_csv}, {"ndjson", samples_ndjson}, {"junit", requirements},
                               {"hgrm", hgrm},       {"cyclictest", cyclictest}, {"osadl", osadl}};
constexpr std::string_view kTraces[] = {"chrome", "btf", "vcd"};

/// The document vecusim/validation/1, if the operand is one: JUnit has a place for its rows too.
std::optional<json::Node> validation(const std::string& operand) {
  if (!is_file(operand)) return std::nullopt;
  Problems ignored;  // whoever reads it as a scenario tells them
  auto document = json::read_file(operand, ignored);
  const json::Node* schema = document ? document->find("schema") : nullptr;
  return schema != nullptr && schema->text == "vecusim/validation/1" ? document : std::nullopt;
}

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  std::vector<std::string> names;
  for (const std::string_view trace : kTraces) names.emplace_back(trace);
  for (const Format& format : kFormats) names.emplace_back(format.name);
  const auto format = arguments.word("format", names);
  if (!format)
    throw UsageError("export: expected --format chrome, btf, vcd, csv, ndjson, junit, hgrm, cyclictest or osadl");
  const TraceRequest request = trace_request(arguments, kOptions);
  const auto known =
      std::find_if(std::begin(kFormats), std::end(kFormats), [&](const Format& f) { return f.name == *format; });
  const bool traces = known == std::end(kFormats);
  if (!traces && arguments.has(kOptions.window)) throw UsageError("--window: of a trace, and " + *format + " is none");

  Progress progress(session.console.style().progress);
  const RunOptions options = run_options(session, progress);
  const std::string& operand = arguments.operands.front();
  Destination to(arguments.text("output").value_or("-"), session.console);
  if (*format == "junit") {
    if (const auto document = validation(operand)) return junit(testcases_of(*document), to);
  }
  const LoadedScenario loaded = load(session, operand);
  if (traces) check_rows(request, loaded.scenario, kOptions);
  const Interrupts::Orderly orderly(session.interrupts);
  if (traces) {
    write_trace_of(session, loaded, options, request, kOptions, *find_trace_format(*format), to);
    return Status::done;
  }
  return known->write({session, loaded, with_options(loaded.scenario, options), options, request.only, to});
}

}  // namespace

Verb export_verb() {
  return {
      .name = "export",
      .operands = "RESULT",
      .sentence =
          "writes what a result, scenario or preset comes to in another tool's format; a result is simulated "
          "again from its scenario and seed",
      .least_operands = 1,
      .most_operands = 1,
      .options = with_experiment_options(
          {{.name = "format",
            .argument = "FORMAT",
            .sentence = "csv or ndjson (samples), hgrm, cyclictest or osadl (distributions), junit (requirements, or "
                        "the rows of a validation), chrome, btf or vcd (a trace)"},
           {.name = "output", .letter = 'o', .argument = "FILE", .sentence = "instead of standard output"},
           {.name = "only",
            .argument = "NAME,…",
            .sentence = "these interrupts; of a trace, rows of these pCPUs, vCPUs, domains and interrupts"},
           {.name = "window",
            .argument = "FROM:TO",
            .sentence = "of a trace, in ms of the first replication; or worst: around the slowest answer"}}),
      .examples = {{{"export pi4-native --format cyclictest -o hist.txt", "a histogram as cyclictest prints it"},
                    {"export out/native/result.json --format junit -o junit.xml",
                     "a test for each requirement; exit status 1 if one is not met"},
                    {"export pi4-xen-console --format vcd --window 0:50 -o t.vcd", "the first 50 ms, for GTKWave"}}},
      .run = run};
}

}  // namespace vecusim
