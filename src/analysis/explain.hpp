// Explanations: the slowest answers of a scenario, stage by stage, with what and whom they waited for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
    /// All samples, for comparison: how many, their median, and where their time went in the mean.
    std::uint64_t n = 0;
    std::optional<Duration> p50;
    std::vector<StageSum> sums;
    /// Slowest first.
    std::vector<WorstFlight> worst;
  };
  std::string title;
  std::uint64_t seed = 1;
  std::uint64_t replications = 1;
  std::vector<Interrupt> interrupts;
};

/// Runs the scenario and keeps the `worst` slowest flights of each interrupt.
Explanation explain(const LoadedScenario& loaded, const RunOptions& options, std::size_t worst);

/// The same from what such a run has left.
Explanation explanation_of(const Scenario& scenario, Tally tally);

/// What happens during a wait of this kind: "while another vCPU ran".
std::string_view clause_of(Wait wait);

/// Why a flight was slow, in one plain sentence: the part (a stage's service, or one kind of its waits) that exceeds
/// its mean over all samples most.
std::string main_cause(const Explanation::Interrupt& interrupt, const WorstFlight& flight);

/// For a terminal of 80 columns.
std::string to_text(const Explanation& explanation);
/// The document vecusim/explanation/1.
json::Node to_json(const Explanation& explanation);

}  // namespace vecusim
