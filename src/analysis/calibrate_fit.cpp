// Fisher scoring, response surface and profiles.
#include "analysis/calibrate_fit.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/calibrate_algebra.hpp"
#include "analysis/calibrate_surface.hpp"
#include "engine/random.hpp"

namespace vecusim {
namespace {

/// A misfit that no figures come near.
constexpr double kHopeless = 1e15;
/// Twice the fall of the log-likelihood at the ends of a 95 % interval: the quantile of chi-squared with one degree.
constexpr double kFall = 3.841458820694124;

/// Of one row: the squared distance of the measured figures, and with the logarithm of the density's constant.
struct Distance {
  double chi_squared = 0.0;
  double misfit = 0.0;
};

Distance distance_of(const RowSummary& summary, const std::vector<FittedFigure>& figures) {
  const auto k = static_cast<Index>(figures.size());
  Vector scores(k);
  double constant = 0.0;
  for (Index i = 0; i < k; ++i) {
    const auto f = static_cast<std::size_t>(i);
    scores(i) = score_of(summary, f, std::log(figures[f].measured));
    constant += 2.0 * std::log(0.5 * (summary.below[f] + summary.above[f]));
  }
  const Whitening whitening(summary);
  const double squared = whitening.whiten(scores).squaredNorm();
  return {squared, squared + constant + whitening.log_determinant()};
}

class Fitter {
 public:
  explicit Fitter(const FitProblem& problem)
      : problem_(problem), parameters_(static_cast<Index>(problem.priors.size())) {}

  std::optional<Fit> run();

 private:
  using Model = std::function<Summaries(const Vector&)>;

  /// A point with what the model says there.
  struct State {
    Vector point;
    Summaries summaries;
    double misfit = kHopeless;
  };

  State state(const Model& model, const Vector& point) const;
  double prior_misfit(const Vector& point) const;
  Matrix prior_information() const;
  State global(const Model& model) const;
  State descend(const Model& model, State at, const std::vector<bool>& fixed) const;
  Matrix derivatives(const Model& model, const State& at, double step, Vector* slopes) const;
  std::vector<Vector> design(const Vector& centre, const Matrix& covariance) const;
  FittedParameter profile(const Model& surface, const State& best, Index j, std::vector<Vector>* ends) const;
  std::vector<std::vector<double>> draws(const Model& surface, const State& best, const Matrix& root,
                                         const std::vector<FittedParameter>& parameters) const;
  Fit describe(const Model& surface, State best, std::vector<FittedParameter> parameters) const;

  const FitProblem& problem_;
  Index parameters_;
};

Fitter::State Fitter::state(const Model& model, const Vector& point) const {
  State state{point, model(point)};
  if (!usable(state.summaries)) return state;
  state.misfit = prior_misfit(point);
  for (std::size_t r = 0; r < problem_.rows.size(); ++r) {
    state.misfit += distance_of(state.summaries[r], problem_.rows[r].figures).misfit;
  }
  return state;
}

double Fitter::prior_misfit(const Vector& point) const {
  double misfit = 0.0;
  for (std::size_t j = 0; j < problem_.priors.size(); ++j) {
    if (!problem_.priors[j]) continue;
    const double score = (point(static_cast<Index>(j)) - problem_.priors[j]->centre) / problem_.priors[j]->sigma;
    misfit += score * score;
  }
  return misfit;
}

Matrix Fitter::prior_information() const {
  Matrix information = Matrix::Zero(parameters_, parameters_);
  for (std::size_t j = 0; j < problem_.priors.size(); ++j) {
    const auto i = static_cast<Index>(j);
    if (problem_.priors[j]) information(i, i) = 1.0 / (problem_.priors[j]->sigma * problem_.priors[j]->sigma);
  }
  return information;
}

/// The best of points spread evenly (Halton's sequence), and of the tables' own.
Fitter::State Fitter::global(const Model& model) const {
  constexpr std::array<int, kMostParameters> kBases = {2, 3, 5, 7, 11, 13, 17, 19};
  const Index points = 8 * parameters_ + 8;
  State best = state(model, to_vector(problem_.start));
  for (Index i = 1; i <= points; ++i) {
    Vector point(parameters_);
    for (Index j = 0; j < parameters_; ++j) {
      const int base = kBases[static_cast<std::size_t>(j)];
      double share = 1.0;
      double value = 0.0;
      for (Index left = i; left > 0; left /= base) {
        share /= base;
        value += share * static_cast<double>(left % base);
      }
      point(j) = value;
    }
    State candidate = state(model, point);
    if (candidate.misfit < best.misfit) best = std::move(candidate);
  }
  return best;
}

/// Of the medians; `slopes` becomes the gradient of the misfit, with the curvature of the differences taken out.
Matrix Fitter::derivatives(const Model& model, const State& at, double step, Vector* slopes) const {
  const Vector medians = medians_of(at.summaries);
  Matrix derivatives(medians.size(), parameters_);
  Vector rises(parameters_);
  Vector steps(parameters_);
  for (Index j = 0; j < parameters_; ++j) {
    steps(j) = step_inside(at.point(j), step);
    Vector beside = at.point;
    beside(j) += steps(j);
    const State other = state(model, beside);
    const bool defined = usable(other.summaries);
    derivatives.col(j) =
        defined ? Vector((medians_of(other.summaries) - medians) / steps(j)) : Vector(Vector::Zero(medians.size()));
    rises(j) = defined ? other.misfit - at.misfit : 0.0;
  }
  if (slopes != nullptr) {
    const Matrix curvature = 2.0 * (information_of(at.summaries, derivatives) + prior_information());
    *slopes = rises.cwiseQuotient(steps) - 0.5 * steps.cwiseProduct(curvature.diagonal());
  }
  return derivatives;
}

Fitter::State Fitter::descend(const Model& model, State at, const std::vector<bool>& fixed) const {
  constexpr int kMostSteps = 20;
  constexpr double kStep = 0.01;
  constexpr double kEnough = 0.01;
  double damping = 1e-3;
  for (int i = 0; i < kMostSteps && at.misfit < kHopeless; ++i) {
    Vector slopes;
    const Matrix derivative = derivatives(model, at, kStep, &slopes);
    Matrix curvature = 2.0 * (information_of(at.summaries, derivative) + prior_information());
    for (Index j = 0; j < parameters_; ++j) {
      const bool held = (at.point(j) <= 0.0 && slopes(j) > 0.0) || (at.point(j) >= 1.0 && slopes(j) < 0.0);
      if (!held && !fixed[static_cast<std::size_t>(j)]) continue;
      slopes(j) = 0.0;
      curvature.row(j).setZero();
      curvature.col(j).setZero();
      curvature(j, j) = 1.0;
    }
    bool better = false;
    while (!better && damping < 1e6) {
      Matrix damped = curvature;
      damped.diagonal() += damping * curvature.diagonal() + Vector::Constant(parameters_, 1e-9);
      const Vector to = (at.point - damped.ldlt().solve(slopes)).cwiseMax(0.0).cwiseMin(1.0);
      State next = state(model, to);
      const double gain = at.misfit - next.misfit;
      better = gain > 0.0;
      if (!better) {
        if ((to - at.point).cwiseAbs().maxCoeff() < 1e-4) return at;
        damping = std::max(10.0 * damping, 1e-2);
        continue;
      }
      at = std::move(next);
      damping *= 0.2;
      if (gain < kEnough) return at;
    }
    if (!better) return at;
  }
  return at;
}

/// A point on each side of the centre for every parameter, as far as its 95 % interval seems to reach, and one for
/// every pair, in the direction in which both move together.
std::vector<Vector> Fitter::design(const Vector& centre, const Matrix& covariance) const {
  constexpr double kFarthest = 0.25;
  constexpr double kNearest = 0.01;
  std::vector<Vector> points;
  Vector reach(parameters_);
  for (Index j = 0; j < parameters_; ++j) {
    reach(j) = std::clamp(2.0 * std::sqrt(std::max(0.0, covariance(j, j))), kNearest, kFarthest);
    for (const double side : {-1.0, 1.0}) {
      Vector point = centre;
      const bool outside = centre(j) + side * reach(j) < 0.0 || centre(j) + side * reach(j) > 1.0;
      point(j) += outside ? -0.5 * side * reach(j) : side * reach(j);
      points.push_back(point);
    }
  }
  for (Index j = 0; j < parameters_; ++j) {
    for (Index k = 0; k < j; ++k) {
      Vector point = centre;
      point(j) += centre(j) + reach(j) > 1.0 ? -reach(j) : reach(j);
      const double along = covariance(j, k) * (point(j) - centre(j)) < 0.0 ? -reach(k) : reach(k);
      point(k) += centre(k) + along > 1.0 || centre(k) + along < 0.0 ? -along : along;
      points.push_back(point.cwiseMax(0.0).cwiseMin(1.0));
    }
  }
  return points;
}

FittedParameter Fitter::profile(const Model& surface, const State& best, Index j, std::vector<Vector>* ends) const {
  constexpr int kHalvings = 20;
  std::vector<bool> fixed(problem_.priors.size(), false);
  fixed[static_cast<std::size_t>(j)] = true;
  FittedParameter result;
  result.value = best.point(j);
  for (const bool above : {false, true}) {
    double inside = best.point(j);
    double outside = above ? 1.0 : 0.0;
    State last = best;
    const auto falls_short = [&](double value) {
      Vector point = last.point;
      point(j) = value;
      State state = descend(surface, this->state(surface, point), fixed);
      const bool fell = state.misfit - best.misfit > kFall;
      if (!fell) last = std::move(state);
      return fell;
    };
    bool open = inside == outside || !falls_short(outside);
    if (open) {
      inside = outside;
    } else {
      last = best;
      for (int i = 0; i < kHalvings && std::abs(outside - inside) > 1e-4; ++i) {
        const double middle = 0.5 * (inside + outside);
        (falls_short(middle) ? outside : inside) = middle;
      }
    }
    (above ? result.interval95.hi : result.interval95.lo) = inside;
    (above ? result.open_above : result.open_below) = open;
    ends->push_back(last.point);
  }
  return result;
}

/// Beyond the intervals the surface is no more than an extrapolation, so the walk keeps near them.
std::vector<std::vector<double>> Fitter::draws(const Model& surface, const State& best, const Matrix& root,
                                               const std::vector<FittedParameter>& parameters) const {
  constexpr double kFarther = 1.3;
  Vector least(parameters_);
  Vector most(parameters_);
  for (Index j = 0; j < parameters_; ++j) {
    const FittedParameter& parameter = parameters[static_cast<std::size_t>(j)];
    least(j) = std::max(0.0, parameter.value - kFarther * (parameter.value - parameter.interval95.lo));
    most(j) = std::min(1.0, parameter.value + kFarther * (parameter.interval95.hi - parameter.value));
  }
  constexpr int kDraws = 200;
  constexpr int kSteps = 5;
  constexpr std::uint64_t kSeed = 0x63616c6962726174;
  const double reach = 2.4 / std::sqrt(static_cast<double>(parameters_));
  RandomStream stream(kSeed, 0, "draws");
  State at = best;
  std::vector<std::vector<double>> points;
  for (int i = 0; i < kDraws * kSteps; ++i) {
    Vector normals(parameters_);
    for (Index j = 0; j < parameters_; ++j) normals(j) = normal_quantile(stream.uniform());
    const Vector to = at.point + reach * root * normals;
    const double lot = -2.0 * std::log(stream.uniform());
    if ((to - least).minCoeff() >= 0.0 && (most - to).minCoeff() >= 0.0) {
      State next = state(surface, to);
      if (next.misfit - at.misfit <= lot) at = std::move(next);
    }
    if (i % kSteps == kSteps - 1) points.push_back(to_std(at.point));
  }
  return points;
}

Fit Fitter::describe(const Model& surface, State best, std::vector<FittedParameter> parameters) const {
  Fit result;
  const Matrix slopes = derivatives(surface, best, 0.01, nullptr);
  result.derivatives = to_std(slopes);
  const Matrix data = information_of(best.summaries, slopes);
  const Matrix all = data + prior_information();
  Matrix boxed = all;
  boxed.diagonal().array() += 1.0;
  const Matrix covariance = boxed.inverse();
  result.information = to_std(data);
  result.covariance = to_std(covariance);
  result.draws = draws(surface, best, covariance.llt().matrixL(), parameters);
  result.parameters = std::move(parameters);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(all);
  for (Index i = parameters_ - 1; i >= 0; --i) {
    const double known = std::max(eigen.eigenvalues()(i), 1e-12);
    result.directions.push_back({to_std(Vector(eigen.eigenvectors().col(i))), 1.0 / std::sqrt(known)});
  }
  result.condition = result.directions.back().sigma / result.directions.front().sigma;
  result.chi_squared = prior_misfit(best.point);
  std::size_t figures = 0;
  for (std::size_t r = 0; r < problem_.rows.size(); ++r) {
    const double of_row = distance_of(best.summaries[r], problem_.rows[r].figures).chi_squared;
    result.chi_squared += of_row;
    result.chi_squared_by_row.push_back(of_row);
    figures += problem_.rows[r].figures.size();
  }
  const auto known = static_cast<std::size_t>(std::count_if(problem_.priors.begin(), problem_.priors.end(),
                                                            [](const auto& prior) { return prior.has_value(); }));
  result.degrees_of_freedom = figures + known - problem_.priors.size();
  result.best = std::move(best.summaries);
  return result;
}

std::optional<Fit> Fitter::run() {
  const Model model = [this](const Vector& point) { return problem_.model(to_std(point)); };
  const std::vector<bool> all_free(problem_.priors.size(), false);
  const State start = descend(model, global(model), all_free);
  if (start.misfit >= kHopeless) return std::nullopt;

  Matrix information = information_of(start.summaries, derivatives(model, start, 0.01, nullptr)) + prior_information();
  information.diagonal().array() += 1.0;  // no wider than the box
  std::vector<Vector> points = {start.point};
  std::vector<Summaries> values = {start.summaries};
  const auto ask = [&](const std::vector<Vector>& more) {
    for (const Vector& point : more) {
      Summaries summaries = model(point);
      if (!usable(summaries)) continue;
      points.push_back(point);
      values.push_back(std::move(summaries));
    }
  };
  ask(design(start.point, information.inverse()));

  State best = start;
  std::vector<FittedParameter> parameters;
  Model surface;
  constexpr int kRounds = 2;  // the second with what the model says at the ends of the first
  for (int round = 0; round < kRounds; ++round) {
    const Surface fitted(start.point, points, values);
    surface = [fitted](const Vector& point) { return fitted.at(point); };
    best = descend(surface, state(surface, best.point), all_free);
    parameters.clear();
    std::vector<Vector> ends;
    for (Index j = 0; j < parameters_; ++j) parameters.push_back(profile(surface, best, j, &ends));
    if (round + 1 < kRounds) ask(ends);
  }
  return describe(surface, std::move(best), std::move(parameters));
}

}  // namespace

std::optional<Fit> fit(const FitProblem& problem) {
  assert(!problem.priors.empty() && problem.priors.size() <= kMostParameters);
  return Fitter(problem).run();
}

}  // namespace vecusim
