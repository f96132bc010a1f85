// `vecusim sweep`: a scenario at every point of a grid of values.
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "analysis/find.hpp"
#include "analysis/sensitivity.hpp"
#include "analysis/sweep.hpp"
#include "analysis/sweep_store.hpp"
#include "analysis/validate_simulation.hpp"
#include "app/experiments.hpp"
#include "app/sweep_rows.hpp"
#include "system/json_assign.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

/// Every text of an option, with all their problems at once.
template <class Parsed>
std::vector<Parsed> parse_all(const Arguments& arguments, const char* option,
                              std::optional<Parsed> (*parse)(std::string_view, Problems&, std::string_view)) {
  Problems problems;
  std::vector<Parsed> result;
  for (const std::string& text : arguments.all(option)) {
    if (auto parsed = parse(text, problems, "--" + std::string(option))) result.push_back(*std::move(parsed));
  }
  if (problems.has_errors()) throw UsageError(problems.text());
  return result;
}

/// `lhs:N`
std::size_t sample_size(const std::string& text) {
  constexpr std::string_view kMethod = "lhs:";
  std::size_t n = 0;
  const char* const end = text.data() + text.size();
  const bool known = text.starts_with(kMethod);
  const auto [rest, error] = std::from_chars(text.data() + (known ? kMethod.size() : 0), end, n);
  if (!known || error != std::errc{} || rest != end || n < 2 || n > kMostPoints) {
    throw UsageError("--sample: expected lhs:N with N from 2 to " + std::to_string(kMostPoints) + ", found \"" + text +
                     "\"");
  }
  return n;
}

/// `K/N`: every N-th point, from the K-th on.
void keep_shard(const std::string& text, std::vector<SweepPoint>& points) {
  std::size_t k = 0;
  std::size_t n = 0;
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, k);
  const bool halves = first == std::errc{} && slash != end && *slash == '/';
  const auto [rest, second] = std::from_chars(halves ? slash + 1 : end, end, n);
  if (!halves || second != std::errc{} || rest != end || k < 1 || k > n) {
    throw UsageError("--shard: expected K/N with K from 1 to N, found \"" + text + "\"");
  }
  std::erase_if(points, [&](const SweepPoint& point) { return point.index % n != k - 1; });
}

/// What is said of the points: a sample, or a grid of what is varied alone and what goes side by side.
std::vector<Dimension> dimensions_of(const Arguments& arguments, std::uint64_t seed) {
  if (!arguments.has("vary") && !arguments.has("zip")) {
    throw UsageError("sweep: expected --vary PTR=VALUES, found none");
  }
  if (const auto sample = arguments.text("sample")) {
    if (arguments.has("zip")) throw UsageError("--sample: not together with --zip");
    return {latin_hypercube(parse_all(arguments, "vary", parse_span), sample_size(*sample), seed)};
  }
  std::vector<Dimension> dimensions;
  for (json::Variation& variation : parse_all(arguments, "vary", json::parse_variation)) {
    dimensions.push_back(alone(std::move(variation)));
  }
  if (arguments.has("zip")) dimensions.push_back(zipped(parse_all(arguments, "zip", json::parse_variation)));
  return dimensions;
}

Statistic statistic_of(const Arguments& arguments) {
  const auto word = arguments.word("statistic", {"mean", "min", "p50", "p90", "p99", "max"});
  return statistic_named(word.value_or("mean")).value();
}

Status run_sensitivity(const Session& session) {
  constexpr std::size_t kMost = 10;
  const Arguments& arguments = session.arguments;
  for (const char* other : {"vary", "zip", "sample", "csv", "out", "resume", "shard", "pareto"}) {
    if (arguments.has(other)) throw UsageError("--sensitivity: not together with --" + std::string(other));
  }
  const Statistic statistic = statistic_of(arguments);
  Progress progress(session.console.style().progress);
  const RunOptions options = run_options(session, progress);
  const LoadedScenario loaded = load(session, arguments.operands.front());
  const Interrupts::Orderly orderly(session.interrupts);
  const Sensitivity found = sensitivity(loaded, arguments.text("interrupt"), statistic, options);
  session.console.data(arguments.has("json") ? json::pretty(to_json(found)) : to_text(found, kMost));
  return Status::done;
}

/// Whose latency a short figure is of, if that is clear.
std::optional<std::string> interrupt_of(const Arguments& arguments, const LoadedScenario& loaded) {
  const std::vector<InterruptConfig>& interrupts = loaded.scenario.interrupts;
  if (!arguments.has("interrupt") && interrupts.size() != 1) return std::nullopt;
  return interrupts[measured_interrupt(loaded, arguments.text("interrupt"))].name;
}

std::optional<ParetoAxes> pareto_of(const Arguments& arguments, const Sweep& sweep) {
  const auto text = arguments.text("pareto");
  if (!text) return std::nullopt;
  Problems problems;
  auto axes = parse_pareto(*text, interrupt_of(arguments, sweep.base), problems);
  if (!axes) throw UsageError(problems.text());
  return axes;
}

Status run_find(const Session& session) {
  const Arguments& arguments = session.arguments;
  for (const char* other : {"vary", "zip", "sample", "csv", "out", "resume", "shard", "pareto"}) {
    if (arguments.has(other)) throw UsageError("--find: not together with --" + std::string(other));
  }
  const auto meets = arguments.text("meets");
  if (!meets) throw UsageError("--find: expected --meets \"FIGURE <= VALUE\" with it");
  Progress progress(false);  // how many values it takes is not known beforehand
  const RunOptions options = run_options(session, progress);
  const LoadedScenario loaded = load(session, arguments.operands.front());
  Problems problems;
  const auto span = parse_span(*arguments.text("find"), problems, "--find");
  const auto limit = parse_limit(*meets, interrupt_of(arguments, loaded), problems);
  if (!span || !limit) throw UsageError(problems.text());
  const Interrupts::Orderly orderly(session.interrupts);
  const Search search = find_limit(loaded, *span, *limit, options);
  session.console.data(arguments.has("json") ? json::pretty(to_json(search)) : to_text(search));
  return search.last_met ? Status::done : Status::unmet;
}

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  if (arguments.has("find")) return run_find(session);
  if (arguments.has("meets")) throw UsageError("--meets: only with --find");
  if (arguments.has("sensitivity")) return run_sensitivity(session);
  if (arguments.has("statistic")) throw UsageError("--statistic: only with --sensitivity");
  if (arguments.has("interrupt") && !arguments.has("pareto")) {
    throw UsageError("--interrupt: only with --sensitivity, --find or --pareto");
  }
  const auto csv = arguments.text("csv");
  if (arguments.has("resume") && !arguments.has("out")) throw UsageError("--resume: only with --out FILE");
  if (csv == "-" && arguments.has("json")) throw UsageError("--csv -: standard output has the document of --json");
  Progress progress(session.console.style().progress);
  const RunOptions options = run_options(session, progress);
  LoadedScenario loaded = load(session, arguments.operands.front());
  const std::vector<Dimension> dimensions = dimensions_of(arguments, options.seed.value_or(loaded.scenario.run.seed));
  Sweep sweep = plan_sweep(std::move(loaded), dimensions);
  if (const auto shard = arguments.text("shard")) keep_shard(*shard, sweep.points);

  std::optional<SweepStore> store;
  if (const auto out = arguments.text("out")) store.emplace(*out, sweep, options, arguments.has("resume"));
  const Interrupts::Orderly orderly(session.interrupts);
  SweepRows rows(sweep, {csv, arguments.has("json"), pareto_of(arguments, sweep)});
  run_sweep(sweep, options, store ? &*store : nullptr, [&rows](const SweepRow& row) { rows.add(row); });
  session.console.data(rows.finish());
  return Status::done;
}

}  // namespace

Verb sweep_verb() {
  return {
      .name = "sweep",
      .operands = "SCENARIO",
      .sentence =
          "predicts a scenario at every point of a grid of values, one row per point; whether requirements are "
          "met is a column, not the exit status",
      .least_operands = 1,
      .most_operands = 1,
      .options = with_experiment_options(
          {{.name = "vary",
            .argument = "PTR=VALUES",
            .sentence = "v1,v2,… or LO:HI:STEP or log:LO:HI:N for a JSON pointer; repeated, every combination"},
           {.name = "zip",
            .argument = "PTR=VALUES",
            .sentence = "the same for pointers that change side by side: repeated, they take their values together"},
           {.name = "sample",
            .argument = "lhs:N",
            .sentence =
                "instead of a grid N points of a Latin hypercube; each --vary is then PTR=LO:HI or PTR=log:LO:HI"},
           {.name = "csv", .argument = "FILE", .sentence = "every number of the results as CSV; - for standard output"},
           {.name = "out",
            .argument = "FILE",
            .sentence = "every point into an SQLite file as soon as it is complete: what is in it survives a crash"},
           {.name = "resume",
            .sentence = "with --out: go on with a file; only points and replications that it lacks are computed"},
           {.name = "shard",
            .argument = "K/N",
            .sentence =
                "only every N-th point, from the K-th on: N machines do it together, and merge joins their files"},
           {.name = "pareto",
            .argument = "METRIC,METRIC",
            .sentence =
                "marks the points that no other beats in both numbers of the result; less is better, +METRIC: more"},
           {.name = "find",
            .argument = "PTR=LO:HI",
            .sentence = "instead, how far a value can go and still meet --meets; exit status 1 if nothing does"},
           {.name = "meets",
            .argument = "LIMIT",
            .sentence = "with --find: \"p99_us <= 200\", or any number of the result"},
           {.name = "sensitivity",
            .sentence = "instead, each cost through its table's range alone: what the prediction rests on"},
           {.name = "statistic",
            .argument = "NAME",
            .sentence = "with --sensitivity: mean (without it), min, p50, p90, p99 or max"},
           {.name = "interrupt",
            .argument = "NAME",
            .sentence = "with --sensitivity, --find or --pareto: which, if there are several"}}),
      .examples = {{{"sweep pi4-native --vary /board/clock_mhz=600,1000,1500", "what a faster clock brings"},
                    {"sweep pi4-native --sensitivity", "which costs to measure next"},
                    {"sweep pi4-native --vary /run/seed=1:5:1 --vary /board/clock_mhz=600,1500 --csv -",
                     "a grid of two, CSV on standard output"}}},
      .run = run};
}

}  // namespace vecusim
