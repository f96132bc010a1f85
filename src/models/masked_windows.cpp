// The residual life of windows.
#include "models/masked_windows.hpp"

#include <algorithm>
#include <vector>

namespace vecusim {

Distribution residual_life(QuantileTables& tables, const Law& law) {
  // The length is taken as kParts equally likely values; the residual's distribution function is then linear between
  // them.
  constexpr std::size_t kParts = 256;
  const Distribution length = law.distribution(tables);
  std::vector<double> lengths;
  for (std::size_t i = 0; i < kParts; ++i) {
    lengths.push_back(static_cast<double>(length.quantile((static_cast<double>(i) + 0.5) / kParts).count()));
  }
  // reached[i] is proportional to the probability that the residual is at most lengths[i].
  std::vector<double> reached;
  double shorter = 0.0;
  for (std::size_t i = 0; i < kParts; ++i) {
    shorter += lengths[i];
    reached.push_back(shorter + lengths[i] * static_cast<double>(kParts - 1 - i));
  }
  std::vector<Duration> quantiles;
  std::size_t piece = 0;
  for (std::size_t i = 0; i <= kParts; ++i) {
    const double wanted = reached.back() * static_cast<double>(i) / kParts;
    while (piece + 1 < kParts && reached[piece] < wanted) ++piece;
    const double from = piece == 0 ? 0.0 : reached[piece - 1];
    const double low = piece == 0 ? 0.0 : lengths[piece - 1];
    const double part = reached[piece] > from ? (wanted - from) / (reached[piece] - from) : 1.0;
    quantiles.push_back(from_ps(low + part * (lengths[piece] - low)));
  }
  return Distribution::empirical(std::move(quantiles));
}

MaskedWindows::MaskedWindows(Simulation& simulation, std::string_view use, double per_s, const Law& law)
    : simulation_(&simulation),
      stream_(simulation.stream(use)),
      residual_(residual_life(simulation.tables, law)),
      share_(std::min(1.0, per_s * to_s(law.mean()))) {}

Duration MaskedWindows::residual() {
  const Time now = simulation_->now();
  if (until_ > now) return until_ - now;
  const double u = stream_.uniform();
  if (u <= 1.0 - share_) return Duration::zero();
  const Duration left = residual_.quantile((u - (1.0 - share_)) / share_);
  until_ = now + left;
  return left;
}

}  // namespace vecusim
