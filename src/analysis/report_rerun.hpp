// What a result document does not hold: its samples and its slowest answers, from running its scenario once more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/compare.hpp"
#include "analysis/explain.hpp"
#include "analysis/report_sources.hpp"
#include "analysis/report_values.hpp"
#include "analysis/trials.hpp"
#include "system/scenario.hpp"

namespace vecusim::report {

struct Rerun {
  Scenario scenario;
  Explanation explanation;
  /// By interrupt.
  std::vector<Values> values;
};

/// The run, or why there is none: in a sentence.
struct RerunOutcome {
  std::optional<Rerun> run;
  std::string refusal;
};

/// Runs the scenario of a result `document`, whose figures are `side`. There is a refusal if the document is of another
/// version of this program, or does not come out as it says: then its figures are of something else. Throws
/// InvalidInput if its scenario cannot be read, Interrupted if stopped.
RerunOutcome rerun(const Document& document, const Side& side, const Parallel& parallel);

/// The part of the slowest answers whose stages are shown apart, and how many answers that are: the greatest percentile
/// that so many samples can carry.
struct Tail {
  double p;
  std::string name;  // "99.9 %"
  std::uint64_t n;
};
/// Empty if not even the slowest tenth can be told.
std::optional<Tail> tail_of(std::uint64_t n);

}  // namespace vecusim::report
