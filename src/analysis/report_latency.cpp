// Figures, histogram, curves, stages.
#include "analysis/report_latency.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "analysis/text_layout.hpp"
#include "system/json_decimal.hpp"

namespace vecusim::report {
namespace {

using json::Node;

constexpr std::size_t kCurvePoints = 400;
constexpr std::size_t kListed = 5;
constexpr std::string_view kSimulated = "simulated";

std::optional<double> limit_us(const LatencyView& view) {
  return number_of(member(view.node, "requirement"), "limit_us");
}

/// The parts of a stage, work first: its name, and what it took.
struct StagePart {
  std::size_t stage;
  /// kWaits means work.
  std::size_t kind;
};

template <class Stage>
Duration time_of(const Stage& stage, std::size_t kind) {
  return kind == kWaits ? stage.service : stage.waits[kind];
}

std::string_view kind_name(std::size_t kind) { return kind == kWaits ? std::string_view("work") : kWaitNames[kind]; }

// ---- figures ----

Part figures_part(const LatencyView& view) {
  Part part("figures", view.id + "-figures", "Figures",
            {{"figure", "figure"}, {"value", "value", "µs"}, {"lo", "95 % from", "µs"}, {"hi", "to", "µs"}});
  const LatencyResult& latency = view.figures;
  const auto row = [&](std::string_view name, const std::optional<double>& value, const std::optional<Interval>& ci) {
    part.row(
        {Node::string(std::string(name)), number(value), ci ? number(ci->lo) : Node{}, ci ? number(ci->hi) : Node{}});
  };
  const auto time = [](const std::optional<Duration>& value) {
    return value ? std::optional(to_us(*value)) : std::nullopt;
  };
  row("min", time(latency.min), {});
  row("mean", latency.mean_us, latency.mean_ci95);
  for (std::size_t i = 0; i < kLevels; ++i) {
    const QuantileResult& quantile = latency.quantiles[i];
    const auto& ci = quantile.ci95;
    row(name_and_unit(kLevelList[i].key).name, time(quantile.value),
        ci ? std::optional(Interval{to_us(ci->lo), to_us(ci->hi)}) : std::nullopt);
  }
  row("max", time(latency.max), {});
  part.note("Of " + count_of(latency.n, "answer", "answers") +
            ". A percentile is left out where so few cannot carry it. The greatest value is the greatest observed, not "
            "a bound.");
  return part;
}

// ---- distribution ----

void mark_limit(Part& part, const LatencyView& view) {
  if (const auto limit = limit_us(view)) part.set("limit", number(*limit));
}

Part histogram_part(const LatencyView& view) {
  Part part("histogram", view.id + "-histogram", "Latency histogram",
            {{"series", "series"}, {"from", "from", "µs"}, {"below", "below", "µs"}, {"n", "samples"}});
  std::vector<const Values*> all = {&view.values};
  if (!view.measured.empty()) all.push_back(&view.measured);
  const bool some = std::any_of(all.begin(), all.end(), [](const Values* values) { return !values->empty(); });
  const Edges edges = some ? edges_for(all) : Edges{};
  const auto series = [&](std::string_view name, const Values& values) {
    if (values.empty()) return;
    const std::vector<std::uint64_t> n = counts(edges, values);
    for (std::size_t i = 0; i < n.size(); ++i) {
      part.row({Node::string(std::string(name)), us(edges.at[i]), us(edges.at[i + 1]), Node::integer(n[i])});
    }
  };
  series(kSimulated, view.values);
  series(view.measured_name, view.measured);
  part.set("logarithmic", Node::boolean(edges.logarithmic));
  mark_limit(part, view);
  part.note(
      "Samples per bin on a logarithmic axis, so that a single outlier is seen. The rightmost step is the slowest "
      "answer.");
  return part;
}

Part curve_part(const LatencyView& view, std::string_view kind, std::string title, std::string axis, bool beyond) {
  Part part(kind, view.id + "-" + std::string(kind), std::move(title),
            {{"series", "series"}, {"value", "latency", "µs"}, {"share", std::move(axis)}});
  const auto series = [&](std::string_view name, const Values& values) {
    for (const Share& share : shares(values, kCurvePoints)) {
      part.row({Node::string(std::string(name)), us(share.value), number(beyond ? share.beyond : share.at_most)});
    }
  };
  series(kSimulated, view.values);
  series(view.measured_name, view.measured);
  mark_limit(part, view);
  return part;
}

// ---- stages ----

/// All parts of all stages that ever took time, in the path's order.
std::vector<StagePart> stage_parts(const Explanation::Interrupt& interrupt) {
  std::vector<StagePart> parts;
  for (std::size_t stage = 0; stage < interrupt.sums.size(); ++stage) {
    parts.push_back({stage, kWaits});
    for (std::size_t wait = 0; wait < kWaits; ++wait) {
      const bool ever = interrupt.sums[stage].waits[wait] != Duration::zero() ||
                        std::any_of(interrupt.worst.begin(), interrupt.worst.end(), [&](const WorstFlight& flight) {
                          return flight.stages[stage].waits[wait] != Duration::zero();
                        });
      if (ever) parts.push_back({stage, wait});
    }
  }
  return parts;
}

Part stages_part(const LatencyView& view, const Explanation::Interrupt& interrupt) {
  const auto tail = tail_of(interrupt.n);
  const std::size_t slow = tail ? std::min<std::size_t>(tail->n, interrupt.worst.size()) : 0;
  const std::string tail_name = tail ? "slowest beyond " + tail->name : std::string();
  std::vector<Column> columns = {{"stage", "stage"}, {"part", "part"}, {"mean", "mean of all", "µs"}};
  if (slow > 0) columns.push_back({"tail", tail_name, "µs"});
  columns.push_back({"worst", "the slowest", "µs"});
  columns.push_back({"blamed", "in the slowest, waited longest for"});
  Part part("stages", view.id + "-stage-times", "Where the time goes", std::move(columns));
  const auto n = static_cast<double>(interrupt.n);
  for (const StagePart& at : stage_parts(interrupt)) {
    const WorstFlight& worst = interrupt.worst.front();
    std::vector<Node> cells = {Node::string(interrupt.stages[at.stage]), Node::string(std::string(kind_name(at.kind))),
                               number(to_us(time_of(interrupt.sums[at.stage], at.kind)) / n)};
    if (slow > 0) {
      Duration sum{};
      for (std::size_t i = 0; i < slow; ++i) sum += time_of(interrupt.worst[i].stages[at.stage], at.kind);
      cells.push_back(number(to_us(sum) / static_cast<double>(slow)));
    }
    cells.push_back(us(time_of(worst.stages[at.stage], at.kind)));
    cells.push_back(at.kind == kWaits ? Node{} : Node::string(worst.blamed[at.stage]));
    part.row(std::move(cells));
  }
  std::string note = "Each bar is a whole latency, stage after stage from the edge to the answer; hatched is waiting.";
  if (slow > 0)
    note += " The bar in the middle is the mean of the " + count_of(slow, "slowest answer", "slowest answers") + ".";
  part.note(std::move(note));
  return part;
}

/// Without a run only the means are known.
Part mean_stages_part(const LatencyView& view) {
  Part part("stages", view.id + "-stage-times", "Where the time goes",
            {{"stage", "stage"}, {"part", "part"}, {"mean", "mean of all", "µs"}});
  if (view.figures.n == 0) return part;
  for (const Node& stage : member(view.node, "stages").items) {
    part.row({Node::string(text_of(stage, "name")), Node::string("work"), number(number_of(stage, "service_us"))});
    for (const json::Member& wait : member(stage, "waits_us").members) {
      part.row({Node::string(text_of(stage, "name")), Node::string(wait.key), number(wait.value.as_double())});
    }
  }
  return part;
}

Part slowest_part(const LatencyView& view, const Explanation::Interrupt& interrupt) {
  Part part("table", view.id + "-slowest", "The slowest answers",
            {{"place", "no."},
             {"latency", "latency", "µs"},
             {"replication", "replication"},
             {"began", "begun at", "s"},
             {"cause", "mainly"}});
  for (std::size_t i = 0; i < std::min(kListed, interrupt.worst.size()); ++i) {
    const WorstFlight& flight = interrupt.worst[i];
    part.row({Node::integer(i + 1), us(flight.latency), Node::integer(flight.replication),
              Node::number(json::print_decimal(flight.began.time_since_epoch().count(), -12)),
              Node::string(main_cause(interrupt, flight))});
  }
  return part;
}

/// The stage that has most of the mean.
std::optional<std::string> largest_stage(const LatencyView& view) {
  const auto mean = view.figures.mean_us;
  std::string name;
  double most = 0.0;
  for (const Node& stage : member(view.node, "stages").items) {
    double total = number_of(stage, "service_us").value_or(0.0);
    for (const json::Member& wait : member(stage, "waits_us").members) total += wait.value.as_double();
    if (total <= most) continue;
    most = total;
    name = text_of(stage, "name");
  }
  if (name.empty() || !mean || *mean <= 0.0) return std::nullopt;
  return "In the mean most of the time, " + in_us(most) + " or " + digits(100.0 * most / *mean) +
         " % of it, goes to the stage " + name + ".";
}

std::optional<std::string> outliers(const LatencyView& view) {
  std::string text;
  const auto add = [&](std::string_view key, std::string_view meaning) {
    const auto n = member(view.node, key).as_uint64().value_or(0);
    if (n > 0) text += (text.empty() ? "" : ", ") + whole(n) + " " + std::string(meaning);
  };
  add("lost", "got no answer");
  add("merged", "fell together with an earlier one");
  add("late", "were answered after the next one");
  return text.empty() ? std::nullopt : std::optional("Of the stimuli " + text + ".");
}

}  // namespace

std::vector<std::string> latency_words(const LatencyView& view) {
  const LatencyResult& latency = view.figures;
  std::vector<std::string> words;
  if (!latency.mean_us || !latency.max) {
    words.push_back(latency.name + ": there was not one answer, so there is no latency to tell of.");
    return words;
  }
  std::string text = latency.name + ": from " + text_of(view.node, "from") + " to " + text_of(view.node, "to") +
                     " it takes " + in_us(*latency.mean_us) + " in the mean";
  for (std::size_t i = kLevels; i-- > 2;) {  // the greatest of p99 and beyond that there is
    if (!latency.quantiles[i].value) continue;
    text += "; " + plain(kLevelList[i].p * 100.0) + " % of the answers come within " +
            in_us(to_us(*latency.quantiles[i].value));
    break;
  }
  words.push_back(text + "; the slowest of " + whole(latency.n) + " took " + in_us(to_us(*latency.max)) + ".");
  if (auto more = outliers(view)) words.push_back(*std::move(more));
  if (view.explanation != nullptr && !view.explanation->worst.empty()) {
    words.push_back("The slowest answer is mainly " + main_cause(*view.explanation, view.explanation->worst.front()));
  } else if (auto stage = largest_stage(view)) {
    words.push_back(*std::move(stage));
  }
  return words;
}

Section latency_section(const LatencyView& view) {
  Section section(view.id, "Latency of " + view.figures.name);
  section.add(figures_part(view));
  section.add(histogram_part(view));
  section.add(curve_part(view, "cdf", "Answers within a latency (CDF)", "share within", false));
  section.add(curve_part(view, "ccdf", "Answers beyond a latency (CCDF)", "share beyond", true));
  return section;
}

Section stages_section(const LatencyView& view) {
  Section section(view.id + "-stages", "Stages of " + view.figures.name);
  if (auto stage = largest_stage(view)) section.say(*std::move(stage));
  const bool run = view.explanation != nullptr && !view.explanation->worst.empty();
  section.add(run ? stages_part(view, *view.explanation) : mean_stages_part(view));
  if (run) section.add(slowest_part(view, *view.explanation));
  return section;
}

}  // namespace vecusim::report
