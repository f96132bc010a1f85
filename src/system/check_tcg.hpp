// Which domains there may be under QEMU without KVM, and what may be said of them.
#pragma once

#include <span>
#include <vector>

#include "system/problem.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Problems without their places.
std::vector<Problem> check_tcg(std::span<const DomainConfig> domains, std::span<const InterruptConfig> interrupts,
                               const BoardSpec& board);

}  // namespace vecusim
