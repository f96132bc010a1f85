// What a scenario says of Xen.
#pragma once

#include <cstdint>
#include <string>

#include "engine/modelled.hpp"
#include "schedulers/catalogue.hpp"

namespace vecusim {

/// What a guest's WFI does: trap and block the vCPU, or halt the core in the guest.
enum class Vwfi : std::uint8_t { trap, native };

struct XenConfig final : ConfigOf<XenConfig> {
  std::string version{kDefaultXenVersion};
  Vwfi vwfi = Vwfi::trap;
  Duration timer_slop = 50us;
  Modelled<PolicyEntry, policies> scheduler;

  void fields(FieldVisitor& visit) override;
};

}  // namespace vecusim
