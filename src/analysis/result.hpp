// Result: what a scenario's replications have shown, as plain data, and its document vecusim/result/1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/histogram.hpp"
#include "analysis/statistics.hpp"
#include "engine/account.hpp"
#include "engine/time.hpp"
#include "engine/trace.hpp"
#include "system/json_node.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// The percentiles that a result gives: the share, and its key.
struct Level {
  double p;
  std::string_view key;
};
inline constexpr std::size_t kLevels = 5;
inline constexpr std::array<Level, kLevels> kLevelList = {
    {{0.5, "p50_us"}, {0.9, "p90_us"}, {0.99, "p99_us"}, {0.999, "p99_9_us"}, {0.9999, "p99_99_us"}}};

/// A 95 % interval between two samples.
struct DurationInterval {
  Duration lo;
  Duration hi;
};

struct QuantileResult {
  /// Empty if there are too few samples for this percentile.
  std::optional<Duration> value;
  std::optional<DurationInterval> ci95;
};

/// Sums over all samples.
struct StageResult {
  std::string name;
  Duration service{};
  std::array<Duration, kWaits> waits{};

  Duration total() const;
};

struct RequirementResult {
  Duration limit{};
  /// As in the scenario, in percent.
  double percentile = 100.0;
  std::string asil;
  /// Answers beyond the limit, and stimuli that got none (these only where late answers are told apart: otherwise they
  /// already show as an answer that took too long).
  std::uint64_t misses = 0;
  /// What `misses` is a part of.
  std::uint64_t trials = 0;
  double miss_ppm = 0.0;
  double miss_ppm_upper95 = 0.0;
  /// Empty if there are too few samples for the percentile.
  std::optional<bool> met;
};

struct LatencyResult {
  std::string name;
  std::string from;
  std::string to;
  std::uint64_t n = 0;
  std::uint64_t lost = 0;
  std::uint64_t merged = 0;
  std::uint64_t late = 0;
  Duration sum{};
  /// These five only if there are samples (the standard deviation: two, the interval: enough groups).
  std::optional<double> mean_us;
  std::optional<double> std_us;
  std::optional<Duration> min;
  std::optional<Duration> max;
  std::optional<Interval> mean_ci95;
  std::array<QuantileResult, kLevels> quantiles{};
  std::optional<RequirementResult> requirement;
  std::vector<StageResult> stages;
  /// All samples, in at most kMostBins bins.
  std::vector<Bin> histogram;

  static constexpr std::size_t kMostBins = 400;
};

/// Where the pCPUs' time went. The parties are the domains, then `hypervisor` where there is one, then `idle`; together
/// they have all of the machine.
struct LoadResult {
  std::string name;
  /// The parties' time in each context, in percent of one pCPU.
  std::array<double, kContexts> contexts_pct{};
  /// The sum of these.
  double pcpu_pct = 0.0;
  /// In percent of all pCPUs together.
  double machine_pct = 0.0;
};

/// What became of a flow's frames, and how long those took that arrived: from the wire to the program, or from the
/// program's turn to the wire.
struct FlowResult {
  std::string name;
  double offered_pps = 0.0;
  double delivered_pps = 0.0;
  double dropped_pps = 0.0;
  /// Payload of UDP that arrived.
  double goodput_mbps = 0.0;
  /// Frames of one poll of the device (rx), or of one poll of netback or one doorbell (tx); empty if there was none.
  std::optional<double> batch_mean;
  std::uint64_t n = 0;
  std::optional<double> mean_us;
  std::optional<double> std_us;
  std::optional<Duration> min;
  std::optional<Duration> max;
  /// Empty where there are too few frames.
  std::array<std::optional<Duration>, kLevels> quantiles{};
};

struct CounterResult {
  double context_switches_per_s = 0.0;
  double interrupts_per_s = 0.0;
  double migrations_per_s = 0.0;
  double decisions_per_s = 0.0;
};

struct Result {
  std::vector<Input> inputs;
  /// The scenario with all defaults, and with the seed and the number of replications that were used.
  json::Node scenario;
  std::uint64_t seed = 1;
  std::uint64_t replications = 1;
  /// Over all replications, as `events`.
  double simulated_s = 0.0;
  std::uint64_t events = 0;
  std::vector<LatencyResult> latency;
  std::vector<LoadResult> load;
  std::vector<FlowResult> network;
  CounterResult counters;
};

/// The version of this program, as results name it.
std::string_view tool_version();

/// The document vecusim/result/1.
json::Node to_json(const Result& result);

/// Whether no requirement is violated; one that cannot be judged is not.
bool requirements_met(const Result& result);

/// A number of a result document by its path, names instead of indices: `latency.edge.mean_us`, `load.dom0.pcpu_pct`,
/// `latency.edge.stages.NAME.service_us`.
struct Column {
  std::string path;
  /// As it stands in the document; null where there is nothing to tell.
  json::Node value;
};
/// Every number of the document apart from its scenario, its seed and the histograms, in the document's order. Elements
/// of an interval are `….lo` and `….hi`, a verdict is true or false.
std::vector<Column> to_columns(const Result& result);

}  // namespace vecusim
