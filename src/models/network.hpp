// Network: the device, the drivers of the path that the scenario names, and the programs of its flows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/rswitch2_share.hpp"
#include "models/xen_net.hpp"

namespace vecusim {

/// The machine that the network is part of.
class NetworkMachine {
 public:
  virtual ~NetworkMachine() = default;
  virtual Linux& linux_of(const std::string& domain) = 0;
  /// Who has the device where domains have not.
  virtual const std::string& first_domain() const = 0;
  virtual void route(IrqId irq, const std::string& domain, std::size_t cpu) = 0;
};

class Network {
 public:
  /// At assembly; `config` must outlive it.
  Network(Simulation& simulation, const NetworkConfig& config, Board& board, CostTable& costs, NetworkMachine& machine);

  ~Network();

  void start() { device_.start(); }
  /// Accounts for everything up to now; returns the frames that are under way, by flow.
  std::vector<std::uint64_t> settle();

 private:
  struct Port;
  Port& port_of(const std::string& domain);
  NicDriver& own_queue(const std::string& domain);
  void add(FlowId flow, const FlowConfig& config);
  void add_receiver(FlowId flow, const FlowConfig& config);
  void add_sender(FlowId flow, const FlowConfig& config);

  Simulation& simulation_;
  const NetworkConfig& config_;
  Board& board_;
  NetworkMachine& machine_;
  NetCosts costs_;
  RSwitch2 device_;
  std::vector<std::unique_ptr<Port>> ports_;
  std::vector<std::unique_ptr<UdpReceiver>> receivers_;
  std::vector<std::unique_ptr<UdpSender>> senders_;
  std::vector<FlowId> received_;  // by receiver
  std::vector<FlowId> sent_;
};

}  // namespace vecusim
