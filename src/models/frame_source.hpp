// FrameSource: when the frames of a flow come, one after another, ahead of the simulated time if asked.
#pragma once

#include <string_view>

#include "engine/distribution.hpp"
#include "engine/simulation.hpp"
#include "models/network_config.hpp"

namespace vecusim {

class FrameSource {
 public:
  FrameSource(Simulation& simulation, const FlowConfig& config, double port_mbps);

  /// When the next frame is there.
  Time next() const { return next_; }
  void take();

 private:
  Time place_of(std::uint64_t frame) const;

  const FlowConfig& config_;
  RandomStream stream_;
  Distribution exponential_;
  double interval_ps_;
  double back_to_back_ps_;
  Time first_{};
  Time next_{};
  std::uint64_t taken_ = 0;
};

}  // namespace vecusim
