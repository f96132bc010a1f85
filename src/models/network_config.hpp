// What a scenario says of its network: the way that frames take, and the flows of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/fields.hpp"
#include "models/frame.hpp"

namespace vecusim {

/// Who has the device's queues: the one operating system; dom0, which bridges to the domain's frontend; the domain,
/// dom0 handling interrupts and doorbells for it; or the domain with its interrupts.
enum class NetworkPath : std::uint8_t { native, bridge, rswitch2, passthrough };

enum class FlowDirection : std::uint8_t { rx, tx };
enum class Arrivals : std::uint8_t { constant, poisson, burst, window, recorded };

struct FlowConfig {
  std::string name;
  FlowDirection direction = FlowDirection::rx;
  std::string domain;
  /// On the wire, preamble and gap included; as frame_bytes. 0: not given.
  double rate_mbps = 0.0;
  std::int64_t frame_bytes = kMostWireBytes;
  Arrivals arrivals = Arrivals::constant;
  std::int64_t burst_frames = 32;
  /// window: frames that have not ended take no more than this, on the wire, and who sends them to the domain (rx)
  /// takes so long from the end of one to the next.
  std::int64_t window_bytes = 65536;
  Duration peer{};
  /// recorded: the capture that they are in, times since the start, and sizes on the wire.
  std::string file;
  std::vector<Duration> times;
  std::vector<double> sizes_bytes;
  std::int64_t port = 0;
  std::int64_t priority = 0;
  /// By the device's table of routes, not of addresses.
  bool routed = false;

  void fields(FieldVisitor& visit);
  /// The mean distance of two frames, and the time that one takes at a rate, in ps.
  double interval_ps() const { return static_cast<double>(frame_bytes) * 8e6 / rate_mbps; }
  std::size_t window_frames() const {
    return static_cast<std::size_t>(std::max(window_bytes / frame_bytes, std::int64_t{1}));
  }
  std::int64_t payload_bytes() const { return frame_bytes - kWireOverhead - kHeaders; }

 private:
  void recorded(FieldVisitor& visit);
};

struct NetworkConfig {
  NetworkPath path = NetworkPath::bridge;
  std::int64_t ports = 4;
  double port_mbps = 1000.0;
  std::int64_t rx_descriptors = 256;
  std::int64_t tx_descriptors = 256;
  Duration moderation{};
  std::int64_t moderation_frames = 64;
  bool tx_completion_irq = false;
  std::int64_t cpu = 0;
  std::vector<FlowConfig> flows;

  void fields(FieldVisitor& visit);
};

}  // namespace vecusim
