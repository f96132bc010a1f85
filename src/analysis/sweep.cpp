// The grid, and its trials as one experiment.
#include "analysis/sweep.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analysis/summary.hpp"

namespace vecusim {
namespace {

SweepPoint point_at(const std::vector<json::Variation>& variations, std::size_t index) {
  SweepPoint point;
  point.index = index;
  std::size_t rest = index;
  for (auto variation = variations.rbegin(); variation != variations.rend(); ++variation) {
    const json::Choice& choice = variation->choices[rest % variation->choices.size()];
    rest /= variation->choices.size();
    point.values.emplace_back(variation->pointer, choice.value);
    point.texts.push_back(choice.text);
  }
  std::reverse(point.values.begin(), point.values.end());
  std::reverse(point.texts.begin(), point.texts.end());
  return point;
}

/// "/costs/x/value=2, /board/clock_mhz=600"
std::string name_of(const SweepPoint& point) {
  std::string name;
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    name += (i > 0 ? ", " : "") + point.values[i].first + "=" + point.texts[i];
  }
  return name;
}

std::size_t grid_size(const std::vector<json::Variation>& variations) {
  std::size_t size = 1;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const json::Variation& variation = variations[i];
    const auto same = [&](const json::Variation& other) { return other.pointer == variation.pointer; };
    if (std::any_of(variations.begin(), variations.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      throw InvalidInput(Problem{{}, variation.pointer, "each pointer to be varied once", "it twice"});
    }
    size *= variation.choices.size();
    if (size > kMostPoints) {
      throw InvalidInput(Problem{
          {}, variation.pointer, "at most " + std::to_string(kMostPoints) + " points", "more with this variation"});
    }
  }
  return size;
}

/// A point under way. Trials are numbered through the points.
struct Planned {
  const SweepPoint* point;
  std::size_t first_trial;
};

}  // namespace

Sweep plan_sweep(LoadedScenario base, std::vector<json::Variation> variations) {
  Sweep sweep{std::move(base), std::move(variations), {}};
  const std::size_t size = grid_size(sweep.variations);
  Problems problems;
  for (std::size_t i = 0; i < size; ++i) {
    SweepPoint point = point_at(sweep.variations, i);
    try {
      point.replications = static_cast<std::uint64_t>(sweep.scenario_at(point).run.replications);
    } catch (const InvalidInput& invalid) {
      for (Problem problem : invalid.problems().kept()) {
        problem.found += " (at " + name_of(point) + ")";
        problems.add(std::move(problem));
      }
    }
    sweep.points.push_back(std::move(point));
  }
  problems.throw_if_errors();
  return sweep;
}

void run_sweep(const Sweep& sweep, const RunOptions& options, const std::function<bool(const SweepPoint&)>& wanted,
               const std::function<void(SweepRow)>& row) {
  std::vector<Planned> planned;
  std::size_t trials = 0;
  for (const SweepPoint& point : sweep.points) {
    if (wanted && !wanted(point)) continue;
    planned.push_back({&point, trials});
    trials += options.replications.value_or(point.replications);
  }
  const auto planned_at = [&](std::size_t trial) {
    const auto later = [](std::size_t index, const Planned& p) { return index < p.first_trial; };
    return std::prev(std::upper_bound(planned.begin(), planned.end(), trial, later));
  };
  const auto scenario_at = [&](const SweepPoint& point) { return with_options(sweep.scenario_at(point), options); };

  QuantileTables tables;
  Tally tally;
  run_trials(
      trials, options.parallel,
      [&](std::size_t i) {
        const auto at = planned_at(i);
        const auto replication = static_cast<std::uint32_t>(i - at->first_trial);
        return run_trial(scenario_at(*at->point), tables, replication, 0, options.parallel.stop);
      },
      [&](std::size_t i, Tally trial) {
        const auto at = planned_at(i);
        if (i == at->first_trial) {
          tally = std::move(trial);
        } else {
          tally.merge(std::move(trial));
        }
        const auto next = std::next(at);
        const std::size_t end = next == planned.end() ? trials : next->first_trial;
        if (i + 1 < end) return;
        row({*at->point, make_result(scenario_at(*at->point), sweep.base.inputs, tally)});
      });
}

}  // namespace vecusim
