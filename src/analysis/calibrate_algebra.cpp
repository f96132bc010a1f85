// The linear algebra of calibrations, and the one place that includes Eigen, which takes seconds to compile.
#include "analysis/calibrate_algebra.hpp"

#include <algorithm>
#include <cmath>

namespace vecusim {

Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

std::vector<double> to_std(const Vector& values) { return {values.data(), values.data() + values.size()}; }

std::vector<double> to_std(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

Matrix to_matrix(const std::vector<double>& values) {
  const auto n = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(values.size()))));
  return Eigen::Map<const Matrix>(values.data(), n, n);
}

Vector medians_of(const Summaries& summaries) {
  std::vector<double> all;
  for (const RowSummary& row : summaries) all.insert(all.end(), row.median.begin(), row.median.end());
  return to_vector(all);
}

bool usable(const Summaries& summaries) {
  return std::none_of(summaries.begin(), summaries.end(), [](const RowSummary& row) { return row.empty; });
}

double step_inside(double at, double step) { return at + step <= 1.0 ? step : -step; }

Whitening::Whitening(const RowSummary& summary)
    : scatter_(0.5 * (to_vector(summary.below) + to_vector(summary.above))),
      lower_(to_matrix(summary.correlation).llt().matrixL()),
      root_weight_(std::sqrt(summary.weight)) {}

Vector Whitening::whiten(const Vector& scores) const {
  return root_weight_ * lower_.triangularView<Eigen::Lower>().solve(scores);
}

Matrix Whitening::whiten_slopes(const Matrix& derivatives) const {
  const Matrix scaled = scatter_.cwiseInverse().asDiagonal() * derivatives;
  return root_weight_ * lower_.triangularView<Eigen::Lower>().solve(scaled);
}

double Whitening::log_determinant() const { return 2.0 * lower_.diagonal().array().log().sum(); }

Matrix information_of(const Summaries& summaries, const Matrix& derivatives) {
  Matrix information = Matrix::Zero(derivatives.cols(), derivatives.cols());
  Index first = 0;
  for (const RowSummary& row : summaries) {
    const auto k = static_cast<Index>(row.median.size());
    const Matrix white = Whitening(row).whiten_slopes(derivatives.middleRows(first, k));
    information += white.transpose() * white;
    first += k;
  }
  return information;
}

}  // namespace vecusim
