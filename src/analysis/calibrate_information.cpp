// What data would tell of the parameters before there are any: for plans and for what a calibration cannot know.
#include "analysis/calibrate_information.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/calibrate_algebra.hpp"

namespace vecusim {

std::vector<double> information_at(const SummaryModel& model, const std::vector<double>& point) {
  constexpr double kStep = 0.02;
  const Summaries at = model(point);
  const auto parameters = static_cast<Index>(point.size());
  if (!usable(at)) return std::vector<double>(point.size() * point.size(), 0.0);
  const Vector medians = medians_of(at);
  Matrix derivatives = Matrix::Zero(medians.size(), parameters);
  for (Index j = 0; j < parameters; ++j) {
    std::vector<double> beside = point;
    double& moved = beside[static_cast<std::size_t>(j)];
    const double step = step_inside(moved, kStep);
    moved += step;
    const Summaries there = model(beside);
    if (usable(there)) derivatives.col(j) = (medians_of(there) - medians) / step;
  }
  return to_std(information_of(at, derivatives));
}

std::vector<double> sigmas_of(const std::vector<double>& information,
                              const std::vector<std::optional<UnitPrior>>& priors) {
  Matrix all = to_matrix(information);
  for (std::size_t j = 0; j < priors.size(); ++j) {
    const auto i = static_cast<Index>(j);
    if (priors[j]) all(i, i) += 1.0 / (priors[j]->sigma * priors[j]->sigma);
  }
  all.diagonal().array() += 1e-12;
  const Matrix covariance = all.inverse();
  std::vector<double> sigmas;
  for (Index i = 0; i < all.rows(); ++i) sigmas.push_back(std::sqrt(std::max(0.0, covariance(i, i))));
  return sigmas;
}

}  // namespace vecusim
