// How far a value can go before a limit is broken: bisection, with the noise of the figure taken into account.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/experiment.hpp"
#include "analysis/statistics.hpp"
#include "analysis/sweep_design.hpp"
#include "system/json_node.hpp"

namespace vecusim {

/// What a result must meet: `p99_us <= 200`, `latency.edge.mean_us < 300`, `load.dom0.pcpu_pct <= 50`.
struct Limit {
  std::string text;
  /// Of a result's columns.
  std::string path;
  bool at_most;
  /// The value itself does not do.
  bool strict;
  double value;
};

/// A figure without a dot is the latency's of `interrupt`. Empty after a problem, which names `--meets`.
std::optional<Limit> parse_limit(std::string_view text, const std::optional<std::string>& interrupt,
                                 Problems& problems);

/// In this order from one end of a span to the other, if the figure is monotone.
enum class Verdict : std::uint8_t { met, unsure, unmet };

/// One value that was tried.
struct Probe {
  json::Choice value;
  std::uint64_t replications = 0;
  /// Empty if the result has no such figure: too few samples.
  std::optional<double> figure;
  /// 95 %; empty for figures without one, which are taken as they are.
  std::optional<Interval> interval;
  Verdict verdict = Verdict::unsure;
};

struct Search {
  Span span;
  Limit limit;
  /// In ascending order of their values.
  std::vector<Probe> probes = {};
  /// Whether what meets the limit lies below what does not.
  bool ascending = true;
  /// Indices into probes: the last that meets it before the first that does not, and this one; they are neighbours but
  /// for values that noise leaves open. Empty if all of the span meets it, or nothing does.
  std::optional<std::size_t> last_met = {};
  std::optional<std::size_t> first_unmet = {};
  /// One that meets it again beyond the first that does not: the figure is not monotone.
  std::optional<std::size_t> met_beyond = {};
};

/// Looks for the cliff between the ends of `span`, of which the figure is taken to be a monotone function. Each value
/// gets the replications of the options (or of the scenario); of a figure with an interval kFirstLook of them or more,
/// doubled up to 32 times as many while the limit lies within the interval. All values share their randomness. Throws
/// InvalidInput if a value is none, or if the result has no such figure.
Search find_limit(const LoadedScenario& loaded, const Span& span, const Limit& limit, const RunOptions& options);

/// vecusim/search/1
json::Node to_json(const Search& search);
/// For a terminal of 80 columns.
std::string to_text(const Search& search);

}  // namespace vecusim
