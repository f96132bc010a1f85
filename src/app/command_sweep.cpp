// `vecusim sweep`: a scenario at every point of a grid of values.
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>

#include "analysis/sensitivity.hpp"
#include "analysis/sweep.hpp"
#include "analysis/sweep_csv.hpp"
#include "analysis/sweep_store.hpp"
#include "app/experiments.hpp"
#include "app/sweep_table.hpp"
#include "system/json_assign.hpp"
#include "system/json_print.hpp"
#include "system/output_file.hpp"

namespace vecusim {

namespace {

template <class Parse>
auto parse_all(const std::vector<std::string>& texts, Parse parse) {
  Problems problems;
  std::vector<typename std::invoke_result_t<Parse, const std::string&, Problems&>::value_type> result;
  for (const std::string& text : texts) {
    if (auto parsed = parse(text, problems)) result.push_back(*std::move(parsed));
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
  const std::vector<std::string> varied = arguments.all("vary");
  const std::vector<std::string> side_by_side = arguments.all("zip");
  if (varied.empty() && side_by_side.empty()) throw UsageError("sweep: expected --vary PTR=VALUES, found none");
  if (const auto sample = arguments.text("sample")) {
    if (!side_by_side.empty()) throw UsageError("--sample: not together with --zip");
    const std::size_t n = sample_size(*sample);
    return {latin_hypercube(parse_all(varied, parse_span), n, seed)};
  }
  std::vector<Dimension> dimensions;
  const auto values = [](const char* option) {
    return
        [option](const std::string& text, Problems& problems) { return json::parse_variation(text, problems, option); };
  };
  for (json::Variation& variation : parse_all(varied, values("--vary"))) {
    dimensions.push_back(alone(std::move(variation)));
  }
  if (!side_by_side.empty()) dimensions.push_back(zipped(parse_all(side_by_side, values("--zip"))));
  return dimensions;
}

std::string json_document(const std::vector<std::string>& lines) {
  std::string text = "{\"schema\": \"vecusim/sweep/1\", \"rows\": [\n";
  for (std::size_t i = 0; i < lines.size(); ++i) text += lines[i] + (i + 1 < lines.size() ? ",\n" : "\n");
  return text + "]}\n";
}

/// The rows in every form that was asked for. A CSV file is complete at the end or not there.
class Rows {
 public:
  /// Throws OutputError, before anything has been computed.
  Rows(const Sweep& sweep, const std::optional<std::string>& csv, bool json) : sweep_(sweep), json_(json) {
    if (csv) csv_.emplace(sweep);
    if (csv && csv != "-") file_.emplace(*csv);
  }

  void add(const SweepRow& row) {
    if (csv_) csv_->add(row);
    if (json_) json_lines_.push_back(json_line(row));
    table_.add(sweep_, row);
  }

  /// What belongs on standard output.
  std::string finish() {
    if (csv_ && !file_) return csv_->text();
    if (file_) {
      file_->write(csv_->text());
      file_->commit();
    }
    return json_ ? json_document(json_lines_) : table_.text();
  }

 private:
  const Sweep& sweep_;
  bool json_;
  std::optional<CsvTable> csv_;
  std::optional<OutputFile> file_;
  std::vector<std::string> json_lines_;
  SweepTable table_;
};

Statistic statistic_of(const Arguments& arguments) {
  const auto word = arguments.word("statistic", {"mean", "min", "p50", "p90", "p99", "max"});
  return statistic_named(word.value_or("mean")).value();
}

Status run_sensitivity(const Session& session) {
  constexpr std::size_t kMost = 10;
  const Arguments& arguments = session.arguments;
  for (const char* other : {"vary", "zip", "sample", "csv", "out", "resume", "shard"}) {
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

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  if (arguments.has("sensitivity")) return run_sensitivity(session);
  for (const char* only : {"statistic", "interrupt"}) {
    if (arguments.has(only)) throw UsageError("--" + std::string(only) + ": only with --sensitivity");
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
  Rows rows(sweep, csv, arguments.has("json"));
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
           {.name = "sensitivity",
            .sentence = "instead, each cost through its table's range alone: what the prediction rests on"},
           {.name = "statistic",
            .argument = "NAME",
            .sentence = "with --sensitivity: mean (without it), min, p50, p90, p99 or max"},
           {.name = "interrupt", .argument = "NAME", .sentence = "with --sensitivity: which, if there are several"}}),
      .examples = {{{"sweep pi4-native --vary /board/clock_mhz=600,1000,1500", "what a faster clock brings"},
                    {"sweep pi4-native --sensitivity", "which costs to measure next"},
                    {"sweep pi4-native --vary /run/seed=1:5:1 --vary /board/clock_mhz=600,1500 --csv -",
                     "a grid of two, CSV on standard output"}}},
      .run = run};
}

}  // namespace vecusim
