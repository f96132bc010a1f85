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
  void to(FlowId flow, FrameSink& sink);
  void schedule(LinuxCpu& cpu);

  // NetJob
  Duration begin(LinuxCpu& cpu) override;
  Next done(LinuxCpu& cpu) override;

 protected:
  /// Transmit descriptors that are to be taken back meanwhile: how many, at most `most`, and that this has been done.
  virtual std::size_t to_reap(std::size_t /*most*/) { return 0; }
  virtual void reap(std::size_t /*count*/, Wakes& /*wakes*/) {}
  /// The queue is empty.
  virtual void finished(LinuxCpu& cpu) = 0;
  /// Whether that may trap.
  virtual bool finish_traps() const = 0;

  Simulation& simulation_;
  const NetCosts& costs_;
  QueuePair& queue_;

 private:
  void foresee(LinuxCpu& cpu, double cycles);
  void hand_on(std::size_t count);
  Next finish(LinuxCpu& cpu);

  CodePath path_;
  NetCode per_frame_;
  // By flow.
  std::vector<FrameSink*> sinks_;
  std::vector<double> cycles_;         // of one frame
  std::vector<std::size_t> foreseen_;  // frames of the piece
  bool scheduled_ = false;
  bool first_ = false;        // piece of a poll
  std::size_t polled_ = 0;    // frames of this poll
  std::size_t receives_ = 0;  // of the piece
  std::size_t reaps_ = 0;
  BatchTally batch_;
  Wakes wakes_;
};

class NicDriver final : public FrameOutlet, private QueuePoll {
 public:
  NicDriver(Simulation& simulation, const NetCosts& costs, Board& board, QueuePair& queue, std::size_t flows);

  using QueuePoll::to;
  // FrameOutlet
  void price(NetBatch& batch, std::size_t frames) override {
    batch.add(NetCode::driver_tx, frames).reads(frames).writes(frames);
  }
  bool room() override { return queue_.room() > 0; }
  void from(FlowId flow, FrameOrigin& origin) override;  // sent frames interrupt from now on
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
  void reap(std::size_t count, Wakes& wakes) override;
  void finished(LinuxCpu& cpu) override;
  bool finish_traps() const override { return false; }

  Handler handler_;
  Origins origins_;
};

}  // namespace vecusim
