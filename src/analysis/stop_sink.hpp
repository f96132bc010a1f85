// StopSink: ends a replication from within, between two events, when the user wants to stop.
#pragma once

#include <stop_token>

#include "analysis/trials.hpp"
#include "engine/trace.hpp"

namespace vecusim {

class StopSink final : public TraceSink {
 public:
  explicit StopSink(const std::stop_token& stop) : stop_(stop) {}
  void on(const Stimulated&) override { check(); }
  void on(const Counted&) override { check(); }

 private:
  void check() const {
    if (stop_.stop_requested()) throw Interrupted();
  }

  const std::stop_token& stop_;
};

}  // namespace vecusim
