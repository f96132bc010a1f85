// Uart: the sending half of a serial port: a FIFO and a shifter that puts one character after another on the wire.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/time.hpp"

namespace vecusim {

class Uart {
 public:
  /// `room` is how many characters may be on their way, the one in the shifter included, when the next one is written:
  /// the depth of the FIFO if its driver writes whenever there is space; 1 if it writes only into an empty FIFO.
  Uart(Duration character, std::int64_t room) : character_(character), room_(room) {}

  /// From when on the next character may be written.
  Time ready() const { return idle_at_ - character_ * room_; }
  void write(Time now) { idle_at_ = std::max(idle_at_, now) + character_; }
  /// When everything written has been sent.
  Time idle_at() const { return idle_at_; }
  Duration character() const { return character_; }

 private:
  Duration character_;
  std::int64_t room_;
  Time idle_at_{};
};

}  // namespace vecusim
