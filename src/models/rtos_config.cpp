// The fields of a real-time kernel.
#include "models/rtos_config.hpp"

namespace vecusim {

void RtosConfig::fields(FieldVisitor& visit) {
  visit.integer({"tick_hz", "rate of the tick, idle or not, at which timers expire; 0: none, they expire when due"},
                tick_hz, {1, 100000, 0});
}

}  // namespace vecusim
