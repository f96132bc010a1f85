// What a scenario says of Xen.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/modelled.hpp"
#include "hypervisors/xen_console.hpp"
#include "schedulers/catalogue.hpp"

namespace vecusim {

/// What a guest's WFI does: trap and block the vCPU, or halt the core in the guest.
enum class Vwfi : std::uint8_t { trap, native };

using SchedulerChoice = Modelled<PolicyEntry, policies>;

/// Some of the machine's pCPUs, and the scheduler that has them.
struct CpupoolConfig {
  std::string name;
  std::vector<std::int64_t> pcpus;
  SchedulerChoice scheduler;

  void fields(FieldVisitor& visit);
};

struct XenConfig final : ConfigOf<XenConfig> {
  std::string version{kDefaultXenVersion};
  Vwfi vwfi = Vwfi::trap;
  Duration timer_slop = 50us;
  /// Its serial console; without one nothing is printed.
  std::optional<ConsoleConfig> console;
  /// Of all pCPUs, if there are no cpupools.
  SchedulerChoice scheduler;
  /// The first is the one that Xen makes at boot, in which dom0 stays.
  std::vector<CpupoolConfig> cpupools;

  void fields(FieldVisitor& visit) override;
};

}  // namespace vecusim
