// A recorded trace as a workload: a scenario in which each vCPU does again what it was seen to do.
#pragma once

#include <string>
#include <string_view>

#include "analysis/trace_episodes.hpp"
#include "system/json_node.hpp"

namespace vecusim {

/// The scheduler that wrote class events into the trace; "credit2", Xen's own choice, if none did.
std::string_view scheduler_of(const Xentrace& trace);

/// "d0/1", as the scenario calls a vCPU of the trace.
std::string name_in_scenario(TracedVcpu vcpu);

/// The document vecusim/scenario/1: domains d0, d1, …, each vCPU held to the pCPUs on which it ran.
///
/// A vCPU that woke ten times or more and ran for less than half of the time has a task that sleeps until the recorded
/// wakes and then works for the mean of its runs: its latency is measured. Any other has a task that repeats its runs
/// and sleeps. Weights, caps and budgets are not in a trace, and neither is the board: they are to be set.
json::Node scenario_of(const TracedSystem& system, std::string_view scheduler, const std::string& title);

}  // namespace vecusim
