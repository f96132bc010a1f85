// Looks at doubled numbers of replications, each of which is computed once.
#include "analysis/until.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/summary.hpp"
#include "analysis/text_layout.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

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

Observation run_looks(const LoadedScenario& loaded, const RunOptions& options, std::uint64_t first, std::uint64_t most,
                      const std::function<bool(const Result&)>& enough) {
  Scenario scenario = with_options(loaded.scenario, options);
  QuantileTables tables;
  Tally all;
  for (std::uint64_t replications = std::min(first, most);; replications = std::min(2 * replications, most)) {
    const std::uint64_t known = all.replications;
    run_trials(
        static_cast<std::size_t>(replications - known), options.parallel,
        [&](std::size_t i) {
          return run_trial(scenario, tables, static_cast<std::uint32_t>(known + i), 0, options.parallel.stop);
        },
        [&](std::size_t, Tally tally) {
          if (all.replications == 0) {
            all = std::move(tally);
          } else {
            all.merge(std::move(tally));
          }
        });
    scenario.run.replications = static_cast<std::int64_t>(replications);
    Result result = make_result(scenario, loaded.inputs, all);
    if (enough(result) || replications >= most) return {std::move(result), std::move(all)};
  }
}

Claim stop_rule(const std::string& text, std::string_view option) {
  Problems problems;
  auto claim = parse_claim(text, problems, option);
  problems.throw_if_errors();
  if (claim && claim->kind == Claim::Kind::precise) return *std::move(claim);
  throw InvalidInput(Problem{.place = {std::make_shared<const std::string>(option), 1, 1},
                             .pointer = "",
                             .expected = "\"p99_us ± 2%\" or \"mean ± 1%\"",
                             .found = json::quoted(text)});
}

UntilResult run_until(const LoadedScenario& loaded, const RunOptions& options, const Claim& claim, std::uint64_t most) {
  UntilResult until;
  const std::uint64_t first = std::max(options.replications.value_or(0), kFirstLook);
  until.observed = run_looks(loaded, options, first, most, [&](const Result& result) {
    const StopCheck check = check_precision(result, claim);
    until.met = check.met;
    until.explanation += std::to_string(result.replications) + " replications: " + check.explanation + "\n";
    return check.met;
  });
  return until;
}

}  // namespace vecusim
