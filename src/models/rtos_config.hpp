// What a scenario says of a real-time kernel.
#pragma once

#include <cstdint>

#include "engine/fields.hpp"

namespace vecusim {

struct RtosConfig {
  /// 0: tickless, timers expire when they are due; else they expire at the tick that follows.
  std::int64_t tick_hz = 0;
  void fields(FieldVisitor& visit);
};

}  // namespace vecusim
