// The list of policies, one line each.
#include "schedulers/catalogue.hpp"

#include <array>

// Every NAME here is a NAME.cpp beside this file, which defines `PolicyEntry policy_NAME()`.
// clang-format off
#define VECUSIM_POLICIES(ADD) \
  ADD(credit2)                \
  ADD(credit)                 \
  ADD(rtds)                   \
  ADD(null)                   \
  ADD(arinc653)
// clang-format on

namespace vecusim {

#define VECUSIM_DECLARE(name) PolicyEntry policy_##name();
VECUSIM_POLICIES(VECUSIM_DECLARE)
#undef VECUSIM_DECLARE

void NamedSlot::fields(FieldVisitor& visit) {
  visit.text({"vcpu", "the vCPU that the slot belongs to, as DOMAIN/INDEX", true}, vcpu);
  visit.duration({"runtime_us", "length of the slot", true}, runtime, whole(1us, Duration::max()));
}

std::span<const PolicyEntry> policies() {
#define VECUSIM_CALL(name) policy_##name(),
  static const std::array kPolicies = {VECUSIM_POLICIES(VECUSIM_CALL)};
#undef VECUSIM_CALL
  return kPolicies;
}

const PolicyEntry* find_policy(std::string_view name) {
  for (const PolicyEntry& entry : policies()) {
    if (entry.option.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace vecusim
