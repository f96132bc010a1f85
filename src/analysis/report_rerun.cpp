// The same version, scenario and seed give the same bytes, so a result can be looked into after the event.
#include "analysis/report_rerun.hpp"

#include <algorithm>
#include <utility>

#include "analysis/experiment.hpp"
#include "analysis/report_parts.hpp"
#include "system/json_print.hpp"
#include "system/scenario_text.hpp"

namespace vecusim::report {
namespace {

constexpr std::uint64_t kMostWorst = 10'000;
/// As many of the slowest answers as are listed, at least.
constexpr std::uint64_t kLeastWorst = 5;

/// The sums are integers: a run that differs in anything differs in one of them.
bool came_out(const json::Node& document, const Tally& tally) {
  const json::Node& list = member(document, "latency");
  if (list.items.size() != tally.latency.size()) return false;
  for (std::size_t i = 0; i < tally.latency.size(); ++i) {
    const json::Node& sum = member(list.items[i], "sum_ps");
    if (sum.as_int64() != tally.latency[i].samples.sum().count()) return false;
  }
  return true;
}

std::uint64_t worst_needed(const Side& side) {
  std::uint64_t most = kLeastWorst;
  for (const LatencyResult& latency : side.latency) {
    if (const auto tail = tail_of(latency.n)) most = std::max(most, tail->n);
  }
  return std::min(most, kMostWorst);
}

}  // namespace

std::optional<Tail> tail_of(std::uint64_t n) {
  for (const auto& [p, name] : {std::pair{0.999, "99.9 %"}, {0.99, "99 %"}, {0.9, "90 %"}}) {
    if (resolves(n, p)) return Tail{p, name, n - nearest_rank(n, p) + 1};
  }
  return std::nullopt;
}

RerunOutcome rerun(const Document& document, const Side& side, const Parallel& parallel) {
  const std::string version = text_of(document.content, "version");
  if (version != tool_version()) {
    return {{},
            "This result is of vecusim " + version + ", and this report of " + std::string(tool_version()) +
                ", which may predict otherwise: the stages of its slowest answers are not shown. Run its scenario "
                "again."};
  }
  const LoadedScenario loaded = document.in_file ? load_scenario(document.path)
                                                 : load_scenario_text(json::compact(document.content), document.path);
  Tally tally = run_replications(loaded.scenario, worst_needed(side), parallel);
  if (!came_out(document.content, tally)) {
    return {{},
            "Running this scenario again gave other figures: the file was changed, or is of another build. The stages "
            "of its slowest answers are not shown."};
  }
  Rerun run{loaded.scenario, {}, {}};
  for (const LatencyTally& latency : tally.latency) run.values.push_back(values_of(latency.samples));
  run.explanation = explanation_of(loaded.scenario, std::move(tally));
  return {std::move(run), {}};
}

}  // namespace vecusim::report
