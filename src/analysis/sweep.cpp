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

SweepPoint point_at(const std::vector<Dimension>& dimensions, std::size_t index) {
  SweepPoint point{index, {}, {}};
  std::vector<std::size_t> steps(dimensions.size());
  for (std::size_t d = dimensions.size(); d-- > 0; index /= dimensions[d].steps.size()) {
    steps[d] = index % dimensions[d].steps.size();
  }
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::vector<json::Choice>& step = dimensions[d].steps[steps[d]];
    for (std::size_t i = 0; i < step.size(); ++i) {
      point.values.emplace_back(dimensions[d].pointers[i], step[i].value);
      point.texts.push_back(step[i].text);
    }
  }
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

/// Every pointer, each once.
std::vector<std::string> pointers_of(const std::vector<Dimension>& dimensions) {
  std::vector<std::string> pointers;
  for (const Dimension& dimension : dimensions) {
    for (const std::string& pointer : dimension.pointers) {
      if (std::find(pointers.begin(), pointers.end(), pointer) != pointers.end()) {
        throw InvalidInput(Problem{{}, pointer, "each pointer to be varied once", "it twice"});
      }
      pointers.push_back(pointer);
    }
  }
  return pointers;
}

std::size_t grid_size(const std::vector<Dimension>& dimensions) {
  std::size_t size = 1;
  for (const Dimension& dimension : dimensions) {
    size *= dimension.steps.size();
    if (size > kMostPoints) {
      throw InvalidInput(Problem{{},
                                 dimension.pointers.front(),
                                 "at most " + std::to_string(kMostPoints) + " points",
                                 "more with these values"});
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
    points_.reserve(sweep.points.size());
    for (const PlannedPoint& point : sweep.points) {
      const std::uint64_t known = memory == nullptr ? 0 : memory->replications(sweep.at(point));
      points_.push_back({known, trials_});
      trials_ += std::max(options.replications.value_or(point.replications), known) - known;
    }
  }

  void run(const SweepRunner& elsewhere) {
    finish_known();
    if (elsewhere) return run_with(elsewhere);
    run_trials(
        trials_, options_.parallel, [this](std::size_t trial) { return run_one(trial); },
        [this](std::size_t trial, Tally tally) { reduce(trial, std::move(tally)); });
  }

 private:
  struct Planned {
    std::uint64_t known;
    std::size_t first_trial;
  };

  std::size_t end_of(std::size_t index) const {
    return index + 1 < points_.size() ? points_[index + 1].first_trial : trials_;
  }
  bool all_known(std::size_t index) const { return points_[index].first_trial == end_of(index); }
  SweepPoint point(std::size_t index) const { return sweep_.at(sweep_.points[index]); }
  /// Trials of one point share its scenario.
  std::shared_ptr<const Scenario> scenario_of(std::size_t index) {
    const std::lock_guard lock(mutex_);
    auto& scenario = scenarios_[index];
    if (!scenario) {
      scenario = std::make_shared<const Scenario>(with_options(sweep_.scenario_at(point(index)), options_));
    }
    return scenario;
  }

  /// Whose trial it is, and which of its replications.
  std::pair<std::size_t, std::uint32_t> place_of(std::size_t trial) const {
    const auto later = [](std::size_t index, const Planned& p) { return index < p.first_trial; };
    const auto at = std::prev(std::upper_bound(points_.begin(), points_.end(), trial, later));
    return {static_cast<std::size_t>(at - points_.begin()),
            static_cast<std::uint32_t>(at->known + (trial - at->first_trial))};
  }

  Tally run_one(std::size_t trial) {
    const auto [index, replication] = place_of(trial);
    return run_trial(*scenario_of(index), tables_, replication, 0, options_.parallel.stop);
  }

  void run_with(const SweepRunner& runner) {
    const auto trial_at = [this](std::size_t trial) {
      const auto [index, replication] = place_of(trial);
      return SweepTrial{point(index), replication};
    };
    runner(trials_, trial_at, [this](std::size_t trial, Tally tally) {
      if (trial == points_[next_].first_trial) tally.view = view_of(next_);
      reduce(trial, std::move(tally));
    });
  }

  SystemView view_of(std::size_t index) { return Replication(*scenario_of(index), tables_, 0, 0).view(); }

  void reduce(std::size_t trial, Tally tally) {
    const Planned& at = points_[next_];
    if (trial == at.first_trial) tally_ = remembered(point(next_), at.known, tally.view);
    // Another process may have added this replication since the sweep was planned.
    if (at.known + (trial - at.first_trial) >= tally_.replications) {
      if (tally_.replications == 0) {
        tally_ = std::move(tally);
      } else {
        tally_.merge(std::move(tally));
      }
    }
    if (trial + 1 < end_of(next_)) return;
    finish(point(next_), true);
    finish_known();
  }

  /// What there is of a point now, which may be more than when the sweep was planned. Without replications if nothing.
  Tally remembered(const SweepPoint& point, std::uint64_t known, SystemView view) const {
    Tally tally;
    if (memory_ != nullptr && memory_->replications(point) > 0) tally = memory_->tally(point);
    if (tally.replications < known) {
      throw InvalidInput(
          Problem{{},
                  {},
                  std::to_string(known) + " replications of " + name_of(point) + ", as when the sweep began",
                  std::to_string(tally.replications)});
    }
    tally.view = std::move(view);
    return tally;
  }

  void finish_known() {
    while (next_ < points_.size() && all_known(next_)) {
      const SweepPoint known = point(next_);
      tally_ = remembered(known, points_[next_].known, view_of(next_));
      finish(known, false);
    }
  }

  void finish(const SweepPoint& point, bool fresh) {
    const SweepRow row(point, make_result(*scenario_of(next_), tally_), tally_);
    if (fresh && memory_ != nullptr) memory_->keep(row, tally_);
    row_(row);
    const std::lock_guard lock(mutex_);
    scenarios_.erase(next_);
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
  std::map<std::size_t, std::shared_ptr<const Scenario>> scenarios_;  // of points under way
  Tally tally_;                                                       // of the point whose row comes next …
  std::size_t next_ = 0;                                              // … which is this one
};

}  // namespace

const std::vector<Column>& SweepRow::columns() const {
  if (columns_.empty()) columns_ = to_columns(result);
  return columns_;
}

SweepPoint Sweep::at(const PlannedPoint& point) const { return point_at(dimensions, point.index); }

Sweep plan_sweep(LoadedScenario base, std::vector<Dimension> dimensions) {
  std::vector<std::string> pointers = pointers_of(dimensions);
  const std::size_t size = grid_size(dimensions);
  Sweep sweep{std::move(base), std::move(dimensions), std::move(pointers), {}};
  sweep.points.reserve(size);
  Problems problems;
  for (std::size_t i = 0; i < size; ++i) {
    const SweepPoint point = point_at(sweep.dimensions, i);
    sweep.points.push_back({i});
    try {
      sweep.points.back().replications = static_cast<std::uint64_t>(sweep.scenario_at(point).run.replications);
    } catch (const InvalidInput& invalid) {
      for (Problem problem : invalid.problems().kept()) {
        problem.found += " (at " + name_of(point) + ")";
        problems.add(std::move(problem));
      }
    }
  }
  problems.throw_if_errors();
  return sweep;
}

void keep_shard(std::vector<PlannedPoint>& points, std::size_t k, std::size_t n) {
  std::erase_if(points, [&](const PlannedPoint& point) { return point.index % n != k - 1; });
}

void run_sweep(const Sweep& sweep, const RunOptions& options, SweepMemory* memory,
               const std::function<void(const SweepRow&)>& row, const SweepRunner& elsewhere) {
  SweepRun(sweep, options, memory, row).run(elsewhere);
}

}  // namespace vecusim
