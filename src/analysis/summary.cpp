// Percentiles, intervals and verdicts.
#include "analysis/summary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "system/json_fields.hpp"

namespace vecusim {
namespace {

constexpr double kPpm = 1e6;

/// Late answers are counted against older stimuli where the bench sees the edges; a handler's time stamp belongs to its
/// own stimulus in any case.
bool counted(const MeasureConfig& measure) {
  return measure.late_answer == LateAnswer::counted && measure.from == Point::edge;
}

/// How dependent samples of a group are near the quantile: from the groups' shares below it while the single samples
/// are known, else from their means.
double dependence(const Samples& samples, const std::vector<Group>& groups, Duration quantile) {
  if (!samples.exact()) return design_effect(groups, std::pow(samples.std_us().value_or(0.0), 2.0));
  std::vector<Group> hits;
  hits.reserve(groups.size());
  auto value = samples.values().begin();
  for (const Group& group : groups) {
    const auto end = value + static_cast<std::ptrdiff_t>(group.n);
    hits.push_back(
        {group.n, static_cast<double>(std::count_if(value, end, [&](Duration v) { return v <= quantile; }))});
    value = end;
  }
  return design_effect(hits);
}

QuantileResult quantile(const OrderStatistics& order, const Samples& samples, const std::vector<Group>& groups,
                        double p) {
  QuantileResult result;
  const std::uint64_t n = samples.n();
  if (n == 0 || !resolves(n, p)) return result;
  result.value = order.quantile(p);
  if (const std::optional<Ranks> ranks = quantile_ranks(n, p, dependence(samples, groups, *result.value))) {
    result.ci95 = DurationInterval{order.at_rank(ranks->lo), order.at_rank(ranks->hi)};
  }
  return result;
}

std::optional<bool> verdict(std::uint64_t misses, std::uint64_t trials, double percentile) {
  const double p = percentile / 100.0;
  if (p >= 1.0) return trials > 0 ? std::optional(misses == 0) : std::nullopt;
  if (!resolves(trials, p)) return std::nullopt;
  return trials - misses >= nearest_rank(trials, p);
}

RequirementResult judge(const RequirementConfig& config, std::uint64_t misses, std::uint64_t trials) {
  RequirementResult result;
  result.limit = config.limit;
  result.percentile = config.percentile;
  result.asil = config.asil;
  result.misses = misses;
  result.trials = trials;
  if (trials > 0) result.miss_ppm = static_cast<double>(misses) / static_cast<double>(trials) * kPpm;
  result.miss_ppm_upper95 = clopper_pearson_upper(misses, trials) * kPpm;
  result.met = verdict(misses, trials, config.percentile);
  return result;
}

double share_pct(Wide part, Wide whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole) * 100.0;
}

}  // namespace

bool lost_is_miss(const InterruptConfig& interrupt) { return !counted(interrupt.measure); }

LatencyResult summarize(const SystemView::InterruptView& view, const LatencyTally& tally,
                        const std::optional<RequirementConfig>& requirement, bool lost_is_miss) {
  const Samples& samples = tally.samples;
  LatencyResult result;
  result.name = view.name;
  result.from = view.from;
  result.to = view.to;
  result.n = samples.n();
  result.lost = tally.lost;
  result.merged = tally.merged;
  result.late = tally.late;
  result.sum = samples.sum();
  if (samples.n() > 0) {
    result.mean_us = samples.mean_us();
    result.min = samples.min();
    result.max = samples.max();
  }
  result.std_us = samples.std_us();
  const std::vector<Group> groups = tally.batches.groups();
  result.mean_ci95 = mean_interval(groups);
  const OrderStatistics order(samples);
  for (std::size_t i = 0; i < kLevels; ++i) {
    result.quantiles[i] = quantile(order, samples, groups, kLevelList[i].p);
  }
  result.histogram = order.bins(LatencyResult::kMostBins);
  if (requirement) {
    const std::uint64_t unanswered = lost_is_miss ? tally.lost : 0;
    result.requirement = judge(*requirement, tally.misses + unanswered, samples.n() + unanswered);
  }
  assert(view.stages.size() == tally.stages.size());
  for (std::size_t i = 0; i < tally.stages.size(); ++i) {
    result.stages.push_back({view.stages[i], tally.stages[i].service, tally.stages[i].waits});
  }
  return result;
}

std::vector<LoadResult> summarize(const LoadTally& tally) {
  std::vector<LoadResult> result;
  const Wide one_pcpu = tally.pcpus == 0 ? 0 : tally.capacity / tally.pcpus;
  for (const LoadTally::Party& party : tally.parties) {
    LoadResult& load = result.emplace_back();
    load.name = party.name;
    Wide sum = 0;
    for (std::size_t c = 0; c < kContexts; ++c) {
      load.contexts_pct[c] = share_pct(party.contexts[c], one_pcpu);
      sum += party.contexts[c];
    }
    load.pcpu_pct = share_pct(sum, one_pcpu);
    load.machine_pct = share_pct(sum, tally.capacity);
  }
  return result;
}

namespace {

// Of a datagram; of recorded ones the mean.
double payload_bytes(const FlowConfig& config) {
  if (config.arrivals != Arrivals::recorded) return static_cast<double>(config.payload_bytes());
  const double sum = std::accumulate(config.sizes_bytes.begin(), config.sizes_bytes.end(), 0.0);
  return sum / static_cast<double>(config.sizes_bytes.size()) - static_cast<double>(kWireOverhead + kHeaders);
}

}  // namespace

FlowResult summarize(const FlowConfig& config, const FlowTally& tally, Wide observed) {
  const auto per_s = [&](std::uint64_t n) {
    return observed == 0 ? 0.0 : static_cast<double>(n) / static_cast<double>(observed) * 1e12;
  };
  FlowResult result;
  result.name = config.name;
  result.offered_pps = per_s(tally.offered);
  result.delivered_pps = per_s(tally.delivered);
  result.dropped_pps = per_s(tally.dropped);
  result.goodput_mbps = result.delivered_pps * payload_bytes(config) * 8e-6;
  if (tally.batches > 0) result.batch_mean = static_cast<double>(tally.batched) / static_cast<double>(tally.batches);
  const Samples& latency = tally.latency;
  result.n = latency.n();
  result.std_us = latency.std_us();
  if (latency.n() == 0) return result;
  result.mean_us = latency.mean_us();
  result.min = latency.min();
  result.max = latency.max();
  const OrderStatistics order(latency);
  for (std::size_t i = 0; i < kLevels; ++i) {
    if (resolves(latency.n(), kLevelList[i].p)) result.quantiles[i] = order.quantile(kLevelList[i].p);
  }
  return result;
}

CounterResult summarize(const Counts& counts, Wide observed) {
  const auto rate = [&](Count what) {
    const auto n = static_cast<double>(counts[static_cast<std::size_t>(what)]);
    return observed == 0 ? 0.0 : n / static_cast<double>(observed) * 1e12;
  };
  return {rate(Count::context_switch), rate(Count::interrupt), rate(Count::migration), rate(Count::decision)};
}

std::vector<LatencyRule> latency_rules(const Scenario& scenario, const SystemView& view) {
  assert(scenario.interrupts.size() == view.interrupts.size());
  std::vector<LatencyRule> rules;
  for (std::size_t i = 0; i < scenario.interrupts.size(); ++i) {
    const InterruptConfig& interrupt = scenario.interrupts[i];
    LatencyRule& rule = rules.emplace_back();
    rule.stages = view.interrupts[i].stages.size();
    rule.late_answer = counted(interrupt.measure) ? LateAnswer::counted : LateAnswer::separate;
    if (interrupt.requirement) rule.limit = interrupt.requirement->limit;
  }
  return rules;
}

Result make_result(const Scenario& scenario, std::vector<Input> inputs, const Tally& tally) {
  Result result = make_result(scenario, tally);
  result.inputs = std::move(inputs);
  result.scenario = json::write(scenario);
  return result;
}

Result make_result(const Scenario& scenario, const Tally& tally) {
  Result result;
  result.seed = scenario.run.seed;
  result.replications = tally.replications;
  result.simulated_s = static_cast<double>(tally.simulated) / 1e12;
  result.events = tally.events;
  for (std::size_t i = 0; i < tally.latency.size(); ++i) {
    const InterruptConfig& interrupt = scenario.interrupts[i];
    result.latency.push_back(
        summarize(tally.view.interrupts[i], tally.latency[i], interrupt.requirement, lost_is_miss(interrupt)));
  }
  result.load = summarize(tally.load);
  for (std::size_t i = 0; i < tally.network.size(); ++i) {
    result.network.push_back(summarize(scenario.network->flows[i], tally.network[i], tally.observed));
  }
  result.counters = summarize(tally.counts, tally.observed);
  return result;
}

}  // namespace vecusim
