// Hypervisor: what stands between the board and the operating systems of its domains; with `native`, nothing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "hypervisors/domain_config.hpp"
#include "models/board.hpp"
#include "models/flight.hpp"
#include "models/kernel.hpp"

namespace vecusim {

class Hypervisor {
 public:
  virtual ~Hypervisor() = default;

  /// At assembly: the interrupt of a source, handled by a task of a domain. The path gets all its stages here.
  virtual void add_interrupt(InterruptSource source, MeasuredInterrupt& interrupt, const DomainConfig& domain,
                             const TaskConfig& task) = 0;
  /// At assembly: the kernel of a domain; null if there is none that a network could be given to.
  virtual Kernel* kernel(std::string_view /*domain*/) { return nullptr; }
  /// At assembly: an interrupt of a device that belongs to a CPU of a domain and that nothing measures.
  virtual void route(IrqId /*irq*/, std::string_view /*domain*/, std::size_t /*cpu*/) {}
  /// Once, when everything is wired.
  virtual void start() = 0;

  /// A processor, as observers are told of it: CpuId is the index in cpus().
  struct CpuName {
    std::string name;
    std::string domain;  ///< whose work it executes; empty for a pCPU that vCPUs run on
    bool physical;
    std::optional<std::size_t> home = {};  ///< the pCPU of a vCPU that has one to itself, for good
  };
  virtual std::vector<CpuName> cpus() const = 0;
};

}  // namespace vecusim
