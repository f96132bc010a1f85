// The hypervisors there are: what each is called, how it is configured, and how it is built.
#pragma once

#include <memory>
#include <span>

#include "engine/fields.hpp"
#include "hypervisors/hypervisor.hpp"

namespace vecusim {

struct HypervisorEntry {
  Option option;
  std::unique_ptr<Config> (*config)();
  std::unique_ptr<Hypervisor> (*build)(Simulation& simulation, const Config& config, Board& board,
                                       std::span<const DomainConfig> domains, CostTable& costs);
};

/// One line each in catalogue.cpp.
std::span<const HypervisorEntry> hypervisors();

}  // namespace vecusim
