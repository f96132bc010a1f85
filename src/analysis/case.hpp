// Validation case (`vecusim/case/1`): which measurements are compared with which scenario, and how they are judged.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/case_figure.hpp"
#include "analysis/case_statistic.hpp"
#include "engine/fields.hpp"
#include "system/json_node.hpp"

namespace vecusim {

std::string_view name_of(Role role);
std::string_view name_of(RowVerdict verdict);

/// How one statistic is judged: by the predictive interval, or by the relative error of the prediction.
struct Judge {
  enum class By : std::uint8_t { interval, mark };
  By by = By::interval;
  /// The largest |predicted / measured - 1|; of `ks_distance` the largest distance.
  std::optional<double> mark;
  void fields(FieldVisitor& visit);
};

/// Values by statistic, in the statistics' order.
template <class T>
using ByStatistic = std::array<std::optional<T>, kStatistics>;

struct Judges {
  ByStatistic<Judge> each;
  void fields(FieldVisitor& visit);
};

/// What somebody without a model would have predicted.
struct Naive {
  std::string why;
  ByStatistic<double> values;
  void fields(FieldVisitor& visit);
};

struct CaseRow {
  /// In the outcome; several rows may judge the same measurement.
  std::string name;
  /// In the data file, if it is another. A file of samples has no rows.
  std::optional<std::string> measured;
  /// A preset's name, or a file (*.json) relative to the case's folder. None: the row is judged for feasibility alone.
  std::optional<std::string> scenario;
  /// As the option --set.
  std::vector<std::string> set;
  /// Whose latency was measured; needed if the scenario has several interrupts.
  std::optional<std::string> interrupt;
  Role role = Role::predicted;
  Judges statistics;
  /// The step in which the row's latencies are printed, where it is not the last digit of the data file.
  std::optional<Duration> resolution;
  /// How often the experiment is repeated; only where no interval is judged.
  std::optional<std::int64_t> repetitions;
  /// Of more than 10 000 edges: so many are simulated instead of 20 n.
  std::optional<std::int64_t> pool;
  RowVerdict expect = RowVerdict::pass;
  /// Added to `set`: under it the verdict must be `fail`.
  std::vector<std::string> perturbation;
  std::optional<Naive> naive;
  /// Its short name, if the row is one of several explanations of one measurement.
  std::string hypothesis;
  /// Which parameters were chosen for this measurement, each with its value.
  std::vector<std::string> fitted;
  /// Every latency of the scenario is multiplied by it: a null model and no mechanism.
  std::optional<double> factor;
  std::string note;
  void fields(FieldVisitor& visit);
};

/// One that could be made on the bench, and on which the case's hypotheses may differ.
struct CaseExperiment {
  /// What it means in the scenario of one hypothesis.
  struct Own {
    std::string hypothesis;
    std::vector<std::string> set;
    void fields(FieldVisitor& visit);
  };
  std::string name;
  /// On top of each row's `set`.
  std::vector<std::string> set;
  /// Instead of `set`; an empty set where there is nothing to change, so that the prediction is the one without it.
  std::vector<Own> instead;
  void fields(FieldVisitor& visit);
};

struct Case {
  std::string schema = "vecusim/case/1";
  std::string title;
  /// The data file of its rows, relative to the case's own folder.
  std::string data;
  std::vector<CaseRow> rows;
  std::vector<CaseFigure> figures;
  std::vector<CaseExperiment> experiments;
  void fields(FieldVisitor& visit);
};

/// A case with where it came from.
struct LoadedCase {
  /// The file's name without folder and extension.
  std::string name;
  Case content;
  /// Where the data file is.
  std::string data_path;
  /// What it was read from, for the places of problems.
  json::Node document;
};

/// Reads a case file. Throws InvalidInput with every problem found.
LoadedCase load_case(const std::string& path);

}  // namespace vecusim
