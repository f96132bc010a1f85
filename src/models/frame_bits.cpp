// Counting bits.
#include "models/frame_bits.hpp"

#include <cmath>

namespace vecusim {

namespace {

// CAN: CRC delimiter, two bits of acknowledgement, seven of the end, three between frames; none is stuffed.
constexpr std::int64_t kCanTail = 13;
// The end's last bit and the three behind it: a receiver has accepted the frame by then.
constexpr std::int64_t kCanAfter = 4;

// Of so many bits at most every fourth is followed by a stuff bit, after the first five.
constexpr std::int64_t stuffing(std::int64_t bits) { return (bits - 1) / 4; }

std::int64_t inserted(const StuffedBits& bits, double share) {
  return static_cast<std::int64_t>(std::floor(share * static_cast<double>(bits.stuff + 1)));
}

Duration time_of(const FrameBits& bits, const BitRates& rates, double stuffed, std::int64_t without) {
  constexpr double kPsPerSecond = 1e12;
  const auto nominal = static_cast<double>(bits.nominal.fixed + inserted(bits.nominal, stuffed) - without);
  const auto data = static_cast<double>(bits.data.fixed + inserted(bits.data, stuffed));
  return from_ps((nominal / rates.nominal_hz + data / rates.data_hz) * kPsPerSecond);
}

}  // namespace

FrameBits can_frame(std::int64_t bytes, bool extended) {
  const std::int64_t stuffed = (extended ? 54 : 34) + 8 * bytes;
  return {{stuffed + kCanTail, stuffing(stuffed)}, {}, kCanAfter};
}

FrameBits canfd_frame(std::int64_t bytes, bool extended) {
  const std::int64_t head = extended ? 36 : 17;  // start of frame to bit rate switch
  const std::int64_t body = 5 + 8 * bytes;       // error state, length, data
  const std::int64_t crc = bytes <= 16 ? 17 : 21;
  constexpr std::int64_t kStuffCount = 4;
  // In front of the stuff count and after each fourth bit from there on.
  const std::int64_t fixed_stuff = 1 + stuffing(kStuffCount + crc);
  return {{head + kCanTail, stuffing(head)}, {body + kStuffCount + crc + fixed_stuff, (body + 3) / 4}, kCanAfter};
}

FrameBits flexray_frame(std::int64_t words) {
  constexpr std::int64_t kTransmissionStart = 11;  // 3 to 15 by the cluster's configuration
  constexpr std::int64_t kFrameStart = 1;
  constexpr std::int64_t kFrameEnd = 2;
  const std::int64_t bytes = 5 + 2 * words + 3;  // header, payload, CRC; each byte takes ten bits
  return {{kTransmissionStart + kFrameStart + 10 * bytes + kFrameEnd, 0}, {}, 0};
}

FrameBits ethernet_frame(std::int64_t wire_bytes) {
  constexpr std::int64_t kGap = 12;
  return {{8 * wire_bytes, 0}, {}, 8 * kGap};
}

Duration occupied(const FrameBits& bits, const BitRates& rates, double stuffed) {
  return time_of(bits, rates, stuffed, 0);
}

Duration received(const FrameBits& bits, const BitRates& rates, double stuffed) {
  return time_of(bits, rates, stuffed, bits.tail);
}

}  // namespace vecusim
