// How long a bench must run: edges for a claim on one scenario, or to tell two apart, foreseen from what the model
// predicts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/claim.hpp"
#include "analysis/predictive.hpp"
#include "system/json_node.hpp"

namespace vecusim {

/// The probability with which a bench of the planned length supports a true claim.
inline constexpr double kPower = 0.9;
/// No bench is planned beyond.
inline constexpr std::uint64_t kMostPlanned = 1'000'000'000'000;

/// The answer to one claim.
struct Planned {
  std::string claim;
  /// Empty if no number would do, or none can be foreseen.
  std::optional<std::uint64_t> edges;
  /// In one sentence: what the number rests on, or why there is none.
  std::string reason;
};

/// What a model's edges were like.
struct Foreseen {
  Pool pool;
  /// Beyond the requirement's limit, or unanswered; empty without a requirement.
  std::optional<std::uint64_t> misses;
  double seconds_per_edge = 0.0;

  std::uint64_t edges() const { return pool.latencies.n() + pool.lost; }
};

/// The fewest samples that say anything of a percentile: n with p^n <= 0.05.
std::uint64_t edges_to_bound(double p);
/// The fewest samples after which no more than `misses` of them put the one-sided 95 % limit below `limit`.
std::uint64_t edges_for_misses(std::uint64_t misses, double limit);

Planned plan(const Claim& claim, const Foreseen& foreseen);

/// Edges of each of two benches to tell the means apart (two-sided test at 5 %, with kPower), and to tell the
/// distributions apart (Kolmogorov-Smirnov, the same). `difference_us`: instead of the predicted difference of means.
std::vector<Planned> plan_difference(const Foreseen& a, const Foreseen& b, std::optional<double> difference_us);

struct Plan {
  std::string scenario;
  std::string interrupt;
  double seconds_per_edge = 0.0;
  std::uint64_t simulated = 0;
  std::vector<Planned> claims;
};
/// The document `vecusim/plan/1`.
json::Node to_json(const Plan& plan);
std::string to_text(const Plan& plan);

}  // namespace vecusim
