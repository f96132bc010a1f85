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
class Vif final : public FrameSink, public FrameOutlet, public NicDriver::Sender {
 public:
  /// `frame_bytes` is the least of the domain's flows.
  Vif(Simulation& simulation, const NetCosts& costs, Board& board, Linux& dom0, Linux& domain, const std::string& name,
      NicDriver& nic, std::size_t flows, std::int64_t frame_bytes);

  /// At assembly.
  void to(FlowId flow, FrameSink& sink) { sinks_[static_cast<std::size_t>(flow)] = &sink; }
  void from(UdpSender& sender) { senders_.push_back(&sender); }

  // FrameSink, of dom0's bridge
  void price(NetBatch& batch, std::size_t frames) const override;
  void take(const Frame& frame) override;
  NetThread& reader() override { return *copier_; }

  // FrameOutlet, of the domain's programs
  void price(NetBatch& batch) const override { batch.add(NetCode::netfront_tx).add(NetCode::event); }
  bool room() override { return out_.requests - out_.seen < XenRing::kSlots; }
  void send(LinuxCpu& cpu, const Frame& frame) override;

  // NicDriver::Sender
  void sent(LinuxCpu& cpu, std::size_t frames) override;

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
  Duration begin_request(LinuxCpu& cpu);
  NetJob::Next requested(LinuxCpu& cpu);
  Duration begin_map(LinuxCpu& cpu);
  NetJob::Next mapped(LinuxCpu& cpu);
  void forward(LinuxCpu& cpu, std::size_t count);
  Duration begin_unmap(LinuxCpu& cpu);
  NetJob::Next unmapped(LinuxCpu& cpu);
  Duration grants(std::size_t frames, Duration each) const;
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
  std::vector<UdpSender*> senders_;
  std::size_t capacity_;  // frames that dom0 queues for the domain
  bool maps_;             // frames are longer than what is copied of them

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
  std::size_t copies_ = 0;
  bool in_call_ = false;
  // netback, from the domain
  bool polls_ = false;
  bool poll_begins_ = false;
  std::size_t maps_now_ = 0;
  bool mapped_ = false;
  std::size_t polled_ = 0;
  FlowId last_{};  // whose frame was the last one polled: the poll is counted as a batch of that flow
  std::size_t to_unmap_ = 0;
  std::size_t unmaps_ = 0;
  bool unmapped_ = false;
  // netfront
  bool receives_ = false;
  bool receive_begins_ = false;
  std::size_t frames_ = 0;
  std::size_t received_ = 0;
  bool notifies_ = false;
  std::vector<NetThread*> kicks_;
};

}  // namespace vecusim
