// What a scenario says of buses, and of the frames that interrupts come with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/fields.hpp"
#include "models/frame_bits.hpp"

namespace vecusim {

enum class BusModel : std::uint8_t { can, canfd, flexray, ethernet };
/// How many of the stuff bits that a frame may need it does need.
enum class Stuffing : std::uint8_t { any, none, most };

/// What decides how long a frame takes and whom it lets pass.
struct FrameForm {
  std::int64_t bytes = 8;
  /// CAN: its identifier; the smaller goes first.
  std::optional<std::int64_t> id;
  bool extended = false;
  /// Ethernet: its priority code point; the greater goes first.
  std::optional<std::int64_t> pcp;

  void fields(FieldVisitor& visit);
};

/// The frame that an interrupt comes with.
struct FrameConfig {
  std::string bus;
  FrameForm form;
  /// FlexRay: its static slot, from 1.
  std::optional<std::int64_t> slot;
  /// Frames that the receiving device keeps until its handler takes them.
  std::int64_t rx_fifo = 1;

  void fields(FieldVisitor& visit);
};

/// Other frames on a bus, of no further interest.
struct TrafficConfig {
  FrameForm form;
  Duration period = 10ms;

  void fields(FieldVisitor& visit);
};

struct BusConfig {
  std::string name;
  BusModel model = BusModel::can;
  double bitrate_hz = 500e3;
  double data_bitrate_hz = 2e6;
  Stuffing stuffing = Stuffing::any;
  std::vector<TrafficConfig> traffic;
  // flexray
  Duration cycle = 5ms;
  Duration slot = 50us;
  std::int64_t slots = 60;
  std::optional<Duration> phase;
  // ethernet
  std::int64_t switches = 0;
  Duration switch_delay = 3us;
  Duration moderation{};

  void fields(FieldVisitor& visit);
  FrameBits bits(const FrameForm& form) const;
  BitRates rates() const { return {bitrate_hz, data_bitrate_hz}; }
};

/// The word for a model, as scenarios have it.
std::string_view word_of(BusModel model);

}  // namespace vecusim
