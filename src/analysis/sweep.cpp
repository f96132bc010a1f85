// The grid, and its trials as one experiment.
#include "analysis/sweep.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
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

/// The points under way. Trials are numbered through them; a point of which everything is there already has none.
class SweepRun {
 public:
  SweepRun(const Sweep& sweep, const RunOptions& options, SweepMemory* memory,
           const std::function<void(const SweepRow&)>& row)
      : sweep_(sweep), options_(options), memory_(memory), row_(row) {
    for (const SweepPoint& point : sweep.points) {
      const std::uint64_t known = memory == nullptr ? 0 : memory->replications(point);
      points_.push_back({&point, known, trials_});
      trials_ += std::max(options.replications.value_or(point.replications), known) - known;
    }
  }

  void run() {
    finish_known();
    run_trials(
        trials_, options_.parallel, [this](std::size_t trial) { return run_one(trial); },
        [this](std::size_t trial, Tally tally) { reduce(trial, std::move(tally)); });
  }

 private:
  struct Planned {
    const SweepPoint* point;
    std::uint64_t known;
    std::size_t first_trial;
  };

  std::size_t end_of(std::size_t index) const {
    return index + 1 < points_.size() ? points_[index + 1].first_trial : trials_;
  }
  bool all_known(std::size_t index) const { return points_[index].first_trial == end_of(index); }
  /// Trials of one point share its scenario.
  std::shared_ptr<const Scenario> scenario_of(const SweepPoint& point) {
    const std::lock_guard lock(mutex_);
    auto& scenario = scenarios_[point.index];
    if (!scenario) scenario = std::make_shared<const Scenario>(with_options(sweep_.scenario_at(point), options_));
    return scenario;
  }

  Tally run_one(std::size_t trial) {
    const auto later = [](std::size_t index, const Planned& p) { return index < p.first_trial; };
    const Planned& at = *std::prev(std::upper_bound(points_.begin(), points_.end(), trial, later));
    const auto replication = static_cast<std::uint32_t>(at.known + (trial - at.first_trial));
    return run_trial(*scenario_of(*at.point), tables_, replication, 0, options_.parallel.stop);
  }

  void reduce(std::size_t trial, Tally tally) {
    const Planned& at = points_[next_];
    if (trial > at.first_trial) {
      tally_.merge(std::move(tally));
    } else if (at.known > 0) {
      tally_ = remembered(*at.point, tally.view);
      tally_.merge(std::move(tally));
    } else {
      tally_ = std::move(tally);
    }
    if (trial + 1 < end_of(next_)) return;
    finish(*at.point, true);
    finish_known();
  }

  Tally remembered(const SweepPoint& point, SystemView view) const {
    Tally tally = memory_->tally(point);
    tally.view = std::move(view);
    return tally;
  }

  void finish_known() {
    while (next_ < points_.size() && all_known(next_)) {
      const SweepPoint& point = *points_[next_].point;
      tally_ = remembered(point, Replication(*scenario_of(point), tables_, 0, 0).view());
      finish(point, false);
    }
  }

  void finish(const SweepPoint& point, bool fresh) {
    const SweepRow row{point, make_result(*scenario_of(point), tally_)};
    if (fresh && memory_ != nullptr) memory_->keep(row, tally_);
    row_(row);
    const std::lock_guard lock(mutex_);
    scenarios_.erase(point.index);
    ++next_;
  }

  const Sweep& sweep_;
  const RunOptions& options_;
  SweepMemory* memory_;
  const std::function<void(const SweepRow&)>& row_;
  std::vector<Planned> points_;
  std::size_t trials_ = 0;
  QuantileTables tables_;
  std::mutex mutex_;
  std::map<std::size_t, std::shared_ptr<const Scenario>> scenarios_;  // of points under way, by index
  Tally tally_;                                                       // of the point whose row comes next …
  std::size_t next_ = 0;                                              // … which is this one
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

void run_sweep(const Sweep& sweep, const RunOptions& options, SweepMemory* memory,
               const std::function<void(const SweepRow&)>& row) {
  SweepRun(sweep, options, memory, row).run();
}

}  // namespace vecusim
