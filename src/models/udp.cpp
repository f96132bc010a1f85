// Datagrams between sockets and programs.
#include "models/udp.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "models/linux.hpp"

namespace vecusim {

namespace {

// net.core.rmem_default (socket(7)), as 64-bit systems print it.
constexpr std::int64_t kSocketBytes = 212992;
// What a received frame takes of it is its buffer, of 2 KB, and what describes it; drivers copy small frames to smaller
// buffers. The specification has no number for either; these are estimates.
constexpr std::int64_t kSmallFrame = 256;
constexpr std::int64_t kSmallTaken = 512 + 256;
constexpr std::int64_t kTaken = 2048 + 256;

std::int64_t taken(const Frame& frame) { return frame.bytes <= kSmallFrame ? kSmallTaken : kTaken; }

NetThread* add_program(Linux& kernel, const FlowConfig& config, NetJob& job) {
  auto thread = std::make_unique<NetThread>(kernel, config.name, job, Context::kernel);
  NetThread* added = thread.get();
  kernel.add_thread(std::move(thread));
  return added;
}

}  // namespace

void BatchTally::tell(Simulation& simulation) {
  for (std::size_t flow = 0; flow < frames_.size(); ++flow) {
    if (frames_[flow] == 0) continue;
    simulation.trace.emit(Frames{simulation.now(), FlowId{static_cast<std::uint16_t>(flow)}, FrameEvent::batch,
                                 std::exchange(frames_[flow], 0)});
  }
}

void Origins::sent(FlowId flow, Wakes& wakes) {
  const auto of = [&](FlowId each) { return by_flow_[static_cast<std::size_t>(each)]; };
  if (!run_.empty() && of(run_.back()) != of(flow)) tell(wakes);
  run_.push_back(flow);
}

void Origins::tell(Wakes& wakes) {
  if (run_.empty()) return;
  wakes.add(by_flow_[static_cast<std::size_t>(run_.back())]->sent(run_));
  run_.clear();
}

void Origins::all_sent(Wakes& wakes) {
  tell(wakes);
  for (FrameOrigin* origin : by_flow_) {
    if (origin != nullptr) wakes.add(origin->waiting());
  }
}

UdpReceiver::UdpReceiver(Simulation& simulation, Linux& kernel, const NetCosts& costs, Board& board, FlowId flow,
                         const FlowConfig& config, FrameEnds& ends)
    : simulation_(simulation),
      costs_(costs),
      ends_(ends),
      path_(board.add_code_path()),
      flow_(flow),
      thread_(add_program(kernel, config, *this)) {}

void UdpReceiver::take(const Frame& frame) {
  if (taken_ + taken(frame) <= kSocketBytes) {
    taken_ += taken(frame);
    queue_.push(frame);
  } else {
    simulation_.trace.emit(Frames{simulation_.now(), flow_, FrameEvent::dropped, 1});
    ends_.ended(flow_, 1);
  }
}

Duration UdpReceiver::begin(LinuxCpu& cpu) {
  if (read_) return NetBatch(costs_).add(NetCode::app_rx, reading_).take(cpu, path_);
  reading_ = std::min(queue_.size(), kNapiBudget);
  began_ = simulation_.now();
  return NetBatch(costs_).add(NetCode::socket_rx, reading_).take(cpu, path_);
}

NetJob::Next UdpReceiver::done(LinuxCpu&) {
  read_ = !read_;
  thread_->turn_to(read_ ? Context::user : Context::kernel);
  if (read_) {
    deliver();
    return Next::piece;
  }
  return queue_.empty() ? Next::nothing : Next::piece;
}

// One after another, at equal distances within the piece.
void UdpReceiver::deliver() {
  const Duration each = (simulation_.now() - began_) / std::max<Duration::rep>(static_cast<Duration::rep>(reading_), 1);
  took_.clear();
  for (std::size_t i = 1; i <= reading_; ++i) {
    const Time at = i == reading_ ? simulation_.now() : began_ + static_cast<Duration::rep>(i) * each;
    const Frame frame = queue_.pop();
    taken_ -= taken(frame);
    took_.push_back(at - frame.born);
  }
  simulation_.trace.emit(Frames{simulation_.now(), flow_, FrameEvent::delivered, reading_, took_});
  ends_.ended(flow_, reading_);
}

UdpSender::UdpSender(Simulation& simulation, Linux& kernel, const NetCosts& costs, Board& board, FlowId flow,
                     const FlowConfig& config, double port_mbps, FrameOutlet& outlet)
    : simulation_(simulation),
      costs_(costs),
      path_(board.add_code_path()),
      flow_(flow),
      bytes_(static_cast<std::uint16_t>(config.frame_bytes)),
      source_(simulation, config, port_mbps),
      outlet_(outlet),
      thread_(add_program(kernel, config, *this)) {
  thread_->sleep_until(source_.next());
}

NetThread* UdpSender::sent(std::span<const FlowId> frames) {
  if (!source_.waits()) return nullptr;
  const bool waited = source_.next() == kNever;
  source_.ended(frames.size(), simulation_.now());
  return waited ? thread_ : nullptr;
}

Duration UdpSender::begin(LinuxCpu& cpu) {
  NetBatch batch(costs_);
  if (in_call_) {
    batch.add(NetCode::socket_tx);
    outlet_.price(batch, 1);
  } else {
    batch.add(NetCode::app_tx);
  }
  return batch.take(cpu, path_);
}

NetJob::Next UdpSender::done(LinuxCpu& cpu) {
  if (!in_call_) {
    waits_ = !outlet_.room();
    if (waits_) {
      thread_->sleep_until(kNever);
      return Next::nothing;
    }
    if (source_.next() > simulation_.now()) return next_frame();  // woken for room, early
    in_call_ = true;
    thread_->turn_to(Context::kernel);
    return Next::piece;
  }
  in_call_ = false;
  thread_->turn_to(Context::user);
  // With a window nobody has told it when to send.
  const Frame frame{source_.waits() ? simulation_.now() : source_.next(), flow_, bytes_};
  source_.take();
  simulation_.trace.emit(Frames{simulation_.now(), flow_, FrameEvent::offered, 1});
  const Next next = next_frame();
  outlet_.send(cpu, frame);
  return next;
}

NetJob::Next UdpSender::next_frame() {
  if (source_.next() <= simulation_.now()) return Next::piece;
  thread_->sleep_until(source_.next());
  return Next::nothing;
}

// What a window holds back is nobody's yet.
std::uint64_t UdpSender::backlog() {
  if (source_.waits()) return 0;
  std::uint64_t due = 0;
  for (; source_.next() <= simulation_.now(); source_.take()) ++due;
  if (due > 0) simulation_.trace.emit(Frames{simulation_.now(), flow_, FrameEvent::offered, due});
  return due;
}

}  // namespace vecusim
