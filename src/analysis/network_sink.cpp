// Counting frames.
#include "analysis/network_sink.hpp"

namespace vecusim {

void FlowTally::merge(const FlowTally& other) {
  offered += other.offered;
  delivered += other.delivered;
  dropped += other.dropped;
  batches += other.batches;
  batched += other.batched;
  latency.merge(other.latency);
}

void NetworkSink::on(const Frames& event) {
  if (event.at < warmup_) return;
  FlowTally& flow = flows_[static_cast<std::size_t>(event.flow)];
  switch (event.what) {
    case FrameEvent::offered:
      flow.offered += event.count;
      break;
    case FrameEvent::delivered:
      flow.delivered += event.count;
      for (const Duration took : event.took) flow.latency.add(took);
      break;
    case FrameEvent::dropped:
      flow.dropped += event.count;
      break;
    case FrameEvent::batch:
      ++flow.batches;
      flow.batched += event.count;
      break;
  }
}

}  // namespace vecusim
