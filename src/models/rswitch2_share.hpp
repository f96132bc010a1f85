// A queue pair of the R-Switch2 that a domain has, while dom0 has its interrupt and its doorbell.
//
// The interrupt masks itself and becomes two events to the domain, one for each direction. The domain polls its own
// queue; when it finds nothing more it sends an event back, upon which dom0 lets the queue interrupt again. Each frame
// that the domain sends is an event to dom0, which rings the doorbell; while one is pending, more merge into it.
// Buffers of sent frames are freed upon the second of the two events, and by whoever finds no descriptor left.
//
// Source: specification of the mechanisms, section 5.4.
#pragma once

#include "models/nic_driver.hpp"

namespace vecusim {

class SharedQueue final : public FrameOutlet, private QueuePoll {
 public:
  SharedQueue(Simulation& simulation, const NetCosts& costs, Board& board, Linux& dom0, Linux& domain, QueuePair& queue,
              std::size_t flows);

  using QueuePoll::to;

  // FrameOutlet, of the domain's programs
  void price(NetBatch& batch, std::size_t frames) override;
  bool room() override { return true; }  // what finds no descriptor is dropped
  void from(FlowId flow, FrameOrigin& origin) override { origins_.set(flow, origin); }
  void send(LinuxCpu& cpu, const Frame& frame) override;

 private:
  template <Duration (SharedQueue::*kBegin)(LinuxCpu&), NetJob::Next (SharedQueue::*kDone)(LinuxCpu&)>
  class Job final : public NetJob {
   public:
    Job(SharedQueue& share, Board& board) : path(board.add_code_path()), share_(share) {}
    Duration begin(LinuxCpu& cpu) override { return (share_.*kBegin)(cpu); }
    Next done(LinuxCpu& cpu) override { return (share_.*kDone)(cpu); }
    const CodePath path;

   private:
    SharedQueue& share_;
  };

  // dom0
  Duration begin_interrupt(LinuxCpu& cpu);
  NetJob::Next interrupted(LinuxCpu& cpu);
  Duration begin_unmask(LinuxCpu& cpu);
  NetJob::Next unmasked(LinuxCpu& cpu);
  Duration begin_doorbell(LinuxCpu& cpu);
  NetJob::Next rang(LinuxCpu& cpu);
  // the domain
  Duration begin_receive(LinuxCpu& cpu);
  NetJob::Next told_to_receive(LinuxCpu& cpu);
  Duration begin_free(LinuxCpu& cpu);
  NetJob::Next told_to_free(LinuxCpu& cpu);
  void finished(LinuxCpu& cpu) override;
  bool finish_traps() const override { return true; }
  void free_sent(std::size_t count);

  Linux& dom0_;
  Linux& domain_;
  Job<&SharedQueue::begin_interrupt, &SharedQueue::interrupted> interrupt_;
  Job<&SharedQueue::begin_unmask, &SharedQueue::unmasked> unmask_;
  Job<&SharedQueue::begin_doorbell, &SharedQueue::rang> doorbell_;
  Job<&SharedQueue::begin_receive, &SharedQueue::told_to_receive> receive_;
  Job<&SharedQueue::begin_free, &SharedQueue::told_to_free> free_;
  std::size_t to_receive_;  // channels
  std::size_t to_free_;
  std::size_t to_unmask_;
  std::size_t to_ring_;
  // Pieces of a handler that are behind: it traps more than once.
  std::size_t interrupt_pieces_ = 0;
  std::size_t unmask_pieces_ = 0;
  std::size_t doorbell_pieces_ = 0;
  Origins origins_;
  Wakes writers_;
  bool freeing_ = false;   // the handler wakes more of them
  std::size_t told_ = 0;   // sent frames that the handler under way frees
  std::size_t frees_ = 0;  // … and that a system call under way does
  BatchTally put_;         // since the last doorbell
};

}  // namespace vecusim
