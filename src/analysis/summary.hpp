// From tallies to results: the statistics of what has been observed.
#pragma once

#include <optional>
#include <vector>

#include "analysis/result.hpp"
#include "analysis/tally.hpp"
#include "models/measure.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Whether a stimulus without an answer violates the requirement: where late answers are counted against older stimuli
/// it already shows as an answer that took too long.
bool lost_is_miss(const InterruptConfig& interrupt);

/// Names, points and stages are those of `view`. `lost_is_miss`: a stimulus without an answer violates the requirement.
LatencyResult summarize(const SystemView::InterruptView& view, const LatencyTally& tally,
                        const std::optional<RequirementConfig>& requirement, bool lost_is_miss);

std::vector<LoadResult> summarize(const LoadTally& tally);

/// `observed`: the time in which events were counted, in ps.
FlowResult summarize(const FlowConfig& config, const FlowTally& tally, Wide observed);
CounterResult summarize(const Counts& counts, Wide observed);

/// How the flights of each interrupt of `scenario` are counted.
std::vector<LatencyRule> latency_rules(const Scenario& scenario, const SystemView& view);

/// What a tally of this scenario amounts to.
Result make_result(const Scenario& scenario, std::vector<Input> inputs, const Tally& tally);
/// The same without what went into it.
Result make_result(const Scenario& scenario, const Tally& tally);

}  // namespace vecusim
