// The linear algebra of calibrations, and the one place that includes Eigen, which takes seconds to compile.
#pragma once

#include <vector>

#include <Eigen/Dense>

#include "analysis/calibrate_rows.hpp"
#include "analysis/calibrate_summary.hpp"

namespace vecusim {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

Vector to_vector(const std::vector<double>& values);
std::vector<double> to_std(const Vector& values);
/// Column by column, which for a symmetric matrix is row by row.
std::vector<double> to_std(const Matrix& matrix);
/// A square matrix, column by column.
Matrix to_matrix(const std::vector<double>& values);

/// All figures' medians, row after row.
Vector medians_of(const Summaries& summaries);

/// Whether the model answers in every row.
bool usable(const Summaries& summaries);

/// The other end of a difference: a step inside the box.
double step_inside(double at, double step);

/// What makes a row's figures independent and of one scatter.
class Whitening {
 public:
  explicit Whitening(const RowSummary& summary);

  /// Of figures' distances from their medians, each in its own scatter.
  Vector whiten(const Vector& scores) const;
  /// Of how the medians change with something.
  Matrix whiten_slopes(const Matrix& derivatives) const;
  /// The logarithm of the determinant of the figures' correlation.
  double log_determinant() const;

 private:
  Vector scatter_;
  Matrix lower_;
  double root_weight_ = 1.0;
};

/// What rows with these derivatives of their medians tell of the parameters.
Matrix information_of(const Summaries& summaries, const Matrix& derivatives);

}  // namespace vecusim
