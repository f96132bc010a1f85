// What has happened to frames up to a moment.
#include "models/rswitch2.hpp"

#include <algorithm>
#include <cassert>

namespace vecusim {

RSwitch2Costs::RSwitch2Costs(CostTable& costs)
    : forward(costs.duration("rswitch2.forward")),
      bus_mbps(costs.number("rswitch2.bus", "mbps")),
      bus_latency(costs.duration("rswitch2.bus_latency")),
      write_arrives(costs.duration("rswitch2.write_arrives")),
      buffer_bytes(costs.number("rswitch2.buffer", "bytes")) {}

RSwitch2::RSwitch2(Simulation& simulation, const NetworkConfig& config, Board& board, CostTable& costs)
    : simulation_(&simulation),
      config_(config),
      board_(board),
      costs_(costs),
      bus_ps_per_byte_(8e6 / std::max(costs_.bus_mbps, 1.0)),
      longest_wait_(from_ps(costs_.buffer_bytes * bus_ps_per_byte_)),
      egress_(static_cast<std::size_t>(config.ports)) {}

QueuePair& RSwitch2::add_queue() {
  queues_.push_back(std::make_unique<QueuePair>(*this, board_, queues_.size()));
  return *queues_.back();
}

void RSwitch2::receive(FlowId flow, QueuePair& queue) {
  const FlowConfig& config = config_.flows[static_cast<std::size_t>(flow)];
  ingress_.push_back({FrameSource(*simulation_, config, config_.port_mbps), flow,
                      static_cast<std::uint16_t>(config.frame_bytes), config.priority, &queue});
}

void RSwitch2::start() {
  choose();
  for (auto& queue : queues_) queue->arm();
}

// ---- From the wire ----

// The next frame that the port to the computer sends: when it is free, the most urgent one of those that are there.
void RSwitch2::choose() {
  Time earliest = kNever;
  for (const Ingress& from : ingress_) earliest = std::min(earliest, from.source.next());
  next_ = kNone;
  start_ = kNever;
  if (earliest == kNever) return;
  start_ = std::max(free_, earliest + costs_.forward);
  for (std::size_t i = 0; i < ingress_.size(); ++i) {
    const Ingress& from = ingress_[i];
    if (from.source.next() + costs_.forward > start_) continue;
    const bool first =
        next_ == kNone || from.priority > ingress_[next_].priority ||
        (from.priority == ingress_[next_].priority && from.source.next() < ingress_[next_].source.next());
    if (first) next_ = i;
  }
}

// A frame that has waited for longer than the buffer holds found it full when it came.
void RSwitch2::fetch() {
  Ingress& from = ingress_[next_];
  const Frame frame{from.source.next(), from.flow, from.bytes};
  from.source.take();
  if (start_ - frame.born > longest_wait_ + costs_.forward) {
    tell(frame.flow, FrameEvent::offered, 1);
    tell(frame.flow, FrameEvent::dropped, 1);
  } else {
    free_ = start_ + from_ps(static_cast<double>(frame.copied()) * bus_ps_per_byte_);
    from.queue->arriving_.push({frame, free_ + costs_.bus_latency});
  }
  choose();
}

void RSwitch2::advance(Time until) {
  while (start_ <= until) fetch();
}

void RSwitch2::tell(FlowId flow, FrameEvent what, std::uint64_t count) {
  if (count > 0) simulation_->trace.emit(Frames{simulation_->now(), flow, what, count});
}

// ---- To the wire ----

void RSwitch2::send(const Frame& frame, QueuePair& queue) {
  const FlowConfig& flow = config_.flows[static_cast<std::size_t>(frame.flow)];
  Egress& port = egress_[static_cast<std::size_t>(flow.port)];
  const Duration bus = costs_.write_arrives + costs_.bus_latency +
                       from_ps(static_cast<double>(frame.copied()) * bus_ps_per_byte_) + costs_.forward;
  port.waiting[static_cast<std::size_t>(flow.priority)].push({frame, simulation_->now() + bus, &queue});
  ++queue.in_port_;
}

void RSwitch2::settle_ports(Time until) {
  for (Egress& port : egress_) {
    while (true) {
      Time earliest = kNever;
      for (const auto& waiting : port.waiting) {
        if (!waiting.empty()) earliest = std::min(earliest, waiting.front().ready);
      }
      if (earliest == kNever) break;
      const Time start = std::max(port.free, earliest);
      const auto next = std::find_if(port.waiting.rbegin(), port.waiting.rend(), [&](const auto& waiting) {
        return !waiting.empty() && waiting.front().ready <= start;
      });
      const Frame& frame = next->front().frame;
      const Time end = start + from_ps(static_cast<double>(frame.bytes) * 8e6 / config_.port_mbps);
      if (end > until) break;
      const Egress::Waiting sent = next->pop();
      port.free = end;
      --sent.queue->in_port_;
      sent.queue->sent_.push({end, sent.frame.flow});
      const std::array<Duration, 1> took = {end - sent.frame.born};
      simulation_->trace.emit(Frames{end, sent.frame.flow, FrameEvent::delivered, 1, took});
    }
  }
}

// When the first frame of the queue that waits at a port will have been sent, as far as is known now.
Time RSwitch2::next_sent(const QueuePair& queue) const {
  Time first = kNever;
  for (const Egress& port : egress_) {
    for (const auto& waiting : port.waiting) {
      if (waiting.empty() || waiting.front().queue != &queue) continue;
      const Frame& frame = waiting.front().frame;
      const Duration wire = from_ps(static_cast<double>(frame.bytes) * 8e6 / config_.port_mbps);
      first = std::min(first, std::max(port.free, waiting.front().ready) + wire);
    }
  }
  return first;
}

void RSwitch2::settle() {
  advance(simulation_->now());
  settle_ports(simulation_->now());
  for (auto& queue : queues_) queue->settle();
}

void RSwitch2::count_queued(std::vector<std::uint64_t>& by_flow) const {
  for (const auto& queue : queues_) queue->count_queued(by_flow);
  for (const Egress& port : egress_) {
    for (const auto& waiting : port.waiting) {
      for (std::size_t i = 0; i < waiting.size(); ++i) ++by_flow[static_cast<std::size_t>(waiting[i].frame.flow)];
    }
  }
}

// ---- A queue pair ----

QueuePair::QueuePair(RSwitch2& device, Board& board, std::size_t number)
    : device_(device),
      board_(board),
      irq_(board.network_irq(number)),
      timer_(device.simulation_->queue, Delegate<void()>::to<&QueuePair::interrupt>(*this)) {
  board.add_device(*this);
  board.gic().set_trigger(irq_, Trigger::level);
}

// Frames that have been written to memory by now, or were dropped for lack of a descriptor.
void QueuePair::settle() {
  const Time now = device_.simulation_->now();
  device_.advance(now);
  FlowId flow{};  // of a run of frames that observers are told of together
  std::uint64_t offered = 0;
  std::uint64_t dropped = 0;
  const auto tell = [&] {
    device_.tell(flow, FrameEvent::offered, std::exchange(offered, 0));
    device_.tell(flow, FrameEvent::dropped, std::exchange(dropped, 0));
  };
  while (!arriving_.empty() && arriving_.front().at <= now) {
    const Arriving arrived = arriving_.pop();
    if (arrived.frame.flow != flow) tell();
    flow = arrived.frame.flow;
    ++offered;
    if (received_.size() >= static_cast<std::size_t>(device_.config_.rx_descriptors)) {
      ++dropped;
      continue;
    }
    if (received_.empty()) first_received_ = arrived.at;
    received_.push(arrived.frame);
  }
  tell();
}

std::size_t QueuePair::received() {
  settle();
  return received_.size();
}

std::size_t QueuePair::received_by(Time at) {
  settle();
  device_.advance(at);
  std::size_t later = 0;
  while (later < arriving_.size() && arriving_[later].at <= at) ++later;
  return std::min(received_.size() + later, static_cast<std::size_t>(device_.config_.rx_descriptors));
}

Frame QueuePair::take() {
  first_received_ = device_.simulation_->now();
  return received_.pop();
}

void QueuePair::mask() {
  masked_ = true;
  timer_.disarm();
  if (std::exchange(high_, false)) board_.gic().set_line(irq_, false);
}

void QueuePair::unmask() {
  masked_ = false;
  unmasked_ = device_.simulation_->now() + device_.costs_.write_arrives;
  arm();
}

void QueuePair::arm() {
  if (masked_ || high_) return;
  timer_.arm_at(due());
}

// When it has something to interrupt for, and may.
Time QueuePair::due() {
  settle();
  const bool moderated = device_.config_.moderation > Duration::zero();
  const std::size_t many = moderated ? static_cast<std::size_t>(device_.config_.moderation_frames) : 1;
  const Duration patience = device_.config_.moderation;
  Time due = kNever;
  if (received_.size() >= many) {
    due = first_received_;
  } else {
    const std::size_t missing = many - received_.size();
    if (!received_.empty()) due = first_received_ + patience;
    while (arriving_.empty() && device_.start_ < due) device_.fetch();
    if (received_.empty() && !arriving_.empty()) due = arriving_.front().at + patience;
    while (arriving_.size() < missing && device_.start_ < due) device_.fetch();
    if (arriving_.size() >= missing) due = std::min(due, arriving_[missing - 1].at);
  }
  if (sent_interrupts_) {
    device_.settle_ports(device_.simulation_->now());
    const Time sent = sent_.empty() ? device_.next_sent(*this) : sent_.front().at;
    if (sent != kNever) due = std::min(due, sent + patience);
  }
  if (due == kNever) return kNever;
  return std::max({due + device_.costs_.write_arrives, unmasked_, device_.simulation_->now()});
}

void QueuePair::interrupt() {
  high_ = true;
  signal_ = handler_;
  board_.gic().set_line(irq_, true);
}

std::size_t QueuePair::room() {
  device_.settle_ports(device_.simulation_->now());
  const auto all = static_cast<std::size_t>(device_.config_.tx_descriptors);
  const std::size_t used = put_.size() + in_port_ + sent_.size();
  return used < all ? all - used : 0;
}

void QueuePair::put(const Frame& frame) { put_.push(frame); }

void QueuePair::doorbell() {
  device_.settle_ports(device_.simulation_->now());
  while (!put_.empty()) device_.send(put_.pop(), *this);
  if (sent_interrupts_) arm();
}

std::size_t QueuePair::sent() {
  device_.settle_ports(device_.simulation_->now());
  return sent_.size();
}

void QueuePair::count_queued(std::vector<std::uint64_t>& by_flow) const {
  for (std::size_t i = 0; i < received_.size(); ++i) ++by_flow[static_cast<std::size_t>(received_[i].flow)];
  for (std::size_t i = 0; i < put_.size(); ++i) ++by_flow[static_cast<std::size_t>(put_[i].flow)];
}

}  // namespace vecusim
