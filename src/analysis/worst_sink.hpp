// WorstSink: the slowest flights of each interrupt, whole, for explanations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace.hpp"

namespace vecusim {

/// A flight and where its time went.
struct WorstFlight {
  std::uint32_t replication = 0;
  std::uint64_t flight = 0;
  /// When what is measured began.
  Time began{};
  Duration latency{};
  std::vector<StageTime> stages;
  /// Whom the longest wait of each stage was for; empty for nobody.
  std::vector<std::string> blamed;
};

/// Slower first; of equals the one of the earlier replication, then of the lower number.
bool slower(const WorstFlight& a, const WorstFlight& b);

/// The `most` slowest of two ordered lists, in order.
std::vector<WorstFlight> merge_worst(std::vector<WorstFlight> a, std::vector<WorstFlight> b, std::size_t most);

/// Keeps the `most` slowest flights of each interrupt that begin at `warmup` or later, measured from their own stimulus
/// whatever `late_answer` says: an explanation needs a flight's own way.
class WorstSink final : public TraceSink {
 public:
  /// `stages`: how many each interrupt's path has.
  WorstSink(const std::vector<std::size_t>& stages, std::size_t most, std::uint32_t replication, Time warmup);

  void on(const FlightDone& event) override;

  /// By interrupt, in order, without names of whom they waited for. Leaves the sink empty.
  std::vector<std::vector<WorstFlight>> take();

 private:
  /// By interrupt; each a heap, and the flight pushed out of it last, whose memory the next one takes.
  std::vector<std::vector<WorstFlight>> heaps_;
  std::vector<WorstFlight> spare_;
  std::size_t most_;
  std::uint32_t replication_;
  Time warmup_;
};

}  // namespace vecusim
