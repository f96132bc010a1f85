// Medians, half scatters and correlations of repeated experiments.
#include "analysis/calibrate_summary.hpp"

#include <algorithm>
#include <cmath>

namespace vecusim {
namespace {

/// No figure is known better than to a millionth.
constexpr double kLeastScatter = 1e-6;
/// The variance of a median of R values over that of one value is π/2R.
constexpr double kMedianVariance = 1.5707963267948966;

double median_of(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half), values.end());
  const double upper = values[half];
  if (values.size() % 2 == 1) return upper;
  return 0.5 * (upper + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half)));
}

/// The root mean square of the distances to one side.
double half_scatter(const std::vector<double>& values, double median, bool above) {
  double squares = 0.0;
  std::size_t count = 0;
  for (const double value : values) {
    if (above ? value <= median : value >= median) continue;
    squares += (value - median) * (value - median);
    ++count;
  }
  return count == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(count));
}

std::vector<std::vector<double>> complete(const std::vector<std::vector<double>>& repetitions) {
  std::vector<std::vector<double>> kept;
  std::copy_if(repetitions.begin(), repetitions.end(), std::back_inserter(kept), [](const std::vector<double>& row) {
    return std::none_of(row.begin(), row.end(), [](double value) { return std::isnan(value); });
  });
  return kept;
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t k) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::vector<double>& row : rows) values.push_back(row[k]);
  return values;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : 0.0;
}

/// Correlations of the scores, drawn towards none as far as so few repetitions leave them open. Rounding is each
/// figure's own: `shared` is the share of the scatter that is not.
std::vector<double> correlations(const std::vector<std::vector<double>>& scores, const std::vector<double>& shared) {
  const std::size_t figures = scores.size();
  const auto k = static_cast<double>(figures);
  const double kept = 1.0 - k / (k + static_cast<double>(scores.front().size()));
  std::vector<double> matrix(figures * figures, 1.0);
  for (std::size_t i = 0; i < figures; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double c = kept * correlation(scores[i], scores[j]) * shared[i] * shared[j];
      matrix[i * figures + j] = c;
      matrix[j * figures + i] = c;
    }
  }
  return matrix;
}

}  // namespace

RowSummary summarise(const std::vector<FittedFigure>& figures, const std::vector<std::vector<double>>& repetitions,
                     double scale) {
  const std::vector<std::vector<double>> rows = complete(repetitions);
  RowSummary summary;
  if (rows.size() < 2 || 2 * rows.size() < repetitions.size()) return summary;
  summary.empty = false;
  const auto count = static_cast<double>(rows.size());
  const double sampling = 1.0 / scale;
  std::vector<std::vector<double>> scores;
  std::vector<double> shared;
  for (std::size_t k = 0; k < figures.size(); ++k) {
    const std::vector<double> values = column(rows, k);
    const double median = median_of(values);
    const double below = half_scatter(values, median, false);
    const double above = half_scatter(values, median, true);
    // Rounding spreads a value evenly over a step.
    const double rounding = figures[k].step / figures[k].measured / std::sqrt(12.0);
    const auto total = [&](double scatter) {
      const double variance = scatter * scatter * (sampling + kMedianVariance / count) + rounding * rounding;
      return std::max(kLeastScatter, std::sqrt(variance));
    };
    summary.median.push_back(median);
    summary.below.push_back(total(below));
    summary.above.push_back(total(above));
    const double shown = 0.5 * (summary.below.back() + summary.above.back());
    shared.push_back(std::sqrt(std::max(0.0, 1.0 - rounding * rounding / (shown * shown))));
    std::vector<double> score;
    score.reserve(values.size());
    for (const double value : values) {
      const double side = value < median ? below : above;
      score.push_back(side > 0.0 ? (value - median) / side : 0.0);
    }
    scores.push_back(std::move(score));
  }
  summary.correlation = correlations(scores, shared);
  const double spare = count - static_cast<double>(figures.size()) - 2.0;
  summary.weight = spare > 1.0 ? spare / (count - 1.0) : 0.5;
  return summary;
}

double score_of(const RowSummary& summary, std::size_t figure, double log_measured) {
  const double distance = log_measured - summary.median[figure];
  return distance / (distance < 0.0 ? summary.below[figure] : summary.above[figure]);
}

}  // namespace vecusim
