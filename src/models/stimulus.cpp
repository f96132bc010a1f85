// When the edges come.
#include "models/stimulus.hpp"

#include <algorithm>
#include <array>

namespace vecusim {

namespace {

constexpr std::array kModels = {
    Option{"periodic", "one edge per period, with jitter"}, Option{"poisson", "independent edges at a mean distance"},
    Option{"burst", "several edges close together, once per period"}, Option{"recorded", "edges at given times"},
    Option{"follows", "an edge with, or a fixed time after, each edge of another interrupt"}};

class StimulusFields final : public Alternatives {
 public:
  explicit StimulusFields(StimulusConfig& config) : config_(config) {}
  std::span<const Option> options() const override { return kModels; }
  std::size_t current() const override { return static_cast<std::size_t>(config_.model); }
  void select(std::size_t option) override { config_.model = static_cast<StimulusModel>(option); }
  void fields(FieldVisitor& visit) override {
    switch (config_.model) {
      case StimulusModel::periodic:
        period(visit);
        visit.duration({"jitter_us", "each edge is moved by a uniform draw of at most this much to either side"},
                       config_.jitter, {Duration::zero(), Duration::max()});
        visit.require(2 * config_.jitter < config_.period, "jitter_us", "less than half the period");
        break;
      case StimulusModel::poisson:
        visit.duration({"mean_interval_ms", "mean distance of edges", true}, config_.mean_interval, {1us, 1000s});
        break;
      case StimulusModel::burst:
        period(visit);
        visit.integer({"edges", "edges per burst", true}, config_.edges, {1, 1'000'000});
        visit.duration({"spacing_us", "from edge to edge of a burst", true}, config_.spacing, {1us, 1000s});
        visit.require(config_.spacing * (config_.edges - 1) < config_.period, "spacing_us",
                      "short enough that a burst ends before the next one begins");
        break;
      case StimulusModel::recorded:
        file(visit);
        visit.durations(
            {"times_us", "times of the edges since the start, ascending; filled in from the file, if there is one",
             true},
            config_.times, {Duration::zero(), Duration::max()});
        visit.require(std::is_sorted(config_.times.begin(), config_.times.end()), "times_us", "ascending times");
        return;
      case StimulusModel::follows:
        visit.text({"interrupt", "the other interrupt", true}, config_.interrupt);
        visit.duration({"delay_us", "how much later"}, config_.delay, {Duration::zero(), 1000s});
        return;
    }
    visit.integer({"count", "edges in all; 0: as long as the run lasts"}, config_.count, {0, 1'000'000'000});
  }

 private:
  void file(FieldVisitor& visit) {
    const Field field{"file", "a file with a time in each line, read with the scenario and relative to its folder"};
    if (visit.wants(field, !config_.file.empty())) {
      visit.text(field, config_.file);
    } else {
      config_.file.clear();
    }
  }
  void period(FieldVisitor& visit) {
    visit.duration({"period_ms", "from edge to edge, or from burst to burst"}, config_.period, {1us, 1000s});
    visit.number(
        {"clock_error_ppm", "the generator's clock is off by a constant of at most this, one draw per replication"},
        config_.clock_error_ppm, {0.0, 1000.0});
    visit.optional(
        Field{"phase_us", "time of the first edge; if absent, uniform in one period, one draw per replication"},
        config_.phase, [&](Duration& phase) {
          visit.duration({"phase_us", "time of the first edge"}, phase, {Duration::zero(), 1000s});
        });
  }

  StimulusConfig& config_;
};

}  // namespace

void StimulusConfig::fields(FieldVisitor& visit) {
  StimulusFields alternatives(*this);
  visit.alternatives({"model", "how the edges come", true}, alternatives);
}

Stimulus::Stimulus(Simulation& simulation, std::string_view name, const StimulusConfig& config)
    : simulation_(&simulation),
      config_(config),
      stream_(simulation.stream(std::string(name) + "#stimulus")),
      timer_(simulation.queue, Delegate<void()>::to<&Stimulus::fire>(*this)) {
  if (config_.model == StimulusModel::poisson) {
    exponential_ = Distribution::gamma(simulation.tables, 1.0, config_.mean_interval);
  }
  const bool in_phase = config_.model == StimulusModel::periodic || config_.model == StimulusModel::burst;
  if (in_phase) {
    // The draw is taken even if the phase is given, so that giving it moves no other draw of this stream.
    const Duration drawn = Distribution::uniform({}, config_.period).quantile(stream_.uniform());
    grid_ = kStart + config_.jitter + config_.phase.value_or(drawn);
    const double error = (2.0 * stream_.uniform() - 1.0) * config_.clock_error_ppm * 1e-6;
    config_.period += from_ps(static_cast<double>(config_.period.count()) * error);
  } else if (config_.model == StimulusModel::poisson) {
    grid_ = kStart + exponential_.quantile(stream_.uniform());
  }
}

void Stimulus::follow(Stimulus& leader) {
  leader_ = &leader;
  leader.edge.connect(Delegate<void()>::to<&Stimulus::led>(*this));
}

void Stimulus::led() {
  following_.push_back(simulation_->now() + config_.delay);
  if (!timer_.armed()) timer_.arm_at(following_.front());
}

void Stimulus::start() {
  if (leader_ == nullptr) arm_next();
}

// Of recorded times those skipped are gone; other edges can always be had later.
bool Stimulus::exhausted() const {
  if (config_.model == StimulusModel::recorded) return sent_ + skipped_ >= config_.times.size();
  return config_.count != 0 && sent_ >= static_cast<std::uint64_t>(config_.count);
}

Time Stimulus::place_of_next() {
  if (config_.model == StimulusModel::recorded) grid_ = kStart + config_.times[sent_ + skipped_];
  if (config_.model != StimulusModel::periodic || config_.jitter == Duration::zero()) return grid_;
  return grid_ + Distribution::uniform({}, 2 * config_.jitter).quantile(stream_.uniform()) - config_.jitter;
}

void Stimulus::arm_next() {
  if (exhausted()) {
    finished_ = true;
    return;
  }
  timer_.arm_at(place_of_next());
}

Time Stimulus::next_after(Time now) {
  while (!exhausted()) {
    const Time due = place_of_next();
    if (config_.model != StimulusModel::recorded) grid_ += after(sent_ + skipped_);
    if (due > now) {
      ++sent_;
      return due;
    }
    ++skipped_;
  }
  finished_ = true;
  return kNever;
}

void Stimulus::fire() {
  const std::uint64_t index = sent_++;
  if (leader_ != nullptr) {
    following_.pop_front();
    if (!following_.empty()) timer_.arm_at(following_.front());
    edge();
    return;
  }
  edge();
  if (config_.model != StimulusModel::recorded) grid_ += after(index);
  arm_next();
}

// From edge `index` to the next one.
Duration Stimulus::after(std::uint64_t index) {
  switch (config_.model) {
    case StimulusModel::poisson:
      return exponential_.quantile(stream_.uniform());
    case StimulusModel::burst: {
      const bool last = (index + 1) % static_cast<std::uint64_t>(config_.edges) == 0;
      return last ? config_.period - config_.spacing * (config_.edges - 1) : config_.spacing;
    }
    case StimulusModel::periodic:
    case StimulusModel::recorded:
    case StimulusModel::follows:
      break;
  }
  return config_.period;
}

}  // namespace vecusim
