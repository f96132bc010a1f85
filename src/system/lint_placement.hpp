// Whether vCPUs can have a pCPU each, for the lint of schedulers.
#pragma once

#include <cstddef>
#include <optional>

#include "system/lint_schedulers.hpp"

namespace vecusim {

/// Whether affinities allow a pCPU of its own for every vCPU of the pool.
bool all_have_a_pcpu_of_their_own(const LintedPool& pool);

/// A vCPU whose only pCPU others may use too, in a pool where all could have one of their own.
struct ContestedPin {
  /// Indices into LintedPool::domains: whose vCPU it is, and whose may take its pCPU.
  std::size_t domain;
  std::size_t by;
  PcpuId pcpu;
};
std::optional<ContestedPin> pin_that_another_may_take(const LintedPool& pool);

}  // namespace vecusim
