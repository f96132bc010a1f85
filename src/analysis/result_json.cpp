// The document vecusim/result/1. Quantities that are integers inside are written exactly, as decimals of picoseconds.
#include <charconv>
#include <string>
#include <utility>

#include "analysis/load_sink.hpp"
#include "analysis/result.hpp"
#include "system/json_decimal.hpp"

namespace vecusim {
namespace {

using json::Node;

Node us(Duration time) { return Node::number(json::print_decimal(time.count(), -6)); }
Node us(const std::optional<Duration>& time) { return time ? us(*time) : Node{}; }
Node optional(const std::optional<double>& value) { return value ? Node::floating(*value) : Node{}; }

/// What rests on a law's quantile: six digits are as many as it is good for.
Node six_digits(double value) {
  std::array<char, 32> text{};
  const auto printed = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  double rounded = 0.0;
  std::from_chars(text.data(), printed.ptr, rounded);
  return Node::floating(rounded);
}

template <class T, class Print>
Node list(const std::vector<T>& values, Print print) {
  Node node = Node::array();
  for (const T& value : values) node.push_back(print(value));
  return node;
}

Node interval(const std::optional<Interval>& interval) {
  if (!interval) return {};
  return Node::array({us(from_us(interval->lo)), us(from_us(interval->hi))});
}

Node interval(const std::optional<DurationInterval>& interval) {
  if (!interval) return {};
  return Node::array({us(interval->lo), us(interval->hi)});
}

Node intervals(const LatencyResult& latency) {
  Node node = Node::object();
  node.set("mean_us", interval(latency.mean_ci95));
  for (std::size_t i = 0; i < kLevels; ++i) {
    node.set(std::string(kLevelList[i].key), interval(latency.quantiles[i].ci95));
  }
  return node;
}

Node requirement(const RequirementResult& result) {
  Node node = Node::object();
  node.set("limit_us", us(result.limit));
  node.set("percentile", Node::floating(result.percentile));
  if (!result.asil.empty()) node.set("asil", Node::string(result.asil));
  node.set("misses", Node::integer(result.misses));
  node.set("miss_ppm", Node::floating(result.miss_ppm));
  node.set("miss_ppm_upper95", six_digits(result.miss_ppm_upper95));
  node.set("met", result.met ? Node::boolean(*result.met) : Node{});
  return node;
}

/// The sums, and their means over `n` samples. Waits that never happened are left out.
Node stage(const StageResult& result, std::uint64_t n) {
  const auto mean = [n](Duration sum) {
    return n == 0 ? Node{} : Node::floating(static_cast<double>(sum.count()) / static_cast<double>(n) * 1e-6);
  };
  Node waits_ps = Node::object();
  Node waits_us = Node::object();
  for (std::size_t kind = 0; kind < kWaits; ++kind) {
    const Duration wait = result.waits[kind];
    if (wait == Duration::zero()) continue;
    waits_ps.set(std::string(kWaitNames[kind]), Node::integer(wait.count()));
    waits_us.set(std::string(kWaitNames[kind]), mean(wait));
  }
  Node node = Node::object();
  node.set("name", Node::string(result.name));
  node.set("service_ps", Node::integer(result.service.count()));
  node.set("waits_ps", std::move(waits_ps));
  node.set("service_us", mean(result.service));
  node.set("waits_us", std::move(waits_us));
  return node;
}

Node bin(const Bin& result) { return Node::array({us(result.from), us(result.below), Node::integer(result.n)}); }

Node latency(const LatencyResult& result) {
  Node node = Node::object();
  node.set("name", Node::string(result.name));
  node.set("from", Node::string(result.from));
  node.set("to", Node::string(result.to));
  node.set("n", Node::integer(result.n));
  node.set("lost", Node::integer(result.lost));
  node.set("merged", Node::integer(result.merged));
  node.set("late", Node::integer(result.late));
  node.set("sum_ps", Node::integer(result.sum.count()));
  node.set("mean_us", optional(result.mean_us));
  node.set("std_us", optional(result.std_us));
  node.set("min_us", us(result.min));
  for (std::size_t i = 0; i < kLevels; ++i) {
    node.set(std::string(kLevelList[i].key), us(result.quantiles[i].value));
  }
  node.set("max_us", us(result.max));
  node.set("ci95", intervals(result));
  if (result.requirement) node.set("requirement", requirement(*result.requirement));
  node.set("stages", list(result.stages, [&](const StageResult& part) { return stage(part, result.n); }));
  node.set("histogram", list(result.histogram, bin));
  return node;
}

Node load(const LoadResult& result) {
  Node contexts = Node::object();
  for (std::size_t c = 0; c < kContexts; ++c) {
    const bool idle = c == static_cast<std::size_t>(Context::idle);
    if (idle != (result.name == kIdleParty)) continue;
    contexts.set(std::string(kContextNames[c]), Node::floating(result.contexts_pct[c]));
  }
  Node node = Node::object();
  node.set("name", Node::string(result.name));
  node.set("pcpu_pct", Node::floating(result.pcpu_pct));
  node.set("machine_pct", Node::floating(result.machine_pct));
  node.set("contexts_pct", std::move(contexts));
  return node;
}

Node flow(const FlowResult& result) {
  Node latency = Node::object();
  latency.set("n", Node::integer(result.n));
  latency.set("mean_us", optional(result.mean_us));
  latency.set("std_us", optional(result.std_us));
  latency.set("min_us", us(result.min));
  for (std::size_t i = 0; i < kLevels; ++i) latency.set(std::string(kLevelList[i].key), us(result.quantiles[i]));
  latency.set("max_us", us(result.max));
  Node node = Node::object();
  node.set("name", Node::string(result.name));
  node.set("offered_pps", Node::floating(result.offered_pps));
  node.set("delivered_pps", Node::floating(result.delivered_pps));
  node.set("dropped_pps", Node::floating(result.dropped_pps));
  node.set("goodput_mbps", Node::floating(result.goodput_mbps));
  node.set("batch_mean", optional(result.batch_mean));
  node.set("latency", std::move(latency));
  return node;
}

Node counters(const CounterResult& result) {
  Node node = Node::object();
  node.set("context_switches_per_s", Node::floating(result.context_switches_per_s));
  node.set("interrupts_per_s", Node::floating(result.interrupts_per_s));
  node.set("migrations_per_s", Node::floating(result.migrations_per_s));
  node.set("decisions_per_s", Node::floating(result.decisions_per_s));
  return node;
}

Node input(const Input& file) {
  Node node = Node::object();
  node.set("name", Node::string(file.name));
  node.set("sha256", Node::string(file.sha256));
  return node;
}

}  // namespace

Node to_json(const Result& result) {
  Node node = Node::object();
  node.set("schema", Node::string("vecusim/result/1"));
  node.set("version", Node::string(std::string(tool_version())));
  node.set("inputs", list(result.inputs, input));
  node.set("scenario", result.scenario);
  node.set("seed", Node::integer(result.seed));
  node.set("replications", Node::integer(result.replications));
  node.set("simulated_s", Node::floating(result.simulated_s));
  node.set("events", Node::integer(result.events));
  node.set("latency", list(result.latency, latency));
  node.set("load", list(result.load, load));
  node.set("network", list(result.network, flow));
  node.set("counters", counters(result.counters));
  return node;
}

}  // namespace vecusim
