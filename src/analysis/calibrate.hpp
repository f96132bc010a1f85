// Calibration: costs fitted to bench data, with intervals, and what the data can and cannot tell of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/calibrate_fit.hpp"
#include "analysis/calibrate_rows.hpp"
#include "analysis/predictive.hpp"
#include "analysis/statistics.hpp"
#include "analysis/trials.hpp"

namespace vecusim {

/// A cost that is free in a fit.
struct FreeCost {
  /// In the resolved scenario: "/costs/linux.path_lines_scale/value".
  std::string pointer;
  /// For people: "linux.path_lines_scale", or with what it is of a law: "bench.capture hi_us".
  std::string name;
  double lo = 0.0;
  double hi = 1.0;
  /// What the tables have.
  double start = 0.5;
  /// `lo` and `hi` are taken as the 95 % interval of what is known beforehand; the bounds lie 3 σ from the centre.
  bool prior = false;

  /// Between its bounds, in the logarithm where all values are positive: 0 … 1 and back.
  double to_unit(double value) const;
  double from_unit(double unit) const;
};

/// How the experiment of a row would be repeated if the costs had these values.
using FreeModel = std::function<Repetition(const std::vector<double>& values)>;

/// A further run that might tell more.
struct Proposal {
  /// What is varied, "/board/clock_mhz", and the whole: "a run with /board/clock_mhz=1500".
  std::string kind;
  std::string name;
  FreeModel model;
};

struct CalibrationProblem {
  std::vector<FreeCost> costs;
  std::vector<FittedRow> rows;
  /// By row.
  std::vector<FreeModel> models;
  std::vector<Proposal> proposals;
};

struct CalibrationOptions {
  /// Simulated experiments at each point for each row.
  std::size_t repetitions = 200;
  Parallel parallel = {};
};

struct CalibratedCost {
  FreeCost cost;
  double value = 0.0;
  Interval interval95{0.0, 0.0};
  /// The data do not bound it on this side within its bounds.
  bool open_below = false;
  bool open_above = false;
};

struct CalibratedFigure {
  std::string name;
  double measured = 0.0;
  double predicted = 0.0;
  /// Of one more such experiment with the costs as fitted, and with their uncertainty. Simultaneous over the row.
  Interval interval95{0.0, 0.0};
  Interval interval95_with_parameters{0.0, 0.0};
  bool inside = false;
};

struct CalibratedRow {
  std::string name;
  bool held_out = false;
  std::int64_t n = 0;
  std::vector<CalibratedFigure> figures;
  /// Of a fitted row: its squared distance from the best fit.
  double chi_squared = 0.0;
  std::string note;
};

enum class CalibrationVerdict : std::uint8_t {
  identified,      ///< every cost is bounded by the data
  not_identified,  ///< the data do not tell some cost, or some costs apart
  contradictory    ///< rows contradict themselves, each other, or the model
};

struct Calibration {
  std::vector<CalibratedCost> costs;
  /// Row by row.
  std::vector<double> correlation;
  double condition = 1.0;
  double chi_squared = 0.0;
  std::size_t degrees_of_freedom = 0;
  /// How often other experiments at the best fit are at least as far from a fit of their own.
  std::optional<double> p_value;
  std::vector<CalibratedRow> rows;
  CalibrationVerdict verdict = CalibrationVerdict::identified;
  /// The verdict in sentences: what is known, what is not, and what would help.
  std::vector<std::string> sentences;
};

/// What stands against fitting these costs to these rows; empty if nothing does.
std::optional<std::string> objection(const CalibrationProblem& problem);

/// Empty if the model answers nothing within the bounds. There must be no objection.
std::optional<Calibration> calibrate(const CalibrationProblem& problem, const CalibrationOptions& options);

/// A row as a fit predicts it.
struct PredictedRow {
  CalibratedRow row;
  /// The figures' logarithms, as they would be printed, of other such experiments with the costs as fitted.
  std::vector<std::vector<double>> experiments;
};
std::vector<PredictedRow> predict_rows(const CalibrationProblem& problem, const Fit& fit,
                                       const CalibrationOptions& options);

/// The verdict of a fit, and its reasons in words.
struct Identifiability {
  CalibrationVerdict verdict = CalibrationVerdict::identified;
  std::vector<std::string> sentences;
};
/// `information_of_proposals`: what each proposal would add.
Identifiability identifiability(const CalibrationProblem& problem, const Fit& fit, std::optional<double> p_value,
                                const std::vector<std::vector<double>>& information_of_proposals);
/// Whether some cost, or some direction in the space of the costs, is left open by the data.
bool leaves_open(const CalibrationProblem& problem, const Fit& fit);

}  // namespace vecusim
