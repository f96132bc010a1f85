// What has happened to frames up to a moment.
#include "models/rswitch2.hpp"

#include <algorithm>
#include <cassert>

namespace vecusim {

RSwitch2Costs::RSwitch2Costs(CostTable& costs, bool routed)
    : forward(costs.duration("rswitch2.forward")),
      route(routed ? costs.duration("rswitch2.route") : Duration::zero()),
      bus_mbps(costs.number("rswitch2.bus", "mbps")),
      bus_latency(costs.duration("rswitch2.bus_latency")),
      write_arrives(costs.duration("rswitch2.write_arrives")),
      buffer_bytes(costs.number("rswitch2.buffer", "bytes")) {}

RSwitch2::RSwitch2(Simulation& simulation, const NetworkConfig& config, Board& board, CostTable& costs)
    : simulation_(&simulation),
      config_(config),
      board_(board),
      costs_(costs,
             std::any_of(config.flows.begin(), config.flows.end(), [](const auto& flow) { return flow.routed; })),
      bus_ps_per_byte_(8e6 / std::max(costs_.bus_mbps, 1.0)),
      port_ps_per_byte_(8e6 / config.port_mbps),
      longest_wait_(from_ps(costs_.buffer_bytes * bus_ps_per_byte_)),
      egress_(static_cast<std::size_t>(config.ports)) {}

QueuePair& RSwitch2::add_queue() {
  queues_.push_back(std::make_unique<QueuePair>(*this, board_, queues_.size()));
  return *queues_.back();
}

void RSwitch2::receive(FlowId flow, QueuePair& queue) {
  const FlowConfig& config = config_.flows[static_cast<std::size_t>(flow)];
  ingress_.push_back(
      {FrameSource(*simulation_, config, config_.port_mbps), flow, config.priority, look_up(config), &queue});
  queue.receives_ = true;
}

void RSwitch2::start() {
  choose();
  for (auto& queue : queues_) queue->arm();
}

// ---- From the wire ----

void RSwitch2::ended(FlowId flow, std::size_t frames) {
  if (QueuePair* queue = release(flow, frames)) queue->arm();
}

// The queue of a flow that waited for that; else null.
QueuePair* RSwitch2::release(FlowId flow, std::size_t frames) {
  if (frames == 0) return nullptr;
  const auto from =
      std::find_if(ingress_.begin(), ingress_.end(), [&](const Ingress& each) { return each.flow == flow; });
  if (from == ingress_.end() || !from->source.waits()) return nullptr;
  from->source.ended(frames, simulation_->now());
  choose();
  return from->queue;
}

// The next frame that the port to the computer sends: when it is free, the most urgent one of those that are there.
void RSwitch2::choose() {
  Time earliest = kNever;
  for (const Ingress& from : ingress_) earliest = std::min(earliest, from.ready());
  next_ = kNone;
  start_ = kNever;
  if (earliest == kNever) return;
  start_ = std::max(free_, earliest);
  for (std::size_t i = 0; i < ingress_.size(); ++i) {
    const Ingress& from = ingress_[i];
    if (from.ready() > start_) continue;
    const bool first = next_ == kNone || from.priority > ingress_[next_].priority ||
                       (from.priority == ingress_[next_].priority && from.ready() < ingress_[next_].ready());
    if (first) next_ = i;
  }
}

// A frame that has waited for longer than the buffer holds found it full when it came.
void RSwitch2::fetch() {
  Ingress& from = ingress_[next_];
  const Frame frame{from.source.next(), from.flow, from.source.bytes()};
  from.source.take();
  if (start_ - frame.born > longest_wait_ + from.look_up) {
    tell(frame.flow, FrameEvent::offered, 1);
    tell(frame.flow, FrameEvent::dropped, 1);
    release(frame.flow, 1);
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
                       from_ps(static_cast<double>(frame.copied()) * bus_ps_per_byte_) + look_up(flow);
  port.waiting[static_cast<std::size_t>(flow.priority)].push({frame, simulation_->now() + bus, &queue});
  ++port.frames;
  ++queue.in_port_;
}

// When it is free, the most urgent one of those that are there.
RSwitch2::Leaving RSwitch2::leaving(Egress& port) const {
  if (port.frames == 0) return {};
  Time earliest = kNever;
  for (const auto& waiting : port.waiting) {
    if (!waiting.empty()) earliest = std::min(earliest, waiting.front().ready);
  }
  const Time start = std::max(port.free, earliest);
  const auto next = std::find_if(port.waiting.rbegin(), port.waiting.rend(), [&](const auto& waiting) {
    return !waiting.empty() && waiting.front().ready <= start;
  });
  return {&*next, start + on_wire(next->front().frame)};
}

// In the order of their times, whichever port they leave by.
void RSwitch2::settle_ports(Time until) {
  while (true) {
    Leaving first;
    Egress* port = nullptr;
    for (Egress& each : egress_) {
      const Leaving next = leaving(each);
      if (next.end >= first.end) continue;
      first = next;
      port = &each;
    }
    if (first.end > until) return;
    const Egress::Waiting sent = first.from->pop();
    --port->frames;
    port->free = first.end;
    --sent.queue->in_port_;
    sent.queue->sent_.push({first.end, sent.frame.flow});
    const std::array<Duration, 1> took = {first.end - sent.frame.born};
    simulation_->trace.emit(Frames{first.end, sent.frame.flow, FrameEvent::delivered, 1, took});
  }
}

// When the port to the computer can send the queue's next frame at the earliest.
Time RSwitch2::next_received(const QueuePair& queue) const {
  Time first = kNever;
  for (const Ingress& from : ingress_) {
    if (from.queue == &queue) first = std::min(first, from.ready());
  }
  return first;
}

// When `count` more of the queue's frames will have been sent at the earliest: others that wait, or come, may go first.
// Of n busy ports one has the n-th part of them to send.
Time RSwitch2::next_sent(const QueuePair& queue, std::size_t count) const {
  if (queue.in_port_ < count) return kNever;
  const auto busy = static_cast<std::size_t>(
      std::count_if(egress_.begin(), egress_.end(), [](const Egress& port) { return port.frames > 0; }));
  const std::size_t share = (count + busy - 1) / busy;
  Time first = kNever;
  for (const Egress& port : egress_) {
    if (port.frames == 0) continue;
    Time ready = kNever;
    Duration shortest = Duration::max();
    std::size_t found = 0;
    for (const auto& waiting : port.waiting) {
      for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (waiting[i].queue != &queue) continue;
        ready = std::min(ready, waiting[i].ready);
        shortest = std::min(shortest, on_wire(waiting[i].frame));
        ++found;
        if (count == 1) break;  // the others of this priority go later
      }
    }
    if (found < share) continue;
    first = std::min(first, std::max(port.free, ready) + shortest * static_cast<Duration::rep>(share));
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
    device_.release(flow, dropped);
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

FlowId QueuePair::flow_of(std::size_t index) const {
  return index < received_.size() ? received_[index].flow : arriving_[index - received_.size()].frame.flow;
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

// When it has something to interrupt for, and may; or the earliest time at which that is possible.
Time QueuePair::due() {
  settle();
  const Time due = std::min(due_for_received(), due_for_sent());
  if (due == kNever) return kNever;
  return std::max({due + device_.costs_.write_arrives, unmasked_, device_.simulation_->now()});
}

// So long after the first frame, or when so many are there. Others' frames are worked out no further ahead than that
// takes.
Time QueuePair::due_for_received() {
  if (!receives_) return kNever;
  const std::size_t many = device_.interrupts_for();
  if (received_.size() >= many) return first_received_;
  if (received_.empty()) {
    const Time next = device_.next_received(*this);
    if (arriving_.empty() && next == kNever) return kNever;
    const Time horizon = std::max(next, device_.simulation_->now());
    while (arriving_.empty() && device_.start_ <= horizon) device_.fetch();
    if (arriving_.empty()) return device_.start_;
  }
  const Time first = received_.empty() ? arriving_.front().at : first_received_;
  const Time due = first + device_.config_.moderation;
  const std::size_t missing = many - received_.size();
  while (arriving_.size() < missing && device_.start_ < due) device_.fetch();
  return arriving_.size() < missing ? due : std::min(due, arriving_[missing - 1].at);
}

Time QueuePair::due_for_sent() {
  if (!sent_interrupts_) return kNever;
  device_.settle_ports(device_.simulation_->now());
  const std::size_t many = device_.interrupts_for();
  if (sent_.size() >= many) return sent_[many - 1].at;
  const Time first = sent_.empty() ? device_.next_sent(*this, 1) : sent_.front().at;
  if (first == kNever) return kNever;
  return std::min(first + device_.config_.moderation, device_.next_sent(*this, many - sent_.size()));
}

void QueuePair::interrupt() {
  if (const Time later = due(); later > device_.simulation_->now()) {
    timer_.arm_at(later);
    return;
  }
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
