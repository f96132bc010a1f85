// Places of frames. A constant rate, bursts and windows need one draw in all, Poisson arrivals one for each frame,
// recorded ones none.
#include "models/frame_source.hpp"

#include <algorithm>
#include <string>

namespace vecusim {

FrameSource::FrameSource(Simulation& simulation, const FlowConfig& config, double port_mbps)
    : config_(config),
      stream_(simulation.stream("flow " + config.name)),
      exponential_(config.arrivals == Arrivals::poisson
                       ? Distribution::gamma(simulation.tables, 1.0, from_ps(config.interval_ps()))
                       : Distribution::constant(Duration::zero())),
      interval_ps_(config.rate_mbps > 0.0 ? config.interval_ps() : 0.0),
      back_to_back_ps_(static_cast<double>(config.frame_bytes) * 8e6 / port_mbps) {
  const double cycle =
      config.arrivals == Arrivals::burst ? interval_ps_ * static_cast<double>(config.burst_frames) : interval_ps_;
  first_ = kStart + from_ps(cycle * stream_.uniform());
  next_ = config.arrivals == Arrivals::recorded ? place_of(0) : first_;
}

Time FrameSource::place_of(std::uint64_t frame) const {
  if (config_.arrivals == Arrivals::recorded) {
    return frame < config_.times.size() ? kStart + config_.times[static_cast<std::size_t>(frame)] : kNever;
  }
  if (config_.arrivals == Arrivals::constant) return first_ + from_ps(static_cast<double>(frame) * interval_ps_);
  const auto length = static_cast<std::uint64_t>(config_.burst_frames);
  const std::uint64_t place = frame % length;
  const auto first = static_cast<double>(frame - place);
  return first_ + from_ps(first * interval_ps_ + static_cast<double>(place) * back_to_back_ps_);
}

std::uint16_t FrameSource::bytes() const {
  if (config_.arrivals != Arrivals::recorded) return static_cast<std::uint16_t>(config_.frame_bytes);
  return static_cast<std::uint16_t>(config_.sizes_bytes[static_cast<std::size_t>(taken_)]);
}

void FrameSource::take() {
  ++taken_;
  if (waits()) {
    soonest_ = next_ + from_ps(interval_ps_);
    ++outstanding_;
    next_of_window();
    return;
  }
  next_ = config_.arrivals == Arrivals::poisson ? next_ + exponential_.quantile(stream_.uniform()) : place_of(taken_);
}

void FrameSource::ended(std::size_t frames, Time now) {
  for (; frames > 0; --frames) told_.push(now + config_.peer);
  if (next_ == kNever) next_of_window();
}

void FrameSource::next_of_window() {
  next_ = soonest_;
  while (!told_.empty() && (told_.front() <= next_ || outstanding_ >= config_.window_frames())) {
    next_ = std::max(next_, told_.pop());
    --outstanding_;
  }
  if (outstanding_ >= config_.window_frames()) next_ = kNever;
}

}  // namespace vecusim
