// The slowest flights of a scenario, and the part that made each slow.
#include "analysis/explain.hpp"

#include <array>
#include <utility>

#include "analysis/text_layout.hpp"

namespace vecusim {
namespace {

/// What happened during a wait of each kind.
constexpr std::array<std::string_view, kWaits> kWaitClauses = {
    "behind other work at the same server or on the same CPU",
    "while the hypervisor worked on the CPU",
    "while another vCPU ran",
    "while the rate limit kept another vCPU running",
    "because the vCPU had used up its budget",
    "because the vCPU was parked by its cap",
    "outside the vCPU's slot",
    "because the vCPU may not run on the pCPU that was free",
    "while interrupts or preemption were off",
    "while the guest's scheduler ran another thread",
    "for a lock that was held",
    "while the device collected events",
    "on the way through a program outside the guest",
};

/// A stage's service, or one kind of its waits.
struct Cause {
  std::size_t stage = 0;
  /// kWaits means service.
  std::size_t kind = kWaits;
  Duration time{};
  double excess_us = 0.0;

  bool exceeds(const Cause& other) const { return std::pair(excess_us, time) > std::pair(other.excess_us, other.time); }
};

Cause find_cause(const Explanation::Interrupt& interrupt, const WorstFlight& flight) {
  const auto n = static_cast<double>(interrupt.n);
  Cause main;
  bool first = true;
  const auto consider = [&](std::size_t stage, std::size_t kind, Duration time, Duration sum) {
    const Cause cause{stage, kind, time, to_us(time) - to_us(sum) / n};
    if (first || cause.exceeds(main)) main = cause;
    first = false;
  };
  for (std::size_t stage = 0; stage < flight.stages.size(); ++stage) {
    const StageTime& spent = flight.stages[stage];
    const StageSum& all = interrupt.sums[stage];
    consider(stage, kWaits, spent.service, all.service);
    for (std::size_t kind = 0; kind < kWaits; ++kind) consider(stage, kind, spent.waits[kind], all.waits[kind]);
  }
  return main;
}

}  // namespace

Explanation explain(const LoadedScenario& loaded, const RunOptions& options, std::size_t worst) {
  const Scenario scenario = with_options(loaded.scenario, options);
  return explanation_of(scenario, run_replications(scenario, worst, options.parallel));
}

Explanation explanation_of(const Scenario& scenario, Tally tally) {
  Explanation result;
  result.title = scenario.title;
  result.seed = scenario.run.seed;
  result.replications = tally.replications;
  for (std::size_t i = 0; i < tally.latency.size(); ++i) {
    SystemView::InterruptView& view = tally.view.interrupts[i];
    LatencyTally& latency = tally.latency[i];
    Explanation::Interrupt& interrupt = result.interrupts.emplace_back();
    interrupt.name = std::move(view.name);
    interrupt.from = std::move(view.from);
    interrupt.to = std::move(view.to);
    interrupt.stages = std::move(view.stages);
    interrupt.n = latency.samples.n();
    if (interrupt.n > 0) interrupt.p50 = OrderStatistics(latency.samples).quantile(0.5);
    interrupt.sums = std::move(latency.stages);
    interrupt.worst = std::move(tally.worst[i]);
  }
  return result;
}

std::string_view clause_of(Wait wait) { return kWaitClauses[static_cast<std::size_t>(wait)]; }

std::string main_cause(const Explanation::Interrupt& interrupt, const WorstFlight& flight) {
  const Cause cause = find_cause(interrupt, flight);
  const std::string& stage = interrupt.stages[cause.stage];
  std::string text = four_digits(cause.time) + " µs ";
  if (cause.kind == kWaits) {
    text += "of work in \"" + stage + "\"";
  } else {
    text += "of waiting in \"" + stage + "\" " + std::string(clause_of(static_cast<Wait>(cause.kind)));
    const std::string& blamed = flight.blamed[cause.stage];
    if (!blamed.empty()) text += ", longest for " + blamed;
  }
  if (cause.excess_us > 0.0) text += ": " + four_digits(cause.excess_us) + " µs more than in the mean";
  return text + ".";
}

}  // namespace vecusim
