// Hypervisor: what stands between the board and the operating systems of its domains; with `native`, nothing.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "hypervisors/domain_config.hpp"
#include "models/board.hpp"
#include "models/flight.hpp"

namespace vecusim {

class Hypervisor {
 public:
  virtual ~Hypervisor() = default;

  /// At assembly: the interrupt of a source, handled by a task of a domain. The path gets all its stages here.
  virtual void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                             const TaskConfig& task) = 0;
  /// Once, when everything is wired.
  virtual void start() = 0;

  /// A processor, as observers are told of it: CpuId is the index in cpus().
  struct CpuName {
    std::string name;
    std::string domain;  ///< whose work it executes; empty for a pCPU that vCPUs run on
    bool physical;
  };
  virtual std::vector<CpuName> cpus() const = 0;
};

}  // namespace vecusim
