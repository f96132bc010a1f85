// FrameBits: how many bits a frame of CAN, CAN FD, FlexRay or Ethernet has on its wire.
//
// Formulas: specification of the mechanisms, section 6.2. Where a bus inserts bits by what the frame contains (CAN's
// stuff bits) the number is a range from none to the most that any content needs.
#pragma once

#include <cstdint>

#include "engine/time.hpp"

namespace vecusim {

/// Bits at one bit rate: those that are always there, and the most that stuffing may add.
struct StuffedBits {
  std::int64_t fixed = 0;
  std::int64_t stuff = 0;
};

struct FrameBits {
  StuffedBits nominal;
  /// At CAN FD's data rate.
  StuffedBits data;
  /// Of the fixed nominal ones: what keeps the bus after the receiver has the frame.
  std::int64_t tail = 0;
};

/// Bit rates of a bus; `data_hz` is CAN FD's.
struct BitRates {
  double nominal_hz = 1.0;
  double data_hz = 1.0;
};

/// CAN 2.0; `extended` has an identifier of 29 bits. The gap of 3 bits is included. A receiver has the frame at the
/// last but one bit of its end.
FrameBits can_frame(std::int64_t bytes, bool extended);
/// CAN FD (ISO) with its switch of bit rates.
FrameBits canfd_frame(std::int64_t bytes, bool extended);
/// A frame of FlexRay's static segment with so many words of two bytes.
FrameBits flexray_frame(std::int64_t words);
/// All bytes on the wire, preamble (8) and gap (12) included; a receiver has it before the gap.
FrameBits ethernet_frame(std::int64_t wire_bytes);

/// How long the bus is occupied if the content needs this share, in [0, 1), of the most stuff bits. Whole bits.
Duration occupied(const FrameBits& bits, const BitRates& rates, double stuffed);
/// When the receiver has the frame, from its first bit.
Duration received(const FrameBits& bits, const BitRates& rates, double stuffed);

/// The least and the greatest share that those accept.
inline constexpr double kUnstuffed = 0.0;
inline constexpr double kFullyStuffed = 1.0 - 1e-9;

}  // namespace vecusim
