// The figures of a calibration around its best point, as polynomials: what a profile asks thousands of times.
#include "analysis/calibrate_surface.hpp"

#include <cmath>

namespace vecusim {

namespace {

Vector flat(const Summaries& summaries) {
  std::vector<double> all;
  for (const RowSummary& row : summaries) {
    all.insert(all.end(), row.median.begin(), row.median.end());
    for (const double scatter : row.below) all.push_back(std::log(scatter));
    for (const double scatter : row.above) all.push_back(std::log(scatter));
  }
  return to_vector(all);
}

}  // namespace

Surface::Surface(const Vector& centre, const std::vector<Vector>& points, const std::vector<Summaries>& values)
    : centre_(centre), pattern_(values.front()) {
  const auto rows = static_cast<Index>(points.size());
  Matrix terms(rows, terms_at(centre).size());
  Matrix outputs(rows, flat(values.front()).size());
  for (Index i = 0; i < rows; ++i) {
    terms.row(i) = terms_at(points[static_cast<std::size_t>(i)]).transpose();
    outputs.row(i) = flat(values[static_cast<std::size_t>(i)]).transpose();
  }
  coefficients_ = terms.completeOrthogonalDecomposition().solve(outputs);
}

Summaries Surface::at(const Vector& point) const {
  const Vector outputs = coefficients_.transpose() * terms_at(point);
  Summaries summaries = pattern_;
  Index i = 0;
  for (RowSummary& row : summaries) {
    for (double& median : row.median) median = outputs(i++);
    for (double& scatter : row.below) scatter = std::exp(outputs(i++));
    for (double& scatter : row.above) scatter = std::exp(outputs(i++));
  }
  return summaries;
}

Vector Surface::terms_at(const Vector& point) const {
  const Vector d = point - centre_;
  const Index p = d.size();
  Vector terms(1 + p + p * (p + 1) / 2);
  Index at = 0;
  terms(at++) = 1.0;
  for (Index i = 0; i < p; ++i) terms(at++) = d(i);
  for (Index i = 0; i < p; ++i) {
    for (Index j = i; j < p; ++j) terms(at++) = d(i) * d(j);
  }
  return terms;
}

}  // namespace vecusim
