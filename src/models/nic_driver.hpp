// NicDriver: Linux' driver of a queue pair with its interrupt: interrupt, mask, poll until there is nothing, unmask.
#pragma once

#include <vector>

#include "models/linux_net.hpp"
#include "models/rswitch2.hpp"
#include "models/udp.hpp"

namespace vecusim {

/// Polls a receive queue, whoever has its interrupt; what follows when it finds nothing more is its owner's to say.
class QueuePoll : public NetJob {
 public:
  /// `per_frame` is the driver's own code for one received frame.
  QueuePoll(Simulation& simulation, const NetCosts& costs, Board& board, QueuePair& queue, NetCode per_frame,
            std::size_t flows);

  /// At assembly.
  void to(FlowId flow, FrameSink& sink) { sinks_[static_cast<std::size_t>(flow)] = &sink; }
  void schedule(LinuxCpu& cpu);

  // NetJob
  Duration begin(LinuxCpu& cpu) override;
  Next done(LinuxCpu& cpu) override;

 protected:
  /// Transmit descriptors that are to be taken back meanwhile: how many, at most `most`, and that this has been done.
  virtual std::size_t to_reap(std::size_t /*most*/) { return 0; }
  virtual void reap(LinuxCpu& /*cpu*/, std::size_t /*count*/) {}
  /// The queue is empty.
  virtual void finished(LinuxCpu& cpu) = 0;
  /// Whether that may trap.
  virtual bool finish_traps() const = 0;

  Simulation& simulation_;
  const NetCosts& costs_;
  QueuePair& queue_;

 private:
  std::size_t foresee(LinuxCpu& cpu, double fixed_cycles) const;
  void hand_on(std::size_t count);
  void kick_one(LinuxCpu& cpu);
  Next finish(LinuxCpu& cpu);
  void tell_batch();

  CodePath path_;
  NetCode per_frame_;
  std::vector<FrameSink*> sinks_;  // by flow
  bool scheduled_ = false;
  bool first_ = false;        // piece of a poll
  std::size_t polled_ = 0;    // frames of this poll
  std::size_t receives_ = 0;  // of the piece
  std::size_t reaps_ = 0;
  std::vector<NetThread*> kicks_;     // readers that are still to be woken
  std::vector<std::uint64_t> batch_;  // by flow: of this poll
};

class NicDriver final : public FrameOutlet, private QueuePoll {
 public:
  /// Whom it tells of frames that have been sent.
  class Sender {
   public:
    virtual ~Sender() = default;
    /// The last thing in a piece.
    virtual void sent(LinuxCpu& cpu, std::size_t frames) = 0;
  };

  NicDriver(Simulation& simulation, const NetCosts& costs, Board& board, QueuePair& queue, std::size_t flows);

  using QueuePoll::to;
  /// At assembly: the frames of that flow are this one's; sent frames interrupt.
  void from(FlowId flow, Sender& sender);

  // FrameOutlet
  void price(NetBatch& batch) const override { batch.add(NetCode::driver_tx).reads(1).writes(1); }
  bool room() override { return queue_.room() > 0; }
  void send(LinuxCpu& cpu, const Frame& frame) override;

 private:
  // The hard interrupt's handler.
  class Handler final : public NetJob {
   public:
    explicit Handler(NicDriver& driver, CodePath path) : driver_(driver), path_(path) {}
    Duration begin(LinuxCpu& cpu) override;
    Next done(LinuxCpu& cpu) override;

   private:
    NicDriver& driver_;
    CodePath path_;
  };

  std::size_t to_reap(std::size_t most) override;
  Sender* sender_of_sent(std::size_t index) const;
  void reap(LinuxCpu& cpu, std::size_t count) override;
  void finished(LinuxCpu& cpu) override;
  bool finish_traps() const override { return false; }

  Handler handler_;
  std::vector<Sender*> senders_;  // by flow
};

}  // namespace vecusim
