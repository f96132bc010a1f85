// Polls of a queue pair.
#include "models/nic_driver.hpp"

#include <algorithm>

#include "models/linux.hpp"

namespace vecusim {

QueuePoll::QueuePoll(Simulation& simulation, const NetCosts& costs, Board& board, QueuePair& queue, NetCode per_frame,
                     std::size_t flows)
    : simulation_(simulation),
      costs_(costs),
      queue_(queue),
      path_(board.add_code_path()),
      per_frame_(per_frame),
      sinks_(flows, nullptr),
      batch_(flows, 0) {}

void QueuePoll::schedule(LinuxCpu& cpu) {
  if (std::exchange(scheduled_, true)) return;
  first_ = true;
  polled_ = 0;
  cpu.raise_poll(*this);
}

Duration QueuePoll::begin(LinuxCpu& cpu) {
  receives_ = 0;
  reaps_ = 0;
  if (!kicks_.empty()) return Duration::zero();
  NetBatch batch(costs_);
  if (first_) batch.add(NetCode::poll);
  reaps_ = to_reap(kNapiBudget);
  if (reaps_ > 0) batch.add(NetCode::free, reaps_);
  receives_ = foresee(cpu, batch.cycles());
  batch.add(per_frame_, receives_);
  for (std::size_t flow = 0; flow < sinks_.size(); ++flow) {
    if (sinks_[flow] == nullptr) continue;
    sinks_[flow]->price(batch, receives_);  // all of a queue's flows take the same way
    break;
  }
  return batch.take(cpu, path_);
}

// Frames that will have been received when this piece ends: those that come meanwhile belong to it, too.
std::size_t QueuePoll::foresee(LinuxCpu& cpu, double fixed_cycles) const {
  NetBatch one(costs_);
  one.add(per_frame_, 1);
  for (const FrameSink* sink : sinks_) {
    if (sink == nullptr) continue;
    sink->price(one, 1);
    break;
  }
  const Core& core = cpu.kernel().platform().core(cpu.index());
  const std::size_t most = kNapiBudget - polled_;
  std::size_t n = std::min(queue_.received(), most);
  while (n < most) {
    const Duration takes = core.cycles(fixed_cycles + static_cast<double>(n) * one.cycles());
    const std::size_t then = std::min(queue_.received_by(simulation_.now() + takes), most);
    if (then <= n) break;
    n = then;
  }
  return n;
}

NetJob::Next QueuePoll::done(LinuxCpu& cpu) {
  first_ = false;
  hand_on(std::min(receives_, queue_.received()));
  if (reaps_ > 0) {
    reap(cpu, reaps_);
    return Next::piece;
  }
  const bool full = polled_ >= kNapiBudget;
  const bool empty = !full && queue_.received() == 0 && to_reap(1) == 0;
  const bool last_may_trap = kicks_.size() == 1 && !finish_traps();
  if (!kicks_.empty() && !(empty && last_may_trap)) {
    kick_one(cpu);
    return Next::piece;
  }
  if (full) {
    tell_batch();
    polled_ = 0;
    first_ = true;
    return Next::again;
  }
  return empty ? finish(cpu) : Next::piece;
}

void QueuePoll::kick_one(LinuxCpu& cpu) {
  NetThread* reader = kicks_.back();
  kicks_.pop_back();
  reader->kick(cpu);
}

NetJob::Next QueuePoll::finish(LinuxCpu& cpu) {
  scheduled_ = false;
  tell_batch();
  finished(cpu);
  if (!kicks_.empty()) kick_one(cpu);
  return Next::nothing;
}

void QueuePoll::hand_on(std::size_t count) {
  polled_ += count;
  for (; count > 0; --count) {
    const Frame frame = queue_.take();
    const auto flow = static_cast<std::size_t>(frame.flow);
    ++batch_[flow];
    sinks_[flow]->take(frame);
    NetThread* reader = &sinks_[flow]->reader();
    if (!reader->awake() && std::find(kicks_.begin(), kicks_.end(), reader) == kicks_.end()) kicks_.push_back(reader);
  }
}

void QueuePoll::tell_batch() {
  for (std::size_t flow = 0; flow < batch_.size(); ++flow) {
    if (batch_[flow] == 0) continue;
    simulation_.trace.emit(Frames{simulation_.now(), FlowId{static_cast<std::uint16_t>(flow)}, FrameEvent::batch,
                                  std::exchange(batch_[flow], 0)});
  }
}

NicDriver::NicDriver(Simulation& simulation, const NetCosts& costs, Board& board, QueuePair& queue, std::size_t flows)
    : QueuePoll(simulation, costs, board, queue, NetCode::driver_rx, flows),
      handler_(*this, board.add_code_path()),
      senders_(flows, nullptr) {
  queue.handle_by(handler_);
}

void NicDriver::from(FlowId flow, Sender& sender) {
  senders_[static_cast<std::size_t>(flow)] = &sender;
  queue_.sent_frames_interrupt();
}

void NicDriver::send(LinuxCpu&, const Frame& frame) {
  queue_.put(frame);
  queue_.doorbell();
}

// Those of one sender.
std::size_t NicDriver::to_reap(std::size_t most) {
  const std::size_t all = std::min(queue_.sent(), most);
  std::size_t count = 0;
  while (count < all && sender_of_sent(count) == sender_of_sent(0)) ++count;
  return count;
}

NicDriver::Sender* NicDriver::sender_of_sent(std::size_t index) const {
  return senders_[static_cast<std::size_t>(queue_.flow_of_sent(index))];
}

void NicDriver::reap(LinuxCpu& cpu, std::size_t count) {
  Sender* sender = sender_of_sent(0);
  for (std::size_t i = 0; i < count; ++i) queue_.reap();
  sender->sent(cpu, count);
}

void NicDriver::finished(LinuxCpu&) { queue_.unmask(); }

Duration NicDriver::Handler::begin(LinuxCpu& cpu) {
  return NetBatch(driver_.costs_).add(NetCode::irq).reads(1).writes(1).take(cpu, path_);
}

NetJob::Next NicDriver::Handler::done(LinuxCpu& cpu) {
  driver_.queue_.mask();
  driver_.schedule(cpu);
  return Next::nothing;
}

}  // namespace vecusim
