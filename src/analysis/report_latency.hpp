// The sections of one interrupt's latency: its figures, how it is distributed, where the time goes, and what made the
// slowest answers slow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/report_parts.hpp"
#include "analysis/report_rerun.hpp"
#include "analysis/report_values.hpp"
#include "analysis/result.hpp"

namespace vecusim::report {

/// One interrupt of a result, from its document and from running it once more.
struct LatencyView {
  /// What identifiers of its sections begin with.
  std::string id;
  /// The figures that the document has.
  const LatencyResult& figures;
  /// Its entry in the document.
  const json::Node& node;
  /// Null if it was not run again.
  const Explanation::Interrupt* explanation = nullptr;
  /// All samples: of the run, or of the document's histogram.
  Values values = {};
  /// What a bench has measured; empty if there is none.
  std::string measured_name = {};
  Values measured = {};
};

/// What the figures say, in sentences.
std::vector<std::string> latency_words(const LatencyView& view);
Section latency_section(const LatencyView& view);
/// Where the time goes: of all answers in the mean, of the slowest ones, and of the slowest. More parts may follow.
Section stages_section(const LatencyView& view);

}  // namespace vecusim::report
