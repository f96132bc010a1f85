// A golden vector: a script of hypervisor calls (NAME.in) and what the policy decides (specification of the Xen
// schedulers, A.4).
#pragma once

#include <memory>
#include <string_view>

#include "system/golden_replay.hpp"

namespace vecusim::golden {

/// `scheduler` is the vector's name up to the first '-': credit2, rtds or credit1. `file` names the script in problems.
/// Throws InvalidInput.
std::unique_ptr<Replay> replay_vector(std::string_view scheduler, std::string_view text, std::string_view file);

}  // namespace vecusim::golden
