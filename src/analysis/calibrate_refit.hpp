// What chance alone would leave of a calibration's misfit.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analysis/calibrate_fit.hpp"

namespace vecusim {

/// Other experiments at a fit's best point, each fitted anew to first order: what the squared distance of the measured
/// ones is compared with, for latencies are not normal and neither are the distances.
class Refit {
 public:
  Refit(const Fit& fit, const std::vector<std::optional<UnitPrior>>& priors);

  /// What is left of the squared distance. `logs`: the figures' logarithms by row; `prior_scores`: how far the priors'
  /// centres lie from the point, in σ, by parameter.
  double chi_squared(const std::vector<std::vector<double>>& logs, const std::vector<double>& prior_scores) const;

 private:
  struct Whitened;
  std::shared_ptr<const Whitened> whitened_;
};

}  // namespace vecusim
