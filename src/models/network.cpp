// Which drivers a path is made of.
#include "models/network.hpp"

#include <algorithm>

#include "models/linux.hpp"

namespace vecusim {

/// What a domain has of the device.
struct Network::Port {
  std::string domain;
  QueuePair* queue = nullptr;          // null: another domain's
  std::unique_ptr<NicDriver> driver;   // of a queue with its interrupt
  std::unique_ptr<SharedQueue> share;  // of a queue whose interrupt dom0 has
  std::unique_ptr<Vif> vif;            // of a part in dom0's
};

Network::Network(Simulation& simulation, const NetworkConfig& config, Board& board, CostTable& costs,
                 NetworkMachine& machine)
    : simulation_(simulation),
      config_(config),
      board_(board),
      machine_(machine),
      costs_(costs),
      device_(simulation, config, board, costs) {
  for (std::size_t i = 0; i < config.flows.size(); ++i) add(FlowId{static_cast<std::uint16_t>(i)}, config.flows[i]);
}

Network::~Network() = default;

NicDriver& Network::own_queue(const std::string& domain) {
  for (auto& port : ports_) {
    if (port->domain == domain) return *port->driver;
  }
  ports_.push_back(std::make_unique<Port>());
  Port& port = *ports_.back();
  port.domain = domain;
  port.queue = &device_.add_queue();
  port.driver = std::make_unique<NicDriver>(simulation_, costs_, board_, *port.queue, config_.flows.size());
  machine_.route(port.queue->irq(), domain, static_cast<std::size_t>(config_.cpu));
  return *port.driver;
}

Network::Port& Network::port_of(const std::string& domain) {
  const std::string& dom0 = machine_.first_domain();
  const bool owns = config_.path == NetworkPath::native || config_.path == NetworkPath::passthrough || domain == dom0;
  if (owns) own_queue(domain);
  for (auto& port : ports_) {
    if (port->domain == domain) return *port;
  }
  auto port = std::make_unique<Port>();
  port->domain = domain;
  Linux& backend = machine_.linux_of(dom0);
  Linux& frontend = machine_.linux_of(domain);
  if (config_.path == NetworkPath::bridge) {
    port->vif = std::make_unique<Vif>(simulation_, costs_, board_, backend, frontend, domain, own_queue(dom0), config_,
                                      device_);
  } else {
    port->queue = &device_.add_queue();
    port->share = std::make_unique<SharedQueue>(simulation_, costs_, board_, backend, frontend, *port->queue,
                                                config_.flows.size());
    machine_.route(port->queue->irq(), dom0, static_cast<std::size_t>(config_.cpu));
    if (config_.tx_completion_irq) port->queue->sent_frames_interrupt();
  }
  ports_.push_back(std::move(port));
  return *ports_.back();
}

void Network::add(FlowId flow, const FlowConfig& config) {
  if (config.direction == FlowDirection::rx) {
    add_receiver(flow, config);
  } else {
    add_sender(flow, config);
  }
}

void Network::add_receiver(FlowId flow, const FlowConfig& config) {
  Port& port = port_of(config.domain);
  Linux& kernel = machine_.linux_of(config.domain);
  receivers_.push_back(std::make_unique<UdpReceiver>(simulation_, kernel, costs_, board_, flow, config, device_));
  received_.push_back(flow);
  UdpReceiver& receiver = *receivers_.back();
  if (port.driver) {
    port.driver->to(flow, receiver);
  } else if (port.share) {
    port.share->to(flow, receiver);
  } else {
    port.vif->to(flow, receiver);
    own_queue(machine_.first_domain()).to(flow, *port.vif);
  }
  device_.receive(flow, port.queue != nullptr ? *port.queue : *port_of(machine_.first_domain()).queue);
}

void Network::add_sender(FlowId flow, const FlowConfig& config) {
  Port& port = port_of(config.domain);
  Linux& kernel = machine_.linux_of(config.domain);
  FrameOutlet* outlet = port.vif.get();
  if (port.driver) outlet = port.driver.get();
  if (port.share) outlet = port.share.get();
  senders_.push_back(
      std::make_unique<UdpSender>(simulation_, kernel, costs_, board_, flow, config, config_.port_mbps, *outlet));
  sent_.push_back(flow);
  UdpSender& sender = *senders_.back();
  outlet->from(flow, sender);
  if (port.vif) own_queue(machine_.first_domain()).from(flow, *port.vif);
}

std::vector<std::uint64_t> Network::settle() {
  std::vector<std::uint64_t> queued(config_.flows.size(), 0);
  device_.settle();
  device_.count_queued(queued);
  for (std::size_t i = 0; i < receivers_.size(); ++i) {
    queued[static_cast<std::size_t>(received_[i])] += receivers_[i]->queued();
  }
  for (std::size_t i = 0; i < senders_.size(); ++i) {
    queued[static_cast<std::size_t>(sent_[i])] += senders_[i]->backlog();
  }
  for (const auto& port : ports_) {
    if (port->vif) port->vif->count_queued(queued);
  }
  return queued;
}

}  // namespace vecusim
