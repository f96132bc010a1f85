// Places of frames. A constant rate and bursts need one draw in all, Poisson arrivals one for each frame.
#include "models/frame_source.hpp"

#include <string>

namespace vecusim {

FrameSource::FrameSource(Simulation& simulation, const FlowConfig& config, double port_mbps)
    : config_(config),
      stream_(simulation.stream("flow " + config.name)),
      exponential_(Distribution::gamma(simulation.tables, 1.0, from_ps(config.interval_ps()))),
      interval_ps_(config.interval_ps()),
      back_to_back_ps_(static_cast<double>(config.frame_bytes) * 8e6 / port_mbps) {
  const double cycle =
      config.arrivals == Arrivals::burst ? interval_ps_ * static_cast<double>(config.burst_frames) : interval_ps_;
  first_ = kStart + from_ps(cycle * stream_.uniform());
  next_ = first_;
}

Time FrameSource::place_of(std::uint64_t frame) const {
  if (config_.arrivals == Arrivals::constant) return first_ + from_ps(static_cast<double>(frame) * interval_ps_);
  const auto length = static_cast<std::uint64_t>(config_.burst_frames);
  const std::uint64_t place = frame % length;
  const auto first = static_cast<double>(frame - place);
  return first_ + from_ps(first * interval_ps_ + static_cast<double>(place) * back_to_back_ps_);
}

void FrameSource::take() {
  ++taken_;
  next_ = config_.arrivals == Arrivals::poisson ? next_ + exponential_.quantile(stream_.uniform()) : place_of(taken_);
}

}  // namespace vecusim
