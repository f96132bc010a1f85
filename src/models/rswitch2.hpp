// RSwitch2: a switch with external ports and a port to the computer, whose descriptor queues are in domains' memory.
//
// Store and forward: a frame is looked up (its address, or its route) when its last bit is there, waits at the port
// that it leaves by (the most urgent goes first), and is written to the next free descriptor of its queue; without one
// it is dropped. A queue interrupts when frames are there, unless its interrupt is masked. Transmit descriptors are
// seen when the doorbell has been rung. An ordinary network interface is one with a single queue.
//
// No frame is an event: what has happened up to a moment is worked out when somebody looks, and a queue's timer stands
// for the next interrupt alone. Frames on the wire do not depend on what the computer does, so they are worked out
// ahead where the next interrupt is to be foreseen; where others may come in between, the timer is set to the earliest
// time that is possible, and then looks again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/simulation.hpp"
#include "models/board.hpp"
#include "models/frame.hpp"
#include "models/frame_source.hpp"
#include "models/interrupt_device.hpp"
#include "models/network_config.hpp"

namespace vecusim {

class NetJob;
class RSwitch2;

/// What the device and the bus to it take.
struct RSwitch2Costs {
  /// Of routes only if some frames are `routed`.
  RSwitch2Costs(CostTable& costs, bool routed);
  RSwitch2Costs() = default;
  Duration forward{};        ///< look-up of a frame by its address
  Duration route{};          ///< … by its route
  double bus_mbps = 0.0;     ///< of frames between device and memory
  Duration bus_latency{};    ///< until a frame or its descriptor is in memory
  Duration write_arrives{};  ///< until an interrupt or a posted write is at the other end
  double buffer_bytes = 0;   ///< of one port's queue
};

/// A receive and a transmit queue with one interrupt.
class QueuePair final : public InterruptDevice {
 public:
  QueuePair(RSwitch2& device, Board& board, std::size_t number);

  // For the driver.
  /// At assembly: its interrupt handler.
  void handle_by(NetJob& handler) { handler_ = &handler; }
  /// Received frames that are in memory at `at`, now or later, as far as descriptors allow.
  std::size_t received_by(Time at);
  std::size_t received();
  /// Of the one that take() gives after so many others; one of those that received_by() told of.
  FlowId flow_of(std::size_t index) const;
  Frame take();
  /// Takes effect when the write has arrived; masked, the interrupt is held back.
  void mask();
  void unmask();
  /// Frames that descriptors are free for.
  std::size_t room();
  void put(const Frame& frame);
  /// The device sees what has been put.
  void doorbell();
  /// Sent frames whose descriptors have not been taken back.
  std::size_t sent();
  /// Takes the oldest of them back.
  FlowId reap() { return sent_.pop().flow; }
  void sent_frames_interrupt() { sent_interrupts_ = true; }

  // InterruptDevice: no flights, only its handler.
  IrqId irq() const override { return irq_; }
  Flight* first_latched() const override { return nullptr; }
  const std::vector<Flight*>& take_latched() override { return none_; }
  NetJob* take_signal() override { return std::exchange(signal_, nullptr); }
  bool shared() const override { return false; }

  /// Frames that it holds for the driver or from it.
  void count_queued(std::vector<std::uint64_t>& by_flow) const;

 private:
  friend class RSwitch2;
  struct Arriving {
    Frame frame;
    Time at;
  };
  void settle();
  void arm();
  Time due();
  Time due_for_received();
  Time due_for_sent();
  void interrupt();

  RSwitch2& device_;
  Board& board_;
  IrqId irq_;
  NetJob* handler_ = nullptr;
  NetJob* signal_ = nullptr;
  std::vector<Flight*> none_;
  Timer timer_;
  bool receives_ = false;  // a flow
  bool masked_ = false;
  bool high_ = false;
  Time unmasked_{};          // when that has arrived
  Fifo<Arriving> arriving_;  // in the order of their times, some of them later than now
  Fifo<Frame> received_;
  Time first_received_{};
  Fifo<Frame> put_;          // not seen by the device
  std::size_t in_port_ = 0;  // seen, and not sent
  struct Sent {
    Time at;
    FlowId flow;
  };
  Fifo<Sent> sent_;  // and not reaped, in order of their times
  bool sent_interrupts_ = false;
};

class RSwitch2 final : public FrameEnds {
 public:
  RSwitch2(Simulation& simulation, const NetworkConfig& config, Board& board, CostTable& costs);

  /// At assembly.
  QueuePair& add_queue();
  /// At assembly: received frames of that flow go to this queue.
  void receive(FlowId flow, QueuePair& queue);
  /// When everything is assembled.
  void start();
  void ended(FlowId flow, std::size_t frames) override;
  /// Accounts for everything up to now.
  void settle();
  void count_queued(std::vector<std::uint64_t>& by_flow) const;

 private:
  friend class QueuePair;
  // The frames of a flow on the wire, in front of the port to the computer.
  struct Ingress {
    FrameSource source;
    FlowId flow;
    std::int64_t priority;
    Duration look_up;
    QueuePair* queue;
    Time ready() const { return source.next() == kNever ? kNever : source.next() + look_up; }
  };
  // An external port on the way out.
  struct Egress {
    struct Waiting {
      Frame frame;
      Time ready;
      QueuePair* queue;
    };
    std::array<Fifo<Waiting>, 8> waiting;  // by priority
    std::size_t frames = 0;                // in them all
    Time free{};
  };
  // What a port sends next, and when it will have done so.
  struct Leaving {
    Fifo<Egress::Waiting>* from = nullptr;
    Time end = kNever;
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  // Frames that a queue interrupts for at once.
  std::size_t interrupts_for() const {
    return config_.moderation > Duration::zero() ? static_cast<std::size_t>(config_.moderation_frames) : 1;
  }
  Duration look_up(const FlowConfig& flow) const { return flow.routed ? costs_.route : costs_.forward; }
  void tell(FlowId flow, FrameEvent what, std::uint64_t count);
  QueuePair* release(FlowId flow, std::size_t frames);
  void choose();
  void fetch();
  void advance(Time until);
  void send(const Frame& frame, QueuePair& queue);
  Duration on_wire(const Frame& frame) const { return from_ps(static_cast<double>(frame.bytes) * port_ps_per_byte_); }
  Leaving leaving(Egress& port) const;
  void settle_ports(Time until);
  Time next_received(const QueuePair& queue) const;
  Time next_sent(const QueuePair& queue, std::size_t count) const;
  std::int64_t priority(FlowId flow) const { return config_.flows[static_cast<std::size_t>(flow)].priority; }

  Simulation* simulation_;
  const NetworkConfig& config_;
  Board& board_;
  RSwitch2Costs costs_;
  double bus_ps_per_byte_;
  double port_ps_per_byte_;
  Duration longest_wait_;
  std::vector<std::unique_ptr<QueuePair>> queues_;
  std::vector<Ingress> ingress_;
  std::size_t next_ = kNone;  // of ingress_: the frame that the port to the computer sends next
  Time start_ = kNever;       // … and when
  Time free_{};               // that port
  std::vector<Egress> egress_;
};

}  // namespace vecusim
