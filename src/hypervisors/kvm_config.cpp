// The fields of KVM.
#include "hypervisors/kvm_config.hpp"

namespace vecusim {

void KvmConfig::fields(FieldVisitor& visit) {
  const Field field{"halt_poll_us",
                    "the longest that the thread of a halted vCPU polls before it sleeps (halt_poll_ns); 0: it sleeps "
                    "at once; absent: the cost kvm.halt_poll"};
  visit.optional(field, halt_poll, [&](Duration& value) { visit.duration(field, value, {Duration::zero(), 10ms}); });
}

}  // namespace vecusim
