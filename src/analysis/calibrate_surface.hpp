// The figures of a calibration around its best point, as polynomials: what a profile asks thousands of times.
#pragma once

#include <vector>

#include "analysis/calibrate_algebra.hpp"

namespace vecusim {

/// A quadratic response surface: medians and logarithms of scatters as polynomials of the point.
class Surface {
 public:
  /// Fitted to what the model says, `values`, at `points`, by least squares.
  Surface(const Vector& centre, const std::vector<Vector>& points, const std::vector<Summaries>& values);

  Summaries at(const Vector& point) const;

 private:
  Vector terms_at(const Vector& point) const;

  Vector centre_;
  Summaries pattern_;
  Matrix coefficients_;
};

}  // namespace vecusim
