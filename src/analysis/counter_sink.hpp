// CounterSink: how often things happened.
#pragma once

#include <array>
#include <cstdint>

#include "engine/trace.hpp"

namespace vecusim {

using Counts = std::array<std::uint64_t, kCounts>;

/// Counts from `warmup` on.
class CounterSink final : public TraceSink {
 public:
  explicit CounterSink(Time warmup) : warmup_(warmup) {}

  void on(const Counted& event) override {
    if (event.at >= warmup_) ++counts_[static_cast<std::size_t>(event.what)];
  }

  const Counts& counts() const { return counts_; }

 private:
  Time warmup_;
  Counts counts_{};
};

}  // namespace vecusim
