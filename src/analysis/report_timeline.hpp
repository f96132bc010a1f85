// The timeline of the slowest answer: what every pCPU, vCPU and interrupt did around it.
#pragma once

#include <stop_token>

#include "analysis/report_latency.hpp"
#include "system/scenario.hpp"

namespace vecusim::report {

/// Records that part of the replication once more. The view must have an explanation with a slowest answer. Throws
/// Interrupted if stopped.
Part timeline_part(const LatencyView& view, const Scenario& scenario, const std::stop_token& stop);

}  // namespace vecusim::report
