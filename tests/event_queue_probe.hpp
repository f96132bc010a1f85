// Reaches the end of an EventQueue's arming numbers without four billion armings.
#pragma once

#include <cstdint>

#include "engine/event_queue.hpp"

namespace vecusim {

struct EventQueueProbe {
  /// `left` armings more and the queue numbers its timers anew. Only for a queue in which nothing is armed.
  static void set_armings_left(EventQueue& queue, std::uint32_t left) { queue.sequence_ = ~std::uint32_t{0} - left; }
  static std::uint32_t sequence(const EventQueue& queue) { return queue.sequence_; }
};

}  // namespace vecusim
