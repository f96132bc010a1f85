// Sample sizes from quantile ranks, binomial limits and the power of two tests.
#include "analysis/plan.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "analysis/distance.hpp"
#include "analysis/statistics.hpp"
#include "analysis/text_layout.hpp"
#include "analysis/two_sample.hpp"

namespace vecusim {
namespace {

constexpr double kTail = 0.05;

std::string microseconds(double us) { return four_digits(us) + " µs"; }

/// The least n from `lo` on for which `holds`, which is true of all above it; empty if it is not of kMostPlanned.
template <class Predicate>
std::optional<std::uint64_t> least(std::uint64_t lo, Predicate holds) {
  std::uint64_t hi = std::max<std::uint64_t>(lo, 1);
  while (!holds(hi)) {
    if (hi >= kMostPlanned) return std::nullopt;
    lo = hi + 1;
    hi = std::min(2 * hi, kMostPlanned);
  }
  return first_of(lo, hi, holds);
}

Planned precise_mean(const Claim& claim, const Foreseen& foreseen) {
  const double mean = foreseen.pool.latencies.mean_us();
  const double reach = claim.limit * mean;
  const double z = normal_quantile(1.0 - 0.5 * kTail);
  const double n = std::ceil(effective_variance(foreseen.pool) * z * z / (reach * reach));
  return {claim.text, static_cast<std::uint64_t>(std::max(2.0, n)),
          "mean " + microseconds(mean) + ", standard deviation " +
              microseconds(std::sqrt(effective_variance(foreseen.pool))) + " as it counts in a mean"};
}

/// The interval between the order statistics that hold the percentile, as wide as the pool foresees it.
Planned precise_percentile(const Claim& claim, const Foreseen& foreseen) {
  const double p = *claim.figure.level;
  const Samples& samples = foreseen.pool.latencies;
  const OrderStatistics order(samples);
  const double value = to_us(order.quantile(p));
  const auto within = [&](std::uint64_t n) {
    const auto ranks = quantile_ranks(n, p);
    if (!ranks) return false;
    const auto count = static_cast<double>(n);
    const double lo = to_us(order.quantile(std::clamp(static_cast<double>(ranks->lo) / count, 1e-9, 1.0)));
    const double hi = to_us(order.quantile(static_cast<double>(ranks->hi) / count));
    return hi - value <= claim.limit * value && value - lo <= claim.limit * value;
  };
  const auto n = least(edges_to_bound(p), within);
  const std::string rests = claim.figure.name + " " + microseconds(value);
  if (!n) return {claim.text, {}, rests + "; the law of the latencies has a gap there that no number of edges closes"};
  if (static_cast<double>(samples.n()) * (1.0 - p) < 10.0) {
    return {claim.text, n, rests + ", from few simulated samples beyond it: a rough guess"};
  }
  return {claim.text, n, rests + "; the interval lies between the order statistics that hold it"};
}

Planned rare_misses(const Claim& claim, const Foreseen& foreseen) {
  if (!foreseen.misses) return {claim.text, {}, "the scenario has no requirement, so nothing is a miss"};
  const auto misses = static_cast<double>(*foreseen.misses);
  const auto edges = static_cast<double>(foreseen.edges());
  const double rate = misses / edges;
  const std::string rests =
      std::to_string(*foreseen.misses) + " of " + std::to_string(foreseen.edges()) + " simulated edges missed (below " +
      four_digits(1e6 * clopper_pearson_upper(*foreseen.misses, foreseen.edges())) + " ppm with 95 % confidence)";
  if (rate >= claim.limit) return {claim.text, {}, rests + ": the claim is not true in the model"};
  // As many misses as the planned bench can be expected to stay below.
  const auto enough = [&](std::uint64_t allowed) {
    const std::uint64_t n = edges_for_misses(allowed, claim.limit);
    return n >= kMostPlanned || binomial_cdf(allowed, n, rate) >= kPower;
  };
  const auto allowed = least(0, enough);
  const std::uint64_t n = allowed ? edges_for_misses(*allowed, claim.limit) : kMostPlanned;
  if (n >= kMostPlanned) return {claim.text, {}, rests + ": too close to the claim to be shown below it"};
  return {claim.text, n, rests + "; the bench may show up to " + std::to_string(*allowed)};
}

}  // namespace

std::uint64_t edges_to_bound(double p) {
  return static_cast<std::uint64_t>(std::ceil(std::log(kTail) / std::log(p) * (1.0 - 1e-12)));
}

std::uint64_t edges_for_misses(std::uint64_t misses, double limit) {
  return least(misses + 1, [&](std::uint64_t n) { return clopper_pearson_upper(misses, n) < limit; })
      .value_or(kMostPlanned);
}

Planned plan(const Claim& claim, const Foreseen& foreseen) {
  if (claim.kind == Claim::Kind::bounded) {
    const double p = *claim.figure.level;
    return {claim.text, edges_to_bound(p),
            "with 95 % confidence the slowest of so many lies above the percentile, whatever the law"};
  }
  if (foreseen.pool.latencies.n() < 2) return {claim.text, {}, "the model answers too few edges to foresee anything"};
  if (claim.kind == Claim::Kind::rare_misses) return rare_misses(claim, foreseen);
  return claim.figure.level ? precise_percentile(claim, foreseen) : precise_mean(claim, foreseen);
}

std::vector<Planned> plan_difference(const Foreseen& a, const Foreseen& b, std::optional<double> difference_us) {
  const double z = normal_quantile(1.0 - 0.5 * kTail) + normal_quantile(kPower);
  const double mean_a = a.pool.latencies.mean_us();
  const double mean_b = b.pool.latencies.mean_us();
  const double difference = difference_us.value_or(std::abs(mean_a - mean_b));
  const double variance = effective_variance(a.pool) + effective_variance(b.pool);
  Planned means{"means apart", {}, "means " + microseconds(mean_a) + " and " + microseconds(mean_b)};
  if (difference_us) means.claim = "means " + four_digits(*difference_us) + " µs apart";
  const double n = difference > 0.0 ? std::ceil(z * z * variance / (difference * difference)) : HUGE_VAL;
  if (n < static_cast<double>(kMostPlanned)) {
    means.edges = static_cast<std::uint64_t>(std::max(2.0, n));
  } else {
    means.reason += ": no bench tells them apart";
  }
  if (difference_us) return {means};

  // The distance of two samples of n scatters around that of their laws by at most √(2/n) / 2.
  constexpr double kCritical = 1.3581015157406195;  // of Kolmogorov's law at 5 %
  std::vector<Duration> sorted_a = a.pool.latencies.values();
  std::vector<Duration> sorted_b = b.pool.latencies.values();
  std::sort(sorted_a.begin(), sorted_a.end());
  std::sort(sorted_b.begin(), sorted_b.end());
  const double distance = sorted_a.empty() || sorted_b.empty() ? 0.0 : kolmogorov_smirnov(sorted_a, sorted_b).distance;
  Planned laws{"distributions apart", {}, "Kolmogorov-Smirnov distance " + four_digits(distance)};
  const double least_n = 2.0 * std::pow((kCritical + 0.5 * normal_quantile(kPower)) / distance, 2.0);
  if (distance > 0.0 && least_n < static_cast<double>(sorted_a.size())) {
    laws.edges = std::max<std::uint64_t>(kLeastToCompare, static_cast<std::uint64_t>(std::ceil(least_n)));
  } else {
    laws.reason += ", which is within the simulation's own scatter";
  }
  return {means, laws};
}

namespace {

std::string duration_text(double seconds) {
  if (seconds < 120.0) return four_digits(seconds) + " s";
  if (seconds < 7200.0) return four_digits(seconds / 60.0) + " min";
  if (seconds < 172800.0) return four_digits(seconds / 3600.0) + " h";
  return four_digits(seconds / 86400.0) + " days";
}

}  // namespace

json::Node to_json(const Plan& plan) {
  using json::Node;
  Node claims = Node::array();
  for (const Planned& planned : plan.claims) {
    Node node = Node::object();
    node.set("claim", Node::string(planned.claim));
    node.set("edges", planned.edges ? Node::integer(*planned.edges) : Node{});
    node.set("bench_s",
             planned.edges ? Node::floating(static_cast<double>(*planned.edges) * plan.seconds_per_edge) : Node{});
    node.set("reason", Node::string(planned.reason));
    claims.push_back(std::move(node));
  }
  return Node::object({{"schema", Node::string("vecusim/plan/1")},
                       {"scenario", Node::string(plan.scenario)},
                       {"interrupt", Node::string(plan.interrupt)},
                       {"seconds_per_edge", Node::floating(plan.seconds_per_edge)},
                       {"simulated_edges", Node::integer(plan.simulated)},
                       {"claims", std::move(claims)}});
}

std::string to_text(const Plan& plan) {
  constexpr std::size_t kWidth = 80;
  std::string text = plan.interrupt + ": one edge every " + four_digits(1e3 * plan.seconds_per_edge) +
                     " ms; foreseen from " + std::to_string(plan.simulated) + " simulated edges\n\n";
  text += flush_left("claim", 24) + flush_right("edges", 16) + flush_right("bench time", 16) + "\n";
  for (const Planned& planned : plan.claims) {
    const std::string edges = planned.edges ? std::to_string(*planned.edges) : "–";
    const std::string time =
        planned.edges ? duration_text(static_cast<double>(*planned.edges) * plan.seconds_per_edge) : "–";
    text += flush_left(planned.claim, 24) + flush_right(edges, 16) + flush_right(time, 16) + "\n  " +
            wrapped(planned.reason, kWidth, 2, 2) + "\n";
  }
  return text;
}

}  // namespace vecusim
