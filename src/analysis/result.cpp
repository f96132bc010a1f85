// What results say without being printed.
#include "analysis/result.hpp"

#include <algorithm>
#include <numeric>

namespace vecusim {

Duration StageResult::total() const { return std::accumulate(waits.begin(), waits.end(), service); }

std::string_view tool_version() { return VECUSIM_VERSION; }

bool requirements_met(const Result& result) {
  return std::all_of(result.latency.begin(), result.latency.end(), [](const LatencyResult& latency) {
    return !latency.requirement || latency.requirement->met.value_or(true);
  });
}

}  // namespace vecusim
