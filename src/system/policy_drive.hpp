// PolicyDrive: one scheduler alone on an ideal machine, driven by hand, verb by verb.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/catalogue.hpp"
#include "system/golden_machine.hpp"
#include "system/json_node.hpp"

namespace vecusim::golden {

/// One answer of the scheduler.
struct Pass {
  HvTime at{};
  PcpuId pcpu{};
  UnitId previous = kIdle;
  UnitId next = kIdle;
  /// kNoSlice: no end.
  HvTime slice{};
};

/// Whatever is asked for that cannot be meant (a unit that is not there, a block of one that does not run, a parameter
/// that the scheduler refuses) throws std::invalid_argument and changes nothing.
class PolicyDrive final : private PassObserver {
 public:
  /// `boot`: the scheduler's boot parameters, as under /hypervisor/scheduler of a scenario. Throws InvalidInput if they
  /// are wrong or there is no such scheduler.
  PolicyDrive(const std::string& scheduler, std::size_t pcpus, const json::Node& boot, std::string_view xen_version);

  // Domains and units are numbered from 0; a new unit is down.
  DomainId add_domain(const DomainParameters& parameters);
  /// `pcpus`: its hard affinity; empty: all.
  UnitId add_unit(DomainId domain, const std::vector<std::size_t>& pcpus,
                  const std::optional<ServerParameters>& server);
  /// The schedule of ARINC653.
  void set_table(const SlotTable& table);

  /// No longer down, or no longer blocked.
  void wake(UnitId unit);
  /// The unit must be running.
  void block(UnitId unit);
  void yield(UnitId unit);
  /// Time passes up to `end`, which is not before now; slices and the scheduler's timers end meanwhile.
  void run_until(HvTime end);

  HvTime now() const { return machine_.now(); }
  std::size_t pcpus() const { return machine_.core().pcpus(); }
  std::size_t units() const { return machine_.core().units(); }
  UnitId running_on(std::size_t pcpu) const;
  Runstate runstate(UnitId unit) const;
  /// Up to now.
  RunTotals totals(UnitId unit) const;
  /// What the scheduler knows of the unit.
  Figures figures(UnitId unit) const;
  /// The answers since the last call.
  std::vector<Pass> take_passes() { return std::exchange(passes_, {}); }

 private:
  void decided(PcpuId pcpu, UnitId previous, const Decision& decision) override;
  void switched(PcpuId, UnitId, UnitId) override {}
  UnitId known(UnitId unit) const;
  UnitId running(UnitId unit) const;

  std::size_t domains_ = 0;
  std::vector<Pass> passes_;
  IdealMachine machine_;
};

}  // namespace vecusim::golden
