// FrameSource: when the frames of a flow come, one after another, ahead of the simulated time if asked. Those of a
// window depend on what has become of earlier ones.
#pragma once

#include <string_view>

#include "engine/distribution.hpp"
#include "engine/simulation.hpp"
#include "models/frame.hpp"
#include "models/network_config.hpp"

namespace vecusim {

class FrameSource {
 public:
  FrameSource(Simulation& simulation, const FlowConfig& config, double port_mbps);

  /// When the next frame is there. kNever: not before an earlier one has ended.
  Time next() const { return next_; }
  /// What it takes on the wire.
  std::uint16_t bytes() const;
  void take();
  /// Whether it waits for the end of frames, and that so many have ended at `now`.
  bool waits() const { return config_.arrivals == Arrivals::window; }
  void ended(std::size_t frames, Time now);

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
  // Of a window.
  void next_of_window();
  Time soonest_{};               // that the rate allows the next one
  std::size_t outstanding_ = 0;  // as far as the sender knows
  Fifo<Time> told_;              // when it learns of the ends of others
};

}  // namespace vecusim
