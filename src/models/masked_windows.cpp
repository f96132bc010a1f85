// Windows that are drawn when somebody comes, not when they open.
#include "models/masked_windows.hpp"

#include <algorithm>

namespace vecusim {

MaskedWindows::MaskedWindows(Simulation& simulation, std::string_view use, double per_s, const Law& law)
    : simulation_(&simulation),
      stream_(simulation.stream(use)),
      residual_(law.distribution(simulation.tables).residual_life(simulation.tables)),
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
