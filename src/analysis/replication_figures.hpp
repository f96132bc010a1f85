// Figures of single replications that merged tallies do not tell apart any more; paired differences rest on them.
#pragma once

#include <string>
#include <vector>

#include "analysis/result.hpp"
#include "analysis/tally.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// Of a tally of one replication: of each interrupt lost, merged and late answers (and misses per million, if there is
/// a requirement), the parties' loads, events per second, and what became of each flow's frames. Not a number where
/// there is nothing to tell.
std::vector<double> replication_figures(const Scenario& scenario, const Tally& one);

/// Their paths in a result of the scenario, in the same order.
std::vector<std::string> replication_paths(const Result& result);

}  // namespace vecusim
