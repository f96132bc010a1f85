// Xen's split network drivers: netfront in a domain, netback in dom0, and the rings between them.
//
// To the domain: dom0's stack queues a frame for a thread, which copies frames into granted pages (a hypercall for at
// most 64) and answers the frontend's requests. From the domain: the frontend grants a page for each frame; netback
// polls the requests, copies headers and maps the rest, and gives frames to the bridge; when they have been sent,
// another thread unmaps and answers. Either side notifies the other only if that has asked for it by its event index.
//
// Source: specification of the mechanisms, section 5.3.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/nic_driver.hpp"
#include "models/udp.hpp"

namespace vecusim {

/// A shared ring: counters that only grow. The frames of requests (from the domain) or responses (to it) go with it.
struct XenRing {
  /// Of one page; each frame takes one. Specification of the mechanisms, section 5.3.
  static constexpr std::uint32_t kSlots = 256;
  std::uint32_t requests = 0;   ///< produced
  std::uint32_t taken = 0;      ///< requests consumed
  std::uint32_t responses = 0;  ///< produced
  std::uint32_t seen = 0;       ///< responses consumed
  std::uint32_t request_event = 1;
  std::uint32_t response_event = 1;
  Fifo<Frame> frames;

  std::uint32_t unanswered() const { return requests - taken; }
  std::uint32_t unseen() const { return responses - seen; }
  /// True if the other side has asked to be told.
  bool push_requests(std::uint32_t count);
  bool push_responses(std::uint32_t count);
};

/// One domain's interface: its frontend and dom0's backend.
class Vif final : public FrameSink, public FrameOutlet, public FrameOrigin {
 public:
  Vif(Simulation& simulation, const NetCosts& costs, Board& board, Linux& dom0, Linux& domain, const std::string& name,
      NicDriver& nic, const NetworkConfig& config, FrameEnds& ends);

  /// At assembly.
  void to(FlowId flow, FrameSink& sink) { sinks_[static_cast<std::size_t>(flow)] = &sink; }

  // FrameSink, of dom0's bridge
  void price(NetBatch& batch, std::size_t frames) const override;
  void take(const Frame& frame) override;
  NetThread& reader() override { return *copier_; }

  // FrameOutlet, of the domain's programs
  void price(NetBatch& batch, std::size_t frames) override {
    batch.add(NetCode::netfront_tx, frames).add(NetCode::event, frames);
  }
  bool room() override { return out_.requests - out_.seen < XenRing::kSlots; }
  void from(FlowId flow, FrameOrigin& origin) override { origins_.set(flow, origin); }
  void send(LinuxCpu& cpu, const Frame& frame) override;

  // FrameOrigin, to dom0's driver; what finds no descriptor there is dropped
  NetThread* sent(std::span<const FlowId> frames) override;
  NetThread* waiting() override { return nullptr; }

  void count_queued(std::vector<std::uint64_t>& by_flow) const;

 private:
  // A driver's code with a member function for each of its two halves.
  template <Duration (Vif::*kBegin)(LinuxCpu&), NetJob::Next (Vif::*kDone)(LinuxCpu&)>
  class Job final : public NetJob {
   public:
    Job(Vif& vif, Board& board) : path(board.add_code_path()), vif_(vif) {}
    Duration begin(LinuxCpu& cpu) override { return (vif_.*kBegin)(cpu); }
    Next done(LinuxCpu& cpu) override { return (vif_.*kDone)(cpu); }
    const CodePath path;

   private:
    Vif& vif_;
  };

  // dom0
  Duration begin_copy(LinuxCpu& cpu);
  NetJob::Next copied(LinuxCpu& cpu);
  Frame dequeue();
  Duration begin_request(LinuxCpu& cpu);
  NetJob::Next requested(LinuxCpu& cpu);
  Duration begin_map(LinuxCpu& cpu);
  NetJob::Next mapped(LinuxCpu& cpu);
  bool forward(LinuxCpu& cpu, std::size_t count);
  Duration begin_unmap(LinuxCpu& cpu);
  NetJob::Next unmapped(LinuxCpu& cpu);
  bool maps(FlowId flow) const { return maps_[static_cast<std::size_t>(flow)]; }
  // the domain
  Duration begin_response(LinuxCpu& cpu);
  NetJob::Next responded(LinuxCpu& cpu);
  Duration begin_receive(LinuxCpu& cpu);
  NetJob::Next received(LinuxCpu& cpu);
  Duration begin_free(LinuxCpu& cpu);
  NetJob::Next freed(LinuxCpu& cpu);

  Simulation& simulation_;
  const NetCosts& costs_;
  Linux& dom0_;
  Linux& domain_;
  NicDriver& nic_;
  std::vector<FrameSink*> sinks_;
  Origins origins_;
  FrameEnds& ends_;
  std::vector<bool> maps_;  // by flow: its frames are longer than what is copied of them

  Job<&Vif::begin_copy, &Vif::copied> copy_;
  Job<&Vif::begin_request, &Vif::requested> request_;
  Job<&Vif::begin_map, &Vif::mapped> map_;
  Job<&Vif::begin_unmap, &Vif::unmapped> unmap_;
  Job<&Vif::begin_response, &Vif::responded> response_;
  Job<&Vif::begin_receive, &Vif::received> receive_;
  Job<&Vif::begin_free, &Vif::freed> free_;
  NetThread* copier_;
  NetThread* unmapper_;
  std::size_t to_front_rx_;  // channels
  std::size_t to_front_tx_;
  std::size_t to_back_rx_;
  std::size_t to_back_tx_;

  XenRing in_;   // to the domain
  XenRing out_;  // from it
  // netback, to the domain
  Fifo<Frame> queue_;
  std::int64_t queued_bytes_ = 0;  // of its own queue
  std::size_t waiting_ = 0;        // frames of queue_ that wait in front of that
  std::size_t copies_ = 0;
  bool in_call_ = false;
  // netback, from the domain
  bool polls_ = false;
  bool poll_begins_ = false;
  std::size_t maps_now_ = 0;
  bool mapped_ = false;
  std::size_t polled_ = 0;
  BatchTally batch_;
  Fifo<FlowId> to_unmap_;
  Fifo<FlowId> answered_;  // and not seen by the frontend
  std::size_t unmaps_ = 0;
  bool unmapped_ = false;
  // netfront
  bool receives_ = false;
  bool receive_begins_ = false;
  std::size_t frames_ = 0;
  std::size_t received_ = 0;
  bool notifies_ = false;
  Wakes readers_;
  bool freeing_ = false;
  std::size_t frees_ = 0;
  Wakes writers_;
};

}  // namespace vecusim
