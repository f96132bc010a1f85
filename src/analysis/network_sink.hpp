// NetworkSink: what became of each flow's frames, in how many batches, and how long they took.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/samples.hpp"
#include "engine/trace.hpp"

namespace vecusim {

struct FlowTally {
  std::uint64_t offered = 0;
  std::uint64_t delivered = 0;
  std::uint64_t dropped = 0;
  /// Frames of one poll of the device, of netback, or of one doorbell: sums.
  std::uint64_t batches = 0;
  std::uint64_t batched = 0;
  Samples latency;

  void merge(const FlowTally& other);
  /// For bytes.hpp.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    auto& [offered_, delivered_, dropped_, batches_, batched_, latency_] = *this;
    bytes(offered_);
    bytes(delivered_);
    bytes(dropped_);
    bytes(batches_);
    bytes(batched_);
    bytes(latency_);
  }
};

/// Counts what happens from `warmup` on.
class NetworkSink final : public TraceSink {
 public:
  NetworkSink(std::size_t flows, Time warmup) : flows_(flows), warmup_(warmup) {}

  void on(const Frames& event) override;

  /// By flow. Leaves the sink empty.
  std::vector<FlowTally> take() { return std::move(flows_); }

 private:
  std::vector<FlowTally> flows_;
  Time warmup_;
};

}  // namespace vecusim
