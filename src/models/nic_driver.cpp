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
      cycles_(flows, 0.0),
      foreseen_(flows, 0),
      batch_(flows) {}

void QueuePoll::to(FlowId flow, FrameSink& sink) {
  const auto index = static_cast<std::size_t>(flow);
  sinks_[index] = &sink;
  NetBatch one(costs_);
  one.add(per_frame_);
  sink.price(one, 1);
  cycles_[index] = one.cycles();
}

void QueuePoll::schedule(LinuxCpu& cpu) {
  if (std::exchange(scheduled_, true)) return;
  first_ = true;
  polled_ = 0;
  cpu.raise_poll(*this);
}

Duration QueuePoll::begin(LinuxCpu& cpu) {
  receives_ = 0;
  reaps_ = 0;
  if (!wakes_.empty()) return Duration::zero();
  NetBatch batch(costs_);
  if (first_) batch.add(NetCode::poll);
  reaps_ = to_reap(kNapiBudget);
  batch.add(NetCode::free, reaps_);
  foresee(cpu, batch.cycles());
  batch.add(per_frame_, receives_);
  for (std::size_t flow = 0; flow < sinks_.size(); ++flow) {
    if (foreseen_[flow] > 0) sinks_[flow]->price(batch, foreseen_[flow]);
  }
  return batch.take(cpu, path_);
}

// Frames that will have been received when this piece ends: those that come meanwhile belong to it, too.
void QueuePoll::foresee(LinuxCpu& cpu, double cycles) {
  const Core& core = cpu.kernel().platform().core(cpu.index());
  const std::size_t most = kNapiBudget - polled_;
  std::fill(foreseen_.begin(), foreseen_.end(), 0);
  std::size_t there = std::min(queue_.received(), most);
  while (true) {
    for (; receives_ < there; ++receives_) {
      const auto flow = static_cast<std::size_t>(queue_.flow_of(receives_));
      ++foreseen_[flow];
      cycles += cycles_[flow];
    }
    there = std::min(queue_.received_by(simulation_.now() + core.cycles(cycles)), most);
    if (there <= receives_) return;
  }
}

NetJob::Next QueuePoll::done(LinuxCpu& cpu) {
  first_ = false;
  hand_on(std::min(receives_, queue_.received()));
  if (reaps_ > 0) reap(reaps_, wakes_);
  const bool full = polled_ >= kNapiBudget;
  const bool empty = !full && queue_.received() == 0 && to_reap(1) == 0;
  const bool last_may_trap = wakes_.size() == 1 && !finish_traps();
  if (!wakes_.empty() && !(empty && last_may_trap)) {
    wakes_.wake_one(cpu);
    return Next::piece;
  }
  if (full) {
    batch_.tell(simulation_);
    polled_ = 0;
    first_ = true;
    return Next::again;
  }
  return empty ? finish(cpu) : Next::piece;
}

NetJob::Next QueuePoll::finish(LinuxCpu& cpu) {
  scheduled_ = false;
  batch_.tell(simulation_);
  finished(cpu);
  if (!wakes_.empty()) wakes_.wake_one(cpu);
  return Next::nothing;
}

void QueuePoll::hand_on(std::size_t count) {
  polled_ += count;
  for (; count > 0; --count) {
    const Frame frame = queue_.take();
    const auto flow = static_cast<std::size_t>(frame.flow);
    batch_.add(frame.flow);
    sinks_[flow]->take(frame);
    wakes_.add(&sinks_[flow]->reader());
  }
}

NicDriver::NicDriver(Simulation& simulation, const NetCosts& costs, Board& board, QueuePair& queue, std::size_t flows)
    : QueuePoll(simulation, costs, board, queue, NetCode::driver_rx, flows),
      handler_(*this, board.add_code_path()),
      origins_(flows) {
  queue.handle_by(handler_);
}

void NicDriver::from(FlowId flow, FrameOrigin& origin) {
  origins_.set(flow, origin);
  queue_.sent_frames_interrupt();
}

void NicDriver::send(LinuxCpu&, const Frame& frame) {
  queue_.put(frame);
  queue_.doorbell();
}

std::size_t NicDriver::to_reap(std::size_t most) { return std::min(queue_.sent(), most); }

void NicDriver::reap(std::size_t count, Wakes& wakes) {
  for (; count > 0; --count) origins_.sent(queue_.reap(), wakes);
  origins_.all_sent(wakes);
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
