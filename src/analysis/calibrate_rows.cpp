// From measurements to figures, and the same figures of a simulated experiment.
#include "analysis/calibrate_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/statistics.hpp"

namespace vecusim {
namespace {

constexpr std::array kLadder = {0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95};
constexpr std::array kShortLadder = {0.1, 0.3, 0.5, 0.7, 0.9};
constexpr std::int64_t kEnoughForLadder = 100;
constexpr std::int64_t kEnoughForShortLadder = 20;

void add_note(std::string& note, const std::string& more) {
  if (more.empty()) return;
  note += (note.empty() ? "" : "; ") + more;
}

bool is_extreme(const FittedFigure& figure) {
  return figure.level == 0.0 && (figure.statistic == Statistic::min || figure.statistic == Statistic::max);
}

/// Latencies of which a logarithm says something; lost edges and distances are judged elsewhere.
bool fits(Statistic statistic) { return is_latency(statistic); }

FittedFigure figure_of(Statistic statistic, const Measured& measured) {
  return {std::string{name_of(statistic)}, statistic, quantile_of(statistic).value_or(0.0), measured.value,
          measured.step};
}

template <std::size_t N>
void add_ladder(FittedRow& row, const std::array<double, N>& levels, const BenchSamples& samples, Duration step) {
  std::vector<Duration> sorted = samples.latencies;
  std::sort(sorted.begin(), sorted.end());
  for (const double level : levels) {
    FittedFigure figure;
    figure.name = "p" + std::to_string(std::lround(100.0 * level)) + "_us";
    figure.level = level;
    figure.measured = to_us(sorted[nearest_rank(sorted.size(), level) - 1]);
    figure.step = to_us(step);
    row.figures.push_back(figure);
  }
}

void add_samples(FittedRow& row, const Measurement& measurement) {
  const auto value = [&](Statistic statistic) { return *measurement.values[static_cast<std::size_t>(statistic)]; };
  row.figures.push_back(figure_of(Statistic::min, value(Statistic::min)));
  if (measurement.n >= kEnoughForLadder) {
    add_ladder(row, kLadder, *measurement.samples, measurement.step);
  } else if (measurement.n >= kEnoughForShortLadder) {
    add_ladder(row, kShortLadder, *measurement.samples, measurement.step);
  } else if (measurement.n > 1) {
    row.figures.push_back(figure_of(Statistic::mean, value(Statistic::mean)));
  }
  if (measurement.n > 1) row.figures.push_back(figure_of(Statistic::max, value(Statistic::max)));
}

void drop(FittedRow& row, Statistic statistic) {
  std::erase_if(row.figures, [&](const FittedFigure& f) { return f.level == 0.0 && f.statistic == statistic; });
}

/// Leaves out what the feasible reading of the row sets apart.
void apply_reading(FittedRow& row, const Measurement& measurement) {
  const Feasibility feasible = feasibility(measurement.printed);
  row.infeasible = !feasible.feasible();
  add_note(row.note, explain(feasible, measurement.printed));
  if (feasible.reading == Reading::max_apart) drop(row, Statistic::max);
  if (feasible.reading == Reading::min_apart) drop(row, Statistic::min);
  if (feasible.reading == Reading::none) row.figures.clear();
}

/// Figures are compared by their logarithms.
void drop_zeros(FittedRow& row) {
  std::erase_if(row.figures, [&](const FittedFigure& figure) {
    if (figure.measured <= 0.0) add_note(row.note, "not fitted: " + figure.name + ", which is 0");
    return figure.measured <= 0.0;
  });
}

/// One answer has one figure, and two have two: the others follow from these, and say nothing more. Extremes stay.
void drop_what_follows(FittedRow& row, std::int64_t answers) {
  for (const bool extremes : {false, true}) {
    for (std::size_t i = row.figures.size(); i-- > 0 && std::cmp_greater(row.figures.size(), answers);) {
      if (is_extreme(row.figures[i]) != extremes) continue;
      add_note(row.note, "not fitted: " + row.figures[i].name + ", which follows from the other figures of " +
                             std::to_string(answers) + (answers == 1 ? " answer" : " answers"));
      row.figures.erase(row.figures.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

/// Leaves out what an experiment of the size that is simulated does not show.
void drop_beyond_simulation(FittedRow& row) {
  if (row.n <= kMostFittedEdges) return;
  std::string dropped;
  std::erase_if(row.figures, [&](const FittedFigure& figure) {
    const double rarer = std::min(figure.level, 1.0 - figure.level);
    const bool far = is_extreme(figure) || (figure.level > 0.0 && rarer * static_cast<double>(kMostFittedEdges) < 4.0);
    if (far) dropped += (dropped.empty() ? "" : ", ") + figure.name;
    return far;
  });
  if (!dropped.empty()) {
    add_note(row.note, "not fitted: " + dropped + " (simulated in experiments of " + std::to_string(kMostFittedEdges) +
                           " edges, whose ends lie elsewhere)");
  }
}

}  // namespace

FittedRow fitted_row(std::string name, const Measurement& measurement) {
  FittedRow row;
  row.name = std::move(name);
  row.n = measurement.n + measurement.lost;
  if (measurement.samples != nullptr) {
    add_samples(row, measurement);
  } else {
    for (std::size_t i = 0; i < kStatistics; ++i) {
      const auto statistic = static_cast<Statistic>(i);
      if (measurement.values[i] && fits(statistic)) row.figures.push_back(figure_of(statistic, *measurement.values[i]));
    }
  }
  apply_reading(row, measurement);
  drop_zeros(row);
  drop_what_follows(row, measurement.n);
  drop_beyond_simulation(row);
  return row;
}

FittedExperiment experiment_of(const FittedRow& row) {
  if (row.n <= kMostFittedEdges) return {row.n, 0, 1.0};
  return {kMostFittedEdges + 1, 1, static_cast<double>(row.n) / static_cast<double>(kMostFittedEdges)};
}

std::vector<double> log_figures(const std::vector<FittedFigure>& figures, const Answers& answers,
                                std::int64_t skipped) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Duration>& all = answers.latencies.values();
  const auto first = static_cast<std::size_t>(skipped);
  if (all.size() <= first) return std::vector<double>(figures.size(), kNone);
  Answers later;
  if (first > 0) {
    for (std::size_t i = first; i < all.size(); ++i) later.latencies.add(all[i]);
  }
  const Answers& kept = first > 0 ? later : answers;
  const OrderStatistics ordered(kept.latencies);
  std::vector<double> logs;
  logs.reserve(figures.size());
  for (const FittedFigure& figure : figures) {
    const double us =
        figure.level > 0.0 ? to_us(ordered.quantile(figure.level)) : values_of({figure.statistic}, kept).front();
    // Nothing here is shorter than a picosecond.
    logs.push_back(std::isnan(us) ? kNone : std::log(std::max(us, 1e-6)));
  }
  return logs;
}

}  // namespace vecusim
