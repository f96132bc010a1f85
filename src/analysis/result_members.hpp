// The members of a result's document, said once for all that is made of them: the document itself, and columns.
//
// An Out has
//   text(key, text)            what is no number
//   number(key, node)          a number, a verdict, or null
//   interval(key, interval)    an optional one
//   object(key, members)       calls `members`
//   list(key, items, members)  calls `members(item)` for each item, whose `name` stands for its place
//   whole(key, make)           what belongs into the document only: make() is its node
#pragma once

#include <array>
#include <charconv>
#include <string>

#include "analysis/load_sink.hpp"
#include "analysis/result.hpp"
#include "system/json_decimal.hpp"

namespace vecusim {

/// Quantities that are integers inside are written exactly, as decimals of picoseconds.
inline json::Node us(Duration time) { return json::Node::number(json::print_decimal(time.count(), -6)); }
inline json::Node us(const std::optional<Duration>& time) { return time ? us(*time) : json::Node{}; }
inline json::Node optional(const std::optional<double>& value) {
  return value ? json::Node::floating(*value) : json::Node{};
}

/// What rests on a law's quantile: six digits are as many as it is good for.
inline json::Node six_digits(double value) {
  std::array<char, 32> text{};
  const auto printed = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  double rounded = 0.0;
  std::from_chars(text.data(), printed.ptr, rounded);
  return json::Node::floating(rounded);
}

template <class Out>
void members(const RequirementResult& result, Out& out) {
  out.number("limit_us", us(result.limit));
  out.number("percentile", json::Node::floating(result.percentile));
  if (!result.asil.empty()) out.text("asil", result.asil);
  out.number("misses", json::Node::integer(result.misses));
  out.number("miss_ppm", json::Node::floating(result.miss_ppm));
  out.number("miss_ppm_upper95", six_digits(result.miss_ppm_upper95));
  out.number("met", result.met ? json::Node::boolean(*result.met) : json::Node{});
}

/// The sums, and their means over `n` samples. Waits that never happened are left out.
template <class Out>
void members(const StageResult& result, std::uint64_t n, Out& out) {
  const auto mean = [n](Duration sum) {
    if (n == 0) return json::Node{};
    return json::Node::floating(static_cast<double>(sum.count()) / static_cast<double>(n) * 1e-6);
  };
  const auto waits = [&](const auto& shown) {
    for (std::size_t kind = 0; kind < kWaits; ++kind) {
      const Duration wait = result.waits[kind];
      if (wait != Duration::zero()) out.number(kWaitNames[kind], shown(wait));
    }
  };
  out.text("name", result.name);
  out.number("service_ps", json::Node::integer(result.service.count()));
  out.object("waits_ps", [&] { waits([](Duration wait) { return json::Node::integer(wait.count()); }); });
  out.number("service_us", mean(result.service));
  out.object("waits_us", [&] { waits(mean); });
}

json::Node to_json(const std::vector<Bin>& histogram);

template <class Out>
void members(const LatencyResult& result, Out& out) {
  out.text("name", result.name);
  out.text("from", result.from);
  out.text("to", result.to);
  out.number("n", json::Node::integer(result.n));
  out.number("lost", json::Node::integer(result.lost));
  out.number("merged", json::Node::integer(result.merged));
  out.number("late", json::Node::integer(result.late));
  out.number("sum_ps", json::Node::integer(result.sum.count()));
  out.number("mean_us", optional(result.mean_us));
  out.number("std_us", optional(result.std_us));
  out.number("min_us", us(result.min));
  for (std::size_t i = 0; i < kLevels; ++i) out.number(kLevelList[i].key, us(result.quantiles[i].value));
  out.number("max_us", us(result.max));
  out.object("ci95", [&] {
    out.interval("mean_us", result.mean_ci95);
    for (std::size_t i = 0; i < kLevels; ++i) out.interval(kLevelList[i].key, result.quantiles[i].ci95);
  });
  if (result.requirement) out.object("requirement", [&] { members(*result.requirement, out); });
  out.list("stages", result.stages, [&](const StageResult& stage) { members(stage, result.n, out); });
  out.whole("histogram", [&] { return to_json(result.histogram); });
}

template <class Out>
void members(const LoadResult& result, Out& out) {
  out.text("name", result.name);
  out.number("pcpu_pct", json::Node::floating(result.pcpu_pct));
  out.number("machine_pct", json::Node::floating(result.machine_pct));
  out.object("contexts_pct", [&] {
    for (std::size_t c = 0; c < kContexts; ++c) {
      const bool idle = c == static_cast<std::size_t>(Context::idle);
      if (idle == (result.name == kIdleParty)) {
        out.number(kContextNames[c], json::Node::floating(result.contexts_pct[c]));
      }
    }
  });
}

template <class Out>
void members(const FlowResult& result, Out& out) {
  out.text("name", result.name);
  out.number("offered_pps", json::Node::floating(result.offered_pps));
  out.number("delivered_pps", json::Node::floating(result.delivered_pps));
  out.number("dropped_pps", json::Node::floating(result.dropped_pps));
  out.number("goodput_mbps", json::Node::floating(result.goodput_mbps));
  out.number("batch_mean", optional(result.batch_mean));
  out.object("latency", [&] {
    out.number("n", json::Node::integer(result.n));
    out.number("mean_us", optional(result.mean_us));
    out.number("std_us", optional(result.std_us));
    out.number("min_us", us(result.min));
    for (std::size_t i = 0; i < kLevels; ++i) out.number(kLevelList[i].key, us(result.quantiles[i]));
    out.number("max_us", us(result.max));
  });
}

template <class Out>
void members(const CounterResult& result, Out& out) {
  out.number("context_switches_per_s", json::Node::floating(result.context_switches_per_s));
  out.number("interrupts_per_s", json::Node::floating(result.interrupts_per_s));
  out.number("migrations_per_s", json::Node::floating(result.migrations_per_s));
  out.number("decisions_per_s", json::Node::floating(result.decisions_per_s));
}

json::Node to_json(const std::vector<Input>& inputs);

template <class Out>
void members(const Result& result, Out& out) {
  out.text("schema", "vecusim/result/1");
  out.text("version", tool_version());
  out.whole("inputs", [&] { return to_json(result.inputs); });
  out.whole("scenario", [&] { return result.scenario; });
  out.number("seed", json::Node::integer(result.seed));
  out.whole("replications", [&] { return json::Node::integer(result.replications); });
  out.number("simulated_s", json::Node::floating(result.simulated_s));
  out.number("events", json::Node::integer(result.events));
  out.list("latency", result.latency, [&](const LatencyResult& latency) { members(latency, out); });
  out.list("load", result.load, [&](const LoadResult& load) { members(load, out); });
  out.list("network", result.network, [&](const FlowResult& flow) { members(flow, out); });
  out.object("counters", [&] { members(result.counters, out); });
}

}  // namespace vecusim
