// The list of hypervisors, one line each.
#include "hypervisors/catalogue.hpp"

#include <array>

namespace vecusim {

HypervisorEntry hypervisor_native();

std::span<const HypervisorEntry> hypervisors() {
  static const std::array kHypervisors = {hypervisor_native()};
  return kHypervisors;
}

}  // namespace vecusim
