// What a scenario says of KVM, beyond its domains.
#pragma once

#include <optional>

#include "engine/fields.hpp"

namespace vecusim {

struct KvmConfig final : ConfigOf<KvmConfig> {
  /// The longest that a halted vCPU's thread polls before it blocks; 0: never. If not given it is the architecture's.
  std::optional<Duration> halt_poll;
  void fields(FieldVisitor& visit) override;
};

}  // namespace vecusim
