// ArbitratedBus: CAN, CAN FD or a link of Ethernet: whoever is most urgent when the bus becomes free sends a whole
// frame.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/bus.hpp"

namespace vecusim {

class ArbitratedBus final : public Bus {
 public:
  ArbitratedBus(Simulation& simulation, const BusConfig& config);

  std::unique_ptr<Ingress> join(const std::string& name, const FrameConfig& frame,
                                Delegate<void(Flight&)> device) override;
  void start() override;

 private:
  class Source;
  /// One kind of frame, whose instances go in order.
  struct Sender {
    Sender(Simulation& simulation, const std::string& name, const BusConfig& config, const FrameForm& form);
    std::int64_t urgency;  // the smaller goes first
    FrameBits bits;
    Party party;
    RandomStream stuffing;
    std::deque<std::uint64_t> waiting;  // frames, each by when it was queued among all; equals go in this order
    std::deque<Flight*> flights;        // of those; empty for other traffic
    Source* source = nullptr;
  };
  struct Traffic {
    Traffic(Simulation& simulation, ArbitratedBus& owner, const std::string& name, const TrafficConfig& config);
    void due();
    ArbitratedBus& bus;
    Sender sender;
    Duration period;
    RandomStream stream;
    Timer timer;
  };

  void queue(Sender& sender);
  void arbitrate();
  void received();
  void freed();
  double stuffed(Sender& sender);

  Simulation& simulation_;
  BusConfig config_;
  std::vector<Sender*> senders_;
  std::uint64_t queued_ = 0;
  std::vector<std::unique_ptr<Traffic>> traffic_;
  Sender* on_wire_ = nullptr;
  Flight* carried_ = nullptr;  // whose frame is on the wire
  Timer arbitrates_;           // what is queued at the same moment takes part
  Timer receives_;
  Timer frees_;
};

}  // namespace vecusim
