// Whether one result is better than another: what changed, by how much, and whether so many samples can show it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/result.hpp"
#include "analysis/statistics.hpp"
#include "analysis/two_sample.hpp"

namespace vecusim {

/// One of the two: a result, or what a bench has measured.
struct Side {
  std::string name;
  std::vector<LatencyResult> latency;
  std::vector<LoadResult> load;
  std::vector<FlowResult> network = {};
  /// Of a result.
  std::optional<std::uint64_t> replications = {};
};

/// A result document, or bench data of any form, in which case each row or the sample as a whole is a latency. Throws
/// InvalidInput.
Side read_side(const std::string& path);
/// The same of a text that is known by this name.
Side read_side_text(const std::string& content, const std::string& name);
/// A result document that has been parsed; `name` is for people.
Side read_side(const std::string& name, const json::Node& result);

/// A figure of both, in the unit of its name.
struct Difference {
  std::string figure;
  double before;
  double after;
  /// Of after - before, 95 %, both taken as independent; empty if one of them has no interval of its own.
  std::optional<Interval> interval95;

  double change() const { return after - before; }
  /// Whether the interval leaves out 0.
  bool shown() const { return interval95 && (interval95->lo > 0.0 || interval95->hi < 0.0); }
};

/// The difference of two estimates from their own intervals.
/// Source: G. Y. Zou, A. Donner, Statistics in Medicine 27 (2008) 1693.
Interval difference_interval(double before, const Interval& of_before, double after, const Interval& of_after);

/// What has become of a requirement.
struct VerdictChange {
  std::optional<bool> before;
  std::optional<bool> after;
};

struct ComparedLatency {
  std::string name;
  std::uint64_t n_before = 0;
  std::uint64_t n_after = 0;
  std::vector<Difference> figures;
  /// Figures whose interval `before` has and `after` has not: too few samples.
  std::vector<std::string> lost_figures = {};
  /// Only if both have the requirement.
  std::optional<VerdictChange> verdict;
  bool requirement_gone = false;
  /// Of the whole distributions.
  TwoSampleOutcome distributions;

  /// Whether intervals of so few samples say anything: as many as distributions take to be compared.
  bool enough() const { return std::min(n_before, n_after) >= kLeastToCompare; }
};

/// Frames per second and latencies of a flow, without intervals.
struct ComparedFlow {
  std::string name;
  std::vector<Difference> figures;
};

struct Comparison {
  std::string before;
  std::string after;
  /// Those whose verdict changed first.
  std::vector<ComparedLatency> latency;
  /// Loads in percent of one pCPU, of domains that both have.
  std::vector<Difference> load;
  std::vector<ComparedFlow> network;
  /// Names of interrupts that only one side has.
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
  /// Flows that only `before` has.
  std::vector<std::string> lost_flows;
  /// Sides whose intervals are of one replication: names.
  std::vector<std::string> single;

  /// What `before` has to be judged by and `after` has not, in words.
  std::vector<std::string> missing() const;
  /// Whether a gate has anything to judge: a requirement, or figures with intervals of enough samples.
  bool judges() const;
  /// A requirement is no longer met, a latency is surely greater, or something is missing.
  bool worse() const;
};

/// Latencies are matched by name; where each side has one, they are matched whatever they are called.
Comparison compare(const Side& before, const Side& after);

/// vecusim/comparison/1
json::Node to_json(const Comparison& comparison);
/// For a terminal of 80 columns.
std::string to_text(const Comparison& comparison);

}  // namespace vecusim
