// What chance alone would leave of a calibration's misfit.
#include "analysis/calibrate_refit.hpp"

#include "analysis/calibrate_algebra.hpp"

namespace vecusim {

/// By row what makes its figures comparable; and what a fit can take away of them.
struct Refit::Whitened {
  struct Row {
    RowSummary summary;
    Whitening whitening;
  };

  std::vector<Row> rows;
  std::vector<std::size_t> with_prior;
  Matrix slopes;
  Matrix fitting;
};

Refit::Refit(const Fit& fit, const std::vector<std::optional<UnitPrior>>& priors) {
  auto whitened = std::make_shared<Whitened>();
  const auto parameters = static_cast<Index>(priors.size());
  const Index figures = static_cast<Index>(fit.derivatives.size()) / parameters;
  const Matrix derivatives = Eigen::Map<const Matrix>(fit.derivatives.data(), figures, parameters);
  for (std::size_t j = 0; j < priors.size(); ++j) {
    if (priors[j]) whitened->with_prior.push_back(j);
  }
  whitened->slopes = Matrix::Zero(figures + static_cast<Index>(whitened->with_prior.size()), parameters);
  Index first = 0;
  for (const RowSummary& summary : fit.best) {
    whitened->rows.push_back({summary, Whitening(summary)});
    const auto k = static_cast<Index>(summary.median.size());
    whitened->slopes.middleRows(first, k) =
        whitened->rows.back().whitening.whiten_slopes(derivatives.middleRows(first, k));
    first += k;
  }
  for (const std::size_t j : whitened->with_prior) {
    whitened->slopes(first++, static_cast<Index>(j)) = 1.0 / priors[j]->sigma;
  }
  Matrix information = whitened->slopes.transpose() * whitened->slopes;
  information.diagonal().array() += 1e-9;
  whitened->fitting = information.ldlt().solve(whitened->slopes.transpose());
  whitened_ = std::move(whitened);
}

double Refit::chi_squared(const std::vector<std::vector<double>>& logs, const std::vector<double>& prior_scores) const {
  Vector all(whitened_->slopes.rows());
  Index first = 0;
  for (std::size_t r = 0; r < whitened_->rows.size(); ++r) {
    const Whitened::Row& row = whitened_->rows[r];
    Vector scores(static_cast<Index>(logs[r].size()));
    for (std::size_t f = 0; f < logs[r].size(); ++f) {
      scores(static_cast<Index>(f)) = score_of(row.summary, f, logs[r][f]);
    }
    all.segment(first, scores.size()) = row.whitening.whiten(scores);
    first += scores.size();
  }
  for (const std::size_t j : whitened_->with_prior) all(first++) = prior_scores[j];
  return (all - whitened_->slopes * (whitened_->fitting * all)).squaredNorm();
}

}  // namespace vecusim
