// Explanations: the slowest answers of a scenario, stage by stage, with what and whom they waited for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/experiment.hpp"
#include "analysis/worst_sink.hpp"
#include "system/json_node.hpp"
#include "system/scenario.hpp"

namespace vecusim {

struct Explanation {
  struct Interrupt {
    std::string name;
    std::string from;
    std::string to;
    std::vector<std::string> stages;
    /// All samples, for comparison.
    std::uint64_t n = 0;
    std::optional<Duration> p50;
    std::vector<WorstFlight> worst;
  };
  std::string title;
  std::uint64_t seed = 1;
  std::uint64_t replications = 1;
  std::vector<Interrupt> interrupts;
};

/// Runs the scenario and keeps the `worst` slowest flights of each interrupt.
Explanation explain(const LoadedScenario& loaded, const RunOptions& options, std::size_t worst);

/// The main cause of a flight's latency, in one plain sentence.
std::string main_cause(const WorstFlight& flight, const std::vector<std::string>& stages);

/// For a terminal of 80 columns.
std::string to_text(const Explanation& explanation);
/// The document vecusim/explanation/1.
json::Node to_json(const Explanation& explanation);

}  // namespace vecusim
