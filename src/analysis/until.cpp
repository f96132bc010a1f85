// Looks at doubled numbers of replications.
#include "analysis/until.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

/// What one experiment in ten shows must have been seen before a scatter is believed: with fewer replications, stopping
/// by width picks those that have not seen it.
constexpr std::uint64_t kFirstLook = 64;

struct Seen {
  double value;
  Interval interval;
};

std::optional<Seen> seen_of(const LatencyResult& latency, const ClaimedFigure& figure) {
  if (!figure.level) {
    if (!latency.mean_us || !latency.mean_ci95) return std::nullopt;
    return Seen{*latency.mean_us, *latency.mean_ci95};
  }
  for (std::size_t i = 0; i < kLevels; ++i) {
    const QuantileResult& quantile = latency.quantiles[i];
    if (kLevelList[i].p != *figure.level || !quantile.value || !quantile.ci95) continue;
    return Seen{to_us(*quantile.value), {to_us(quantile.ci95->lo), to_us(quantile.ci95->hi)}};
  }
  return std::nullopt;
}

}  // namespace

StopCheck check_precision(const Result& result, const Claim& claim) {
  StopCheck check{!result.latency.empty(), {}};
  for (const LatencyResult& latency : result.latency) {
    if (!check.explanation.empty()) check.explanation += "; ";
    check.explanation += latency.name + ": " + claim.figure.name + " ";
    const auto seen = seen_of(latency, claim.figure);
    if (!seen) {
      check.met = false;
      check.explanation += "is not known from " + std::to_string(latency.n) + " answers";
      continue;
    }
    const double reach = std::max(seen->interval.hi - seen->value, seen->value - seen->interval.lo) / seen->value;
    check.met = check.met && reach <= claim.limit;
    check.explanation += four_digits(seen->value) + ", " + four_digits(seen->interval.lo) + " … " +
                         four_digits(seen->interval.hi) + " (± " + four_digits(100.0 * reach) + " %)";
  }
  return check;
}

UntilResult run_until(const LoadedScenario& loaded, const RunOptions& options, const Claim& claim, std::uint64_t most) {
  UntilResult until;
  RunOptions look = options;
  for (std::uint64_t replications = std::min(std::max(options.replications.value_or(0), kFirstLook), most);;
       replications = std::min(2 * replications, most)) {
    look.replications = replications;
    until.result = run_experiment(loaded, look);
    const StopCheck check = check_precision(until.result, claim);
    until.met = check.met;
    until.explanation += std::to_string(replications) + " replications: " + check.explanation + "\n";
    if (until.met || replications >= most) return until;
  }
}

}  // namespace vecusim
