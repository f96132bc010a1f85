// Netback and netfront.
#include "models/xen_net.hpp"

#include <algorithm>
#include <memory>

#include "models/linux.hpp"

namespace vecusim {

namespace {

// What netback queues for a slow domain (the rx_queue of the specification of the mechanisms, section 5.3, which has no
// number for it): an eighth of a ring of pages. It begins no frame beyond that; in front of it is the interface's own
// queue, the 32 frames that `ip link` shows as a vif's qlen.
constexpr std::int64_t kPageBytes = 4096;
constexpr std::int64_t kQueueBytes = XenRing::kSlots * kPageBytes / 8;
constexpr std::size_t kInterfaceQueue = 32;
// What netback copies of a frame that a domain sends; the rest is mapped. Specification of the mechanisms, section 5.3.
constexpr std::int64_t kHeaderBytes = 128;

// Whether going from one count to another passes the one that the other side has asked for.
bool passes(std::uint32_t from, std::uint32_t to, std::uint32_t event) { return to - event < to - from; }

std::vector<bool> longer_than_header(const NetworkConfig& config) {
  std::vector<bool> longer;
  for (const FlowConfig& flow : config.flows) longer.push_back(flow.frame_bytes - kWireOverhead > kHeaderBytes);
  return longer;
}

Duration times(std::size_t count, Duration each) { return each * static_cast<Duration::rep>(count); }

NetThread* add_kthread(Linux& kernel, const std::string& name, NetJob& job) {
  auto thread = std::make_unique<NetThread>(kernel, name, job, Context::kernel);
  NetThread* added = thread.get();
  kernel.add_thread(std::move(thread));
  return added;
}

}  // namespace

bool XenRing::push_requests(std::uint32_t count) {
  const std::uint32_t before = requests;
  requests += count;
  return passes(before, requests, request_event);
}

bool XenRing::push_responses(std::uint32_t count) {
  const std::uint32_t before = responses;
  responses += count;
  return passes(before, responses, response_event);
}

Vif::Vif(Simulation& simulation, const NetCosts& costs, Board& board, Linux& dom0, Linux& domain,
         const std::string& name, NicDriver& nic, const NetworkConfig& config, FrameEnds& ends)
    : simulation_(simulation),
      costs_(costs),
      dom0_(dom0),
      domain_(domain),
      nic_(nic),
      sinks_(config.flows.size(), nullptr),
      origins_(config.flows.size()),
      ends_(ends),
      maps_(longer_than_header(config)),
      copy_(*this, board),
      request_(*this, board),
      map_(*this, board),
      unmap_(*this, board),
      response_(*this, board),
      receive_(*this, board),
      free_(*this, board),
      copier_(add_kthread(dom0, "vif " + name + " guest-rx", copy_)),
      unmapper_(add_kthread(dom0, "vif " + name + " dealloc", unmap_)),
      to_front_rx_(domain.platform().events()->bind(response_)),
      to_front_tx_(domain.platform().events()->bind(free_)),
      to_back_rx_(dom0.platform().events()->bind(request_)),
      to_back_tx_(dom0.platform().events()->bind(request_)),
      batch_(config.flows.size()) {
  in_.requests = XenRing::kSlots;  // the frontend's pages
}

// ---- To the domain: dom0's bridge, queue, and the thread that copies ----

void Vif::price(NetBatch& batch, std::size_t frames) const {
  batch.add(NetCode::bridge, frames).add(NetCode::vif_queue, frames);
}

void Vif::take(const Frame& frame) {
  if (waiting_ == 0 && queued_bytes_ < kQueueBytes) {
    queued_bytes_ += frame.copied();
  } else if (waiting_ < kInterfaceQueue) {
    ++waiting_;
  } else {
    simulation_.trace.emit(Frames{simulation_.now(), frame.flow, FrameEvent::dropped, 1});
    ends_.ended(frame.flow, 1);
    return;
  }
  queue_.push(frame);
}

// Makes room for frames that wait in front.
Frame Vif::dequeue() {
  const Frame frame = queue_.pop();
  queued_bytes_ -= frame.copied();
  while (waiting_ > 0 && queued_bytes_ < kQueueBytes) {
    queued_bytes_ += queue_[queue_.size() - waiting_].copied();
    --waiting_;
  }
  return frame;
}

Duration Vif::begin_copy(LinuxCpu& cpu) {
  if (in_call_) return NetBatch(costs_).add(NetCode::free, copies_).add(NetCode::event).take(cpu, copy_.path);
  copies_ = std::min({queue_.size(), static_cast<std::size_t>(in_.unanswered()), kNapiBudget});
  return NetBatch(costs_).add(NetCode::wake).add(NetCode::netback_rx, copies_).take(cpu, copy_.path);
}

NetJob::Next Vif::copied(LinuxCpu& cpu) {
  if (copies_ == 0) {  // no page of the frontend is left: it has to tell
    in_.request_event = in_.taken + 1;
    return NetJob::Next::nothing;
  }
  in_call_ = !in_call_;
  if (in_call_) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < copies_; ++i) bytes += queue_[i].copied();
    dom0_.platform().hypercall(
        cpu.index(), times(copies_, costs_.grant_copy) + from_ps(static_cast<double>(bytes) * costs_.copy_ps_per_byte));
    return NetJob::Next::piece;
  }
  for (std::size_t i = 0; i < copies_; ++i) in_.frames.push(dequeue());
  in_.taken += static_cast<std::uint32_t>(copies_);
  if (in_.push_responses(static_cast<std::uint32_t>(copies_)))
    dom0_.platform().events()->send(cpu.index(), to_front_rx_);
  if (queue_.empty()) return NetJob::Next::nothing;
  if (in_.unanswered() > 0) return NetJob::Next::piece;
  in_.request_event = in_.taken + 1;
  return NetJob::Next::nothing;
}

// ---- From the domain: dom0's poll of requests, and the thread that unmaps ----

Duration Vif::begin_request(LinuxCpu& cpu) { return NetBatch(costs_).add(NetCode::upcall).take(cpu, request_.path); }

NetJob::Next Vif::requested(LinuxCpu& cpu) {
  if (!queue_.empty() && in_.unanswered() > 0) copier_->kick(cpu);
  if (out_.unanswered() > 0 && !std::exchange(polls_, true)) {
    poll_begins_ = true;
    polled_ = 0;
    cpu.raise_poll(map_);
  }
  return NetJob::Next::nothing;
}

Duration Vif::begin_map(LinuxCpu& cpu) {
  NetBatch batch(costs_);
  if (mapped_) {
    batch.add(NetCode::netback_skb, maps_now_).add(NetCode::bridge, maps_now_);
    nic_.price(batch, maps_now_);
    return batch.take(cpu, map_.path);
  }
  maps_now_ = std::min(static_cast<std::size_t>(out_.unanswered()), kNapiBudget - polled_);
  if (poll_begins_) batch.add(NetCode::poll);
  return batch.take(cpu, map_.path);
}

NetJob::Next Vif::mapped(LinuxCpu& cpu) {
  using Next = NetJob::Next;
  poll_begins_ = false;
  if (maps_now_ > 0 && !mapped_) {
    mapped_ = true;
    std::size_t mapped = 0;
    for (std::size_t i = 0; i < maps_now_; ++i) mapped += static_cast<std::size_t>(maps(out_.frames[i].flow));
    dom0_.platform().hypercall(cpu.index(), times(maps_now_, costs_.header_copy) + times(mapped, costs_.grant_map));
    return Next::piece;
  }
  mapped_ = false;
  const bool dropped = forward(cpu, maps_now_);
  polled_ += maps_now_;
  const bool full = polled_ >= kNapiBudget;
  Next next = Next::piece;
  if (full || out_.unanswered() == 0) {
    batch_.tell(simulation_);
    polled_ = 0;
    poll_begins_ = full;
    polls_ = full;
    next = full ? Next::again : Next::nothing;
    if (!full) out_.request_event = out_.taken + 1;
  }
  if (dropped) unmapper_->kick(cpu);
  return next;
}

// A frame that finds no descriptor is dropped; whether one has been.
bool Vif::forward(LinuxCpu& cpu, std::size_t count) {
  bool dropped = false;
  for (; count > 0; --count) {
    const Frame frame = out_.frames.pop();
    ++out_.taken;
    batch_.add(frame.flow);
    if (nic_.room()) {
      nic_.send(cpu, frame);
      continue;
    }
    simulation_.trace.emit(Frames{simulation_.now(), frame.flow, FrameEvent::dropped, 1});
    to_unmap_.push(frame.flow);
    dropped = true;
  }
  return dropped;
}

NetThread* Vif::sent(std::span<const FlowId> frames) {
  for (const FlowId flow : frames) to_unmap_.push(flow);
  return unmapper_;
}

Duration Vif::begin_unmap(LinuxCpu& cpu) {
  if (unmapped_) return NetBatch(costs_).add(NetCode::netback_tx, unmaps_).add(NetCode::event).take(cpu, unmap_.path);
  unmaps_ = std::min(to_unmap_.size(), kNapiBudget);
  return NetBatch(costs_).add(NetCode::wake).take(cpu, unmap_.path);
}

NetJob::Next Vif::unmapped(LinuxCpu& cpu) {
  if (unmaps_ == 0) return NetJob::Next::nothing;
  unmapped_ = !unmapped_;
  if (unmapped_) {
    std::size_t mapped = 0;
    for (std::size_t i = 0; i < unmaps_; ++i) mapped += static_cast<std::size_t>(maps(to_unmap_[i]));
    if (mapped > 0) dom0_.platform().hypercall(cpu.index(), times(mapped, costs_.grant_unmap));
    return NetJob::Next::piece;
  }
  for (std::size_t i = 0; i < unmaps_; ++i) answered_.push(to_unmap_.pop());
  if (out_.push_responses(static_cast<std::uint32_t>(unmaps_)))
    dom0_.platform().events()->send(cpu.index(), to_front_tx_);
  return to_unmap_.empty() ? NetJob::Next::nothing : NetJob::Next::piece;
}

// ---- The domain: receiving ----

Duration Vif::begin_response(LinuxCpu& cpu) { return NetBatch(costs_).add(NetCode::upcall).take(cpu, response_.path); }

NetJob::Next Vif::responded(LinuxCpu& cpu) {
  if (std::exchange(receives_, true)) return NetJob::Next::nothing;
  receive_begins_ = true;
  received_ = 0;
  cpu.raise_poll(receive_);
  return NetJob::Next::nothing;
}

Duration Vif::begin_receive(LinuxCpu& cpu) {
  frames_ = 0;
  if (!readers_.empty() || notifies_) return Duration::zero();
  NetBatch batch(costs_);
  if (std::exchange(receive_begins_, false)) batch.add(NetCode::poll);
  frames_ = std::min(static_cast<std::size_t>(in_.unseen()), kNapiBudget - received_);
  batch.add(NetCode::netfront_rx, frames_);
  for (std::size_t i = 0; i < frames_; ++i) sinks_[static_cast<std::size_t>(in_.frames[i].flow)]->price(batch, 1);
  return batch.take(cpu, receive_.path);
}

NetJob::Next Vif::received(LinuxCpu& cpu) {
  for (std::size_t i = 0; i < frames_; ++i) {
    const Frame frame = in_.frames.pop();
    FrameSink& sink = *sinks_[static_cast<std::size_t>(frame.flow)];
    sink.take(frame);
    readers_.add(&sink.reader());
  }
  in_.seen += static_cast<std::uint32_t>(frames_);
  received_ += frames_;
  if (frames_ > 0) notifies_ = in_.push_requests(static_cast<std::uint32_t>(frames_));
  if (std::exchange(notifies_, false)) {
    domain_.platform().events()->send(cpu.index(), to_back_rx_);
    return NetJob::Next::piece;
  }
  const bool wakes = !readers_.empty();
  const bool more = readers_.size() > 1 || in_.unseen() > 0 || received_ >= kNapiBudget;
  if (!more) {
    in_.response_event = in_.seen + 1;
    receives_ = false;
  }
  if (wakes) readers_.wake_one(cpu);
  if (!more) return NetJob::Next::nothing;
  if (wakes || received_ < kNapiBudget) return NetJob::Next::piece;
  received_ = 0;
  receive_begins_ = true;
  return NetJob::Next::again;
}

// ---- The domain: sending ----

void Vif::send(LinuxCpu& cpu, const Frame& frame) {
  out_.frames.push(frame);
  if (out_.push_requests(1)) domain_.platform().events()->send(cpu.index(), to_back_tx_);
}

// Takes back what has been answered, also meanwhile, then wakes who waits for a slot of the ring.
Duration Vif::begin_free(LinuxCpu& cpu) {
  frees_ = out_.unseen();
  if (freeing_ && frees_ == 0) return Duration::zero();
  NetBatch batch(costs_);
  if (!std::exchange(freeing_, true)) batch.add(NetCode::upcall);
  return batch.add(NetCode::netfront_free, frees_).take(cpu, free_.path);
}

NetJob::Next Vif::freed(LinuxCpu& cpu) {
  out_.seen += static_cast<std::uint32_t>(frees_);
  for (; frees_ > 0; --frees_) origins_.sent(answered_.pop(), writers_);
  if (room()) origins_.all_sent(writers_);
  const bool more = writers_.size() > 1 || out_.unseen() > 0;
  if (!more) {
    out_.response_event = out_.seen + 1;
    freeing_ = false;
  }
  if (!writers_.empty()) writers_.wake_one(cpu);
  return more ? NetJob::Next::piece : NetJob::Next::nothing;
}

void Vif::count_queued(std::vector<std::uint64_t>& by_flow) const {
  for (const Fifo<Frame>* queue : {&queue_, &in_.frames, &out_.frames}) {
    for (std::size_t i = 0; i < queue->size(); ++i) ++by_flow[static_cast<std::size_t>((*queue)[i].flow)];
  }
}

}  // namespace vecusim
