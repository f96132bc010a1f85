// Hypotheses: rows of a case that explain one measurement in different ways, side by side, and what those that agree
// with it predict for experiments that nobody has made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/case.hpp"
#include "analysis/predictive.hpp"

namespace vecusim {

struct Hypothesis {
  std::string name;
  std::string row;
  /// What was chosen for this very measurement.
  std::vector<std::string> fitted;
  /// A factor and no mechanism.
  bool null_model = false;
  /// Whether the measurement is what it would lead to; nothing if that was not judged.
  std::optional<bool> agrees;
};

/// What the hypotheses that agree predict for the mean latency, in µs, of one experiment.
struct ForeseenExperiment {
  std::string name;
  /// As many edges as the measurement has.
  std::int64_t n = 0;
  std::vector<Predicted> mean_us;
  /// By hypothesis: those whose intervals overlap, at once or through others, have the same number. Numbers ascend
  /// with the means, from 0.
  std::vector<std::size_t> group;
};

struct HypothesisComparison {
  std::string case_name;
  /// The row of the data.
  std::string measured;
  std::vector<Hypothesis> hypotheses;
  /// Their columns are the hypotheses that agree, in order. The first is the measurement's own set-up.
  std::vector<ForeseenExperiment> experiments;

  std::vector<const Hypothesis*> agreeing() const;
  /// In one sentence: whether the measurement distinguishes them.
  std::string verdict() const;
  /// Pairs of agreeing hypotheses that no experiment separates.
  std::vector<std::pair<std::string, std::string>> inseparable() const;
};

/// Intervals that overlap, at once or through others, get the same number; see ForeseenExperiment::group.
std::vector<std::size_t> overlap_groups(const std::vector<Predicted>& predicted);

}  // namespace vecusim
