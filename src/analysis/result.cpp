// What results say without being printed.
#include "analysis/result.hpp"

#include <algorithm>

namespace vecusim {

Duration StageResult::total() const {
  Duration sum = service;
  for (const Duration wait : waits) sum += wait;
  return sum;
}

std::string_view tool_version() { return VECUSIM_VERSION; }

bool requirements_met(const Result& result) {
  return std::all_of(result.latency.begin(), result.latency.end(), [](const LatencyResult& latency) {
    return !latency.requirement || latency.requirement->met.value_or(true);
  });
}

}  // namespace vecusim
