// The list of hypervisors, one line each.
#include "hypervisors/catalogue.hpp"

#include <array>

namespace vecusim {

HypervisorEntry hypervisor_kvm();
HypervisorEntry hypervisor_native();
HypervisorEntry hypervisor_partition();
HypervisorEntry hypervisor_tcg();
HypervisorEntry hypervisor_xen();

std::span<const HypervisorEntry> hypervisors() {
  static const std::array kHypervisors = {hypervisor_native(), hypervisor_xen(), hypervisor_kvm(), hypervisor_tcg(),
                                          hypervisor_partition()};
  return kHypervisors;
}

}  // namespace vecusim
