// Paired differences of replications, cost by cost, and of the largest ones pair by pair.
#include "analysis/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/text_layout.hpp"
#include "analysis/validate_simulation.hpp"
#include "system/json_print.hpp"

namespace vecusim {
namespace {

/// Replications without --reps, and the fewest from which a scatter is estimated.
constexpr std::uint64_t kReplications = 20;
constexpr std::uint64_t kLeastReplications = 5;
/// How many of the largest costs are tried in pairs, and when their joint effect is worth a word.
constexpr std::size_t kPaired = 5;
constexpr double kWorthAWord = 0.1;

/// A point: some costs at other values.
using Changes = std::vector<std::pair<std::string, double>>;

/// Edges of one experiment; an interrupt that follows another has as many.
std::int64_t edges_of(const Scenario& scenario, std::size_t interrupt) {
  return scenario.interrupts[leader_of(scenario.interrupts, interrupt)].stimulus.count;
}

class Benches {
 public:
  Benches(Scenario scenario, std::size_t interrupt, Statistic statistic, const RunOptions& options)
      : scenario_(std::move(scenario)),
        interrupt_(interrupt),
        statistic_(statistic),
        options_(options),
        replications_(std::max(options.replications.value_or(kReplications), kLeastReplications)) {}

  /// What each replication shows at each point; the same randomness at all of them.
  std::vector<std::vector<double>> at(const std::vector<Changes>& points) const {
    std::vector<std::vector<double>> shown(points.size());
    std::vector<Repetition> repeats;
    for (const Changes& changes : points) {
      Scenario changed = scenario_;
      for (const auto& [name, value] : changes) changed.costs[name].value = value;
      repeats.push_back(scenario_repetition(std::move(changed), interrupt_, tables_, options_.parallel.stop));
    }
    run_trials(
        points.size() * replications_, options_.parallel,
        [&](std::size_t i) {
          const Answers answers = repeats[i / replications_](edges(), static_cast<std::uint32_t>(i % replications_));
          return values_of({statistic_}, answers).front();
        },
        [&](std::size_t i, double value) {
          if (std::isnan(value)) refuse_silence(points[i / replications_]);
          shown[i / replications_].push_back(value);
        });
    return shown;
  }

  std::uint64_t replications() const { return replications_; }
  std::int64_t edges() const { return edges_of(scenario_, interrupt_); }

 private:
  /// What does not happen has no latency to compare.
  [[noreturn]] void refuse_silence(const Changes& changes) const {
    std::string where = "none in a replication";
    for (const auto& [name, value] : changes) where += ", with /costs/" + name + "/value=" + plain(value);
    throw InvalidInput(Problem{.place = {std::make_shared<const std::string>(scenario_.title)},
                               .pointer = "/interrupts/" + std::to_string(interrupt_),
                               .expected = "answers",
                               .found = where});
  }

  Scenario scenario_;
  std::size_t interrupt_;
  Statistic statistic_;
  RunOptions options_;
  std::uint64_t replications_;
  std::shared_ptr<QuantileTables> tables_ = std::make_shared<QuantileTables>();
};

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Effect effect_of(const std::vector<double>& differences) {
  std::vector<Group> groups;
  groups.reserve(differences.size());
  for (const double difference : differences) groups.push_back({1, difference});
  return {mean_of(differences), mean_interval(groups).value_or(Interval{0.0, 0.0})};
}

std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

bool has_range(const Cost& cost) { return cost.value && cost.range.size() == 2 && cost.range[0] < cost.range[1]; }

std::vector<Interaction> interactions_of(const std::vector<CostEffect>& costs, const Benches& benches,
                                         const std::vector<double>& base) {
  const std::size_t most = std::min(kPaired, costs.size());
  std::vector<Changes> points;
  for (std::size_t i = 0; i < most; ++i) points.push_back({{costs[i].name, costs[i].range.hi}});
  for (std::size_t i = 0; i < most; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      points.push_back({{costs[i].name, costs[i].range.hi}, {costs[j].name, costs[j].range.hi}});
    }
  }
  const auto shown = benches.at(points);
  std::vector<Interaction> found;
  std::size_t at = most;
  for (std::size_t i = 0; i < most; ++i) {
    for (std::size_t j = 0; j < i; ++j, ++at) {
      const Effect beyond = effect_of(minus(minus(shown[at], shown[i]), minus(shown[j], base)));
      const double smaller = std::min(std::abs(costs[i].at_hi.change), std::abs(costs[j].at_hi.change));
      if (beyond.real() && std::abs(beyond.change) > kWorthAWord * smaller) {
        found.push_back({costs[j].name, costs[i].name, beyond});
      }
    }
  }
  return found;
}

void require_edges(const LoadedScenario& loaded, std::size_t interrupt, Statistic statistic) {
  const std::int64_t edges = edges_of(loaded.scenario, interrupt);
  const auto level = quantile_of(statistic);
  if (edges > 0 && (!level || *level == 0.5 || resolves(static_cast<std::uint64_t>(edges), *level))) return;
  const std::size_t leader = leader_of(loaded.scenario.interrupts, interrupt);
  throw InvalidInput(Problem{.place = loaded.document.place,
                             .pointer = "/interrupts/" + std::to_string(leader) + "/stimulus/count",
                             .expected = "enough edges for " + std::string(name_of(statistic)),
                             .found = std::to_string(edges)});
}

}  // namespace

double CostEffect::swing() const {
  const double lo = std::min({at_lo.change, at_hi.change, 0.0});
  const double hi = std::max({at_lo.change, at_hi.change, 0.0});
  return hi - lo;
}

double Sensitivity::together_us() const {
  double squares = 0.0;
  for (const CostEffect& cost : costs) squares += 0.25 * cost.swing() * cost.swing();
  return std::sqrt(squares);
}

Sensitivity sensitivity(const LoadedScenario& loaded, const std::optional<std::string>& interrupt, Statistic statistic,
                        const RunOptions& options) {
  const std::size_t measured = measured_interrupt(loaded, interrupt);
  require_edges(loaded, measured, statistic);
  const Scenario scenario = with_options(loaded.scenario, options);
  const Benches benches(scenario, measured, statistic, options);

  std::vector<Changes> points = {{}};
  std::vector<CostEffect> costs;
  Sensitivity result;
  for (const std::string& name : scenario.costs.names()) {
    const Cost& cost = scenario.costs.at(name);
    if (cost.law) result.laws.push_back(name);
    if (!has_range(cost)) continue;
    CostEffect effect;
    effect.name = name;
    effect.unit = cost.unit;
    effect.value = *cost.value;
    effect.range = {cost.range[0], cost.range[1]};
    effect.provenance = cost.provenance;
    effect.source = cost.source;
    costs.push_back(effect);
    points.push_back({{name, effect.range.lo}});
    points.push_back({{name, effect.range.hi}});
  }
  const auto shown = benches.at(points);
  for (std::size_t i = 0; i < costs.size(); ++i) {
    costs[i].at_lo = effect_of(minus(shown[1 + 2 * i], shown.front()));
    costs[i].at_hi = effect_of(minus(shown[2 + 2 * i], shown.front()));
  }
  std::stable_sort(costs.begin(), costs.end(),
                   [](const CostEffect& a, const CostEffect& b) { return a.swing() > b.swing(); });
  const auto idle =
      std::find_if(costs.begin(), costs.end(), [](const CostEffect& cost) { return cost.swing() == 0.0; });
  result.without_effect = static_cast<std::size_t>(costs.end() - idle);
  costs.erase(idle, costs.end());

  result.scenario = loaded.name;
  result.interrupt = scenario.interrupts[measured].name;
  result.statistic = statistic;
  result.edges = benches.edges();
  result.replications = benches.replications();
  result.base_us = mean_of(shown.front());
  result.interactions = interactions_of(costs, benches, shown.front());
  result.costs = std::move(costs);
  return result;
}

}  // namespace vecusim
