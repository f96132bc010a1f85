// Rules of static partitioning, and of page colours, which other hypervisors have too.
#pragma once

#include <cstdint>
#include <vector>

#include "system/scenario.hpp"

namespace vecusim {

std::vector<Problem> partition_problems(const Scenario& scenario);
std::vector<Problem> color_problems(const Scenario& scenario);

/// The pCPUs that a domain has under static partitioning, which are as many as its CPUs.
std::int64_t partition_cpus(const DomainConfig& domain);

}  // namespace vecusim
