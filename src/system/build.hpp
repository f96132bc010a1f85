// System: the components of one replication, wired together.
#pragma once

#include <memory>
#include <vector>

#include "engine/simulation.hpp"
#include "hypervisors/hypervisor.hpp"
#include "models/board.hpp"
#include "models/bus.hpp"
#include "models/flight.hpp"
#include "models/network.hpp"
#include "models/stimulus.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// A stimulus and the source whose edges it makes; a timer's task asks it instead.
class SourceStimulus {
 public:
  SourceStimulus(Simulation& simulation, const InterruptConfig& config, MeasuredInterrupt& interrupt, Board& board,
                 InterruptSource source)
      : stimulus(simulation, config.name, generator(config.stimulus, source)),
        interrupt_(&interrupt),
        board_(&board),
        source_(source) {
    stimulus.edge.connect(Delegate<void()>::to<&SourceStimulus::edge>(*this));
  }
  /// At assembly: its edges are frames on a bus first.
  void come_by(Bus& bus, const InterruptConfig& config) {
    ingress_ = bus.join(config.name, *config.frame, Delegate<void(Flight&)>::to<&SourceStimulus::arrive>(*this));
    interrupt_->ingress = ingress_.get();
  }
  void start() {
    if (source_.kind != InterruptSource::Kind::timer) stimulus.start();
  }
  Stimulus stimulus;

 private:
  // What is timed by the target's own clock has no other clock to differ from.
  static StimulusConfig generator(StimulusConfig config, InterruptSource source) {
    if (source.kind == InterruptSource::Kind::timer) config.clock_error_ppm = 0.0;
    return config;
  }
  void edge() {
    Flight& flight = interrupt_->take_off();
    if (ingress_ == nullptr) {
      arrive(flight);
    } else {
      ingress_->send(flight);
    }
  }
  void arrive(Flight& flight) { board_->edge(source_, flight); }

  MeasuredInterrupt* interrupt_;
  Board* board_;
  InterruptSource source_;
  std::unique_ptr<Ingress> ingress_;
};

/// The domains' kernels, as a network finds them.
class DomainMachine final : public NetworkMachine {
 public:
  DomainMachine(Hypervisor& hypervisor, std::string first) : hypervisor_(&hypervisor), first_(std::move(first)) {}
  Linux& linux_of(const std::string& domain) override { return *hypervisor_->kernel(domain)->as_linux(); }
  const std::string& first_domain() const override { return first_; }
  void route(IrqId irq, const std::string& domain, std::size_t cpu) override { hypervisor_->route(irq, domain, cpu); }

 private:
  Hypervisor* hypervisor_;
  std::string first_;
};

struct System {
  System(const Scenario& scenario, QuantileTables& tables, std::uint64_t seed, std::uint32_t replication);

  /// All stimuli have been sent, and each has been answered or is known to have met another fate.
  bool settled() const;

  Bus& bus_of(const Scenario& scenario, const FrameConfig& frame);
  /// Stimuli that follow others' are told which.
  void follow(const std::vector<InterruptConfig>& configs);

  std::vector<DomainConfig> domains;  // that exist
  Simulation simulation;
  CostTable costs;
  Board board;
  std::unique_ptr<Hypervisor> hypervisor;
  std::vector<std::unique_ptr<MeasuredInterrupt>> interrupts;
  std::vector<std::unique_ptr<Bus>> buses;
  std::vector<std::unique_ptr<SourceStimulus>> stimuli;
  std::unique_ptr<DomainMachine> machine;
  std::unique_ptr<Network> network;  // null: the scenario has none
};

}  // namespace vecusim
