// Line<Args...>: a wire without delay, connected when the system is assembled.
#pragma once

#include <vector>

#include "engine/delegate.hpp"

namespace vecusim {

/// Calls its sinks at once, in the order in which they were connected. What takes time is a Timer in a component, not a
/// Line.
template <class... Args>
class Line {
 public:
  void connect(Delegate<void(Args...)> sink) { sinks_.push_back(sink); }

  void operator()(Args... args) const {
    for (const auto& sink : sinks_) sink(args...);
  }

 private:
  std::vector<Delegate<void(Args...)>> sinks_;
};

}  // namespace vecusim
