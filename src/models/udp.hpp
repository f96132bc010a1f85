// Programs that receive and send UDP datagrams, the sockets they do it by, and what stands on a socket's other side.
#pragma once

#include <span>
#include <vector>

#include "models/frame.hpp"
#include "models/frame_source.hpp"
#include "models/linux_net.hpp"

namespace vecusim {

/// Frames of a batch, by flow, for observers.
class BatchTally {
 public:
  explicit BatchTally(std::size_t flows) : frames_(flows, 0) {}
  void add(FlowId flow) { ++frames_[static_cast<std::size_t>(flow)]; }
  /// It is over: each flow that is part of it has had a batch.
  void tell(Simulation& simulation);

 private:
  std::vector<std::uint64_t> frames_;
};

/// Where received frames go from a driver's poll.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  /// What handing so many frames on costs in the poll.
  virtual void price(NetBatch& batch, std::size_t frames) const = 0;
  /// A frame is there; it may find no place.
  virtual void take(const Frame& frame) = 0;
  /// Whom to wake for what has been taken.
  virtual NetThread& reader() = 0;
};

/// Where a program's frames go to the wire.
class FrameOutlet {
 public:
  virtual ~FrameOutlet() = default;
  /// What sending so many frames costs whoever hands them over, with what is to be put in order for that.
  virtual void price(NetBatch& batch, std::size_t frames) = 0;
  /// Whether one more frame finds a place; else the program will be told when it does.
  virtual bool room() = 0;
  /// At assembly: whose frames those of the flow are.
  virtual void from(FlowId flow, class FrameOrigin& origin) = 0;
  /// The last thing in a piece: it may trap.
  virtual void send(LinuxCpu& cpu, const Frame& frame) = 0;
};

/// Whose frames a driver sends.
class FrameOrigin {
 public:
  virtual ~FrameOrigin() = default;
  /// These have been sent. Whom to wake for that; null: nobody.
  virtual NetThread* sent(std::span<const FlowId> frames) = 0;
  /// Who waits for room, of which there is some again, whoever's frames have left; null: nobody.
  virtual NetThread* waiting() = 0;
};

/// Origins, by flow.
class Origins {
 public:
  explicit Origins(std::size_t flows) : by_flow_(flows, nullptr) {}
  void set(FlowId flow, FrameOrigin& origin) { by_flow_[static_cast<std::size_t>(flow)] = &origin; }
  /// One more frame has been sent; each origin is told of runs of its own.
  void sent(FlowId flow, Wakes& wakes);
  /// That was all, and there is room again.
  void all_sent(Wakes& wakes);

 private:
  void tell(Wakes& wakes);

  std::vector<FrameOrigin*> by_flow_;
  std::vector<FlowId> run_;
};

/// A program that reads one datagram after another and does little else. Its socket holds as many frames as Linux'
/// default buffer does (212992 bytes, of which a frame takes 2304, a small one 768).
class UdpReceiver final : public NetJob, public FrameSink {
 public:
  UdpReceiver(Simulation& simulation, Linux& kernel, const NetCosts& costs, Board& board, FlowId flow,
              const FlowConfig& config, FrameEnds& ends);

  // FrameSink
  void price(NetBatch& batch, std::size_t frames) const override { batch.add(NetCode::ip_rx, frames); }
  void take(const Frame& frame) override;
  NetThread& reader() override { return *thread_; }

  // NetJob
  Duration begin(LinuxCpu& cpu) override;
  Next done(LinuxCpu& cpu) override;

  std::size_t queued() const { return queue_.size(); }

 private:
  void deliver();

  Simulation& simulation_;
  const NetCosts& costs_;
  FrameEnds& ends_;
  CodePath path_;
  FlowId flow_;
  NetThread* thread_;
  Fifo<Frame> queue_;
  std::int64_t taken_ = 0;   // of the socket's buffer
  std::size_t reading_ = 0;  // frames of the piece
  bool read_ = false;        // and the program has them now
  Time began_{};
  std::vector<Duration> took_;
};

/// A program that has a datagram to send at the flow's times and sleeps until then. Late, it sends at once. With a
/// window it waits for its socket's buffer.
class UdpSender final : public NetJob, public FrameOrigin {
 public:
  UdpSender(Simulation& simulation, Linux& kernel, const NetCosts& costs, Board& board, FlowId flow,
            const FlowConfig& config, double port_mbps, FrameOutlet& outlet);

  // FrameOrigin
  NetThread* sent(std::span<const FlowId> frames) override;
  NetThread* waiting() override { return waits_ ? thread_ : nullptr; }

  // NetJob
  Duration begin(LinuxCpu& cpu) override;
  Next done(LinuxCpu& cpu) override;

  /// Tells observers of the frames whose turn has come since, and returns their number.
  std::uint64_t backlog();

 private:
  Next next_frame();

  Simulation& simulation_;
  const NetCosts& costs_;
  CodePath path_;
  FlowId flow_;
  std::uint16_t bytes_;
  FrameSource source_;
  FrameOutlet& outlet_;
  NetThread* thread_;
  bool in_call_ = false;
  bool waits_ = false;  // for room
};

}  // namespace vecusim
