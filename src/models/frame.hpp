// Frames on their way, and first-in-first-out queues of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/trace.hpp"

namespace vecusim {

/// Bytes that a frame takes on the wire beyond its Ethernet header and payload: check sequence, preamble, gap.
inline constexpr std::int64_t kWireOverhead = 24;
/// Ethernet, IP and UDP headers.
inline constexpr std::int64_t kHeaders = 42;
/// The least frame, with preamble and gap.
inline constexpr std::int64_t kLeastWireBytes = 84;
inline constexpr std::int64_t kMostWireBytes = 1538;

struct Frame {
  /// When its last bit was at the device, or its program's turn to send it had come.
  Time born;
  FlowId flow;
  std::uint16_t bytes;  ///< on the wire

  /// What a computer copies of it.
  std::int64_t copied() const { return bytes - kWireOverhead; }
};

/// Who wants to know that received frames have ended, read or dropped: their source may wait for that.
class FrameEnds {
 public:
  virtual ~FrameEnds() = default;
  virtual void ended(FlowId flow, std::size_t frames) = 0;
};

/// A first-in-first-out queue that keeps its memory.
template <class T>
class Fifo {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void push(const T& value) {
    if (size_ == items_.size()) grow();
    items_[(first_ + size_++) & (items_.size() - 1)] = value;
  }
  const T& front() const { return items_[first_]; }
  const T& operator[](std::size_t index) const { return items_[(first_ + index) & (items_.size() - 1)]; }
  T pop() {
    const T value = items_[first_];
    first_ = (first_ + 1) & (items_.size() - 1);
    --size_;
    return value;
  }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 64 : 2 * items_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = (*this)[i];
    items_.swap(larger);
    first_ = 0;
  }

  std::vector<T> items_;  // a power of two
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace vecusim
