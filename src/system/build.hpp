// System: the components of one replication, wired together.
#pragma once

#include <memory>
#include <vector>

#include "engine/simulation.hpp"
#include "hypervisors/hypervisor.hpp"
#include "models/board.hpp"
#include "models/flight.hpp"
#include "models/stimulus.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// A source of edges on its pin.
class PinStimulus {
 public:
  PinStimulus(Simulation& simulation, const InterruptConfig& config, Gpio& gpio, std::size_t pin)
      : stimulus(simulation, config.name, config.stimulus), gpio_(&gpio), pin_(pin) {
    stimulus.edge.connect(Delegate<void()>::to<&PinStimulus::edge>(*this));
  }
  Stimulus stimulus;

 private:
  void edge() { gpio_->edge(pin_); }
  Gpio* gpio_;
  std::size_t pin_;
};

struct System {
  System(const Scenario& scenario, QuantileTables& tables, std::uint64_t seed, std::uint32_t replication);

  /// All stimuli have been sent, and each has been answered or is known to have met another fate.
  bool settled() const;

  Simulation simulation;
  CostTable costs;
  Board board;
  std::unique_ptr<Hypervisor> hypervisor;
  std::vector<std::unique_ptr<MeasuredInterrupt>> interrupts;
  std::vector<std::unique_ptr<PinStimulus>> stimuli;
};

}  // namespace vecusim
