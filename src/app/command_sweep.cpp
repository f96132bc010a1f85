// `vecusim sweep`: a scenario at every point of a grid of values.
#include <optional>
#include <string>

#include "analysis/paired.hpp"
#include "analysis/sweep.hpp"
#include "analysis/sweep_rows.hpp"
#include "analysis/sweep_store.hpp"
#include "analysis/validate_simulation.hpp"
#include "app/experiments.hpp"
#include "app/sweep_points.hpp"
#include "app/sweep_search.hpp"
#include "system/json_print.hpp"

namespace vecusim {

namespace {

std::optional<ParetoAxes> pareto_of(const Arguments& arguments, const Sweep& sweep) {
  const auto text = arguments.text("pareto");
  if (!text) return std::nullopt;
  Problems problems;
  auto axes = parse_pareto(*text, interrupt_meant(sweep.base, arguments.text("interrupt")), problems);
  if (!axes) throw UsageError(problems.text());
  require_metrics(*axes, sweep);
  return axes;
}

/// Options that are only meant together with others.
void complain_of_pairs(const Arguments& arguments, Complaints& complaints) {
  if (arguments.has("meets")) complaints.add("--meets: only with --find");
  if (arguments.has("statistic")) complaints.add("--statistic: only with --sensitivity");
  if (arguments.has("interrupt") && !arguments.has("pareto")) {
    complaints.add("--interrupt: only with --sensitivity, --find or --pareto");
  }
  if (arguments.has("resume") && !arguments.has("out")) complaints.add("--resume: only with --out FILE");
}

/// What is said when the user has stopped it.
std::string where_it_ended(std::size_t points, std::size_t all, const std::optional<std::string>& out) {
  const std::string text = "interrupted after " + std::to_string(points) + " of " + std::to_string(all) + " points";
  return out ? text + ", which " + *out + " has: the same command with --resume goes on\n"
             : text + "; with --out FILE it could go on from there\n";
}

/// The base point by itself, before the others that are compared with it.
class Base {
 public:
  Base(const Sweep& sweep, const PlannedPoint& point, const RunOptions& options, SweepMemory* memory)
      : point_(sweep.at(point)) {
    RunOptions quiet = options;
    quiet.parallel.progress = {};
    const Sweep alone{sweep.base, sweep.dimensions, sweep.pointers, {point}};
    run_sweep(alone, quiet, memory, [&](const SweepRow& row) {
      base_.emplace(row);
      memory_.emplace(memory, row);
    });
  }

  SweepMemory* memory() { return &*memory_; }
  const SweepPoint& point() const { return point_; }
  /// Of all points but itself.
  std::vector<PairedDifference> differences(const SweepRow& row) const {
    return row.point.index == point_.index ? std::vector<PairedDifference>{} : base_->differences(row);
  }

 private:
  SweepPoint point_;
  std::optional<PairedBase> base_;
  std::optional<WithBase> memory_;
};

Status run(const Session& session) {
  const Arguments& arguments = session.arguments;
  if (arguments.has("find")) return run_find(session);
  if (arguments.has("sensitivity")) return run_sensitivity(session);
  Progress progress(session.console.style().progress);
  Complaints complaints;
  complain_of_pairs(arguments, complaints);
  const auto csv = complaints.gather([&] { return arguments.text("csv"); }).value_or(std::nullopt);
  if (csv == "-" && arguments.has("json")) {
    complaints.add("--csv -: standard output has the document of --json");
  }
  const auto out = complaints.gather([&] { return arguments.text("out"); }).value_or(std::nullopt);
  const auto plots = complaints.gather([&] { return wants_plots(arguments); });
  const auto checked = complaints.gather([&] { return run_options(session, progress); });
  complaints.gather([&] { return settings_of(arguments); });
  const SweepPoints points(arguments, complaints);
  complaints.throw_if_any();
  const RunOptions& options = checked.value();

  LoadedScenario loaded = load(session, arguments.operands.front());
  std::vector<Dimension> dimensions = points.dimensions(options.seed.value_or(loaded.scenario.run.seed));
  Sweep sweep = plan_sweep(std::move(loaded), std::move(dimensions));
  SweepForms forms{.csv = csv, .json = arguments.has("json"), .pareto = pareto_of(arguments, sweep)};
  forms.width = terminal_width();
  forms.plots = plots.value() && points.ordered() ? sweep.dimensions.back().pointers.size() : 0;
  const std::vector<std::string> base_texts = arguments.all("against-point");
  std::optional<PlannedPoint> base_point;
  if (!base_texts.empty()) base_point = named_point(sweep, base_texts, "--against-point");
  if (base_point) forms.base = sweep.at(*base_point);
  points.keep_shard(sweep.points);

  // Nothing is written before all that was asked for has been found possible.
  SweepRows rows(sweep, forms);
  std::optional<SweepStore> store;
  if (out) store.emplace(*out, sweep, options, arguments.has("resume"));
  SweepMemory* memory = store ? &*store : nullptr;
  const Interrupts::Orderly orderly(session.interrupts);
  std::optional<Base> base;
  try {
    if (base_point) base.emplace(sweep, *base_point, options, memory);
    run_sweep(sweep, options, base ? base->memory() : memory, [&](const SweepRow& row) {
      const auto differences = base ? base->differences(row) : std::vector<PairedDifference>{};
      if (store && base) store->keep_differences(row.point, base->point(), differences);
      rows.add(row, differences);
    });
  } catch (const Interrupted&) {
    session.console.note(where_it_ended(rows.size(), sweep.points.size(), out));
    throw;
  }
  Pieces pieces([&](std::string_view text) { session.console.data(text); });
  rows.finish(pieces);
  pieces.flush();
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
           {.name = "against-point",
            .argument = "PTR=VALUE",
            .sentence =
                "also every point's paired differences from the one with this value (repeated: these values; N: the "
                "N-th point), with 95 % intervals"},
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
            .sentence = "with --sensitivity, --find or --pareto: which, if there are several"},
           plot_option()}),
      .examples = {{{"sweep pi4-native --vary /board/clock_mhz=600,1000,1500", "what a faster clock brings"},
                    {"sweep pi4-native --sensitivity", "which costs to measure next"},
                    {"sweep pi4-native --vary /run/seed=1:5:1 --vary /board/clock_mhz=600,1500 --csv -",
                     "a grid of two, CSV on standard output"}}},
      .run = run};
}

}  // namespace vecusim
