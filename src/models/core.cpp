// The cost law.
#include "models/core.hpp"

#include <algorithm>
#include <cmath>

#include "engine/exponential.hpp"

namespace vecusim {

PathCost PathCost::from(CostTable& costs, const std::string& name) {
  PathCost cost;
  cost.cycles = costs.number(name + ".cycles", "cycles");
  cost.lines = costs.number(name + ".lines", "lines");
  if (costs.has(name + ".mmio")) cost.mmio = costs.number(name + ".mmio", "count");
  return cost;
}

CoreCosts CoreCosts::from(CostTable& costs) {
  CoreCosts result;
  result.l2_line = costs.duration("core.l2_line");
  result.dram_line = costs.duration("core.dram_line");
  result.evictions_per_s = costs.number("core.evictions", "per_s");
  result.jitter_sigma = costs.number("core.jitter_sigma", "ratio");
  result.miss_cv = costs.number("core.miss_cv", "ratio");
  result.mmio = costs.duration("core.mmio");
  return result;
}

Core::Core(Simulation& simulation, std::string_view name, double clock_mhz, Caches caches, const CoreCosts& costs,
           ClusterWarmth& cluster)
    : simulation_(&simulation),
      stream_(simulation.stream(std::string(name) + "#cost")),
      normal_(simulation.tables.normal()),
      ps_per_cycle_(1e6 / clock_mhz),
      caches_(caches),
      costs_(costs),
      cluster_(&cluster) {}

double Core::evicted(Duration away, double per_s, double capacity) {
  constexpr double kAllGone = 40.0;
  const double x = to_s(away) * per_s / capacity;
  return x > kAllGone ? 1.0 : 1.0 - exponential(-x);
}

Core::Parts Core::parts(const PathCost& cost, double evicted_l1, double evicted_l2) const {
  const double from_dram = cost.lines * evicted_l2;
  const double from_l2 = cost.lines * std::max(0.0, evicted_l1 - evicted_l2);
  const auto dram_ps = static_cast<double>(costs_.dram_line.count());
  const auto l2_ps = static_cast<double>(costs_.l2_line.count());
  const double cv2 = costs_.miss_cv * costs_.miss_cv;
  return {
      cost.cycles * ps_per_cycle_ + cost.mmio * static_cast<double>(costs_.mmio.count()),
      from_dram * dram_ps + from_l2 * l2_ps,
      cv2 * (from_dram * dram_ps * dram_ps + from_l2 * l2_ps * l2_ps) + cost.variance * ps_per_cycle_ * ps_per_cycle_};
}

Duration Core::execute(const PathCost& cost, CodePath path) {
  const auto index = static_cast<std::size_t>(path);
  const Time now = simulation_->now();
  const auto gone = [&](Time last, double capacity) {
    return last == kNeverRan ? 1.0 : evicted(std::max(now - last, Duration::zero()), costs_.evictions_per_s, capacity);
  };
  const Parts part = parts(cost, gone(last_run_[index], caches_.l1_lines), gone((*cluster_)[index], caches_.l2_lines));
  const double median = part.fixed_ps + part.misses_ps;
  // Many independent misses: their sum varies as the root of their number, beside the jitter of the whole.
  const double sigma =
      median > 0.0 ? std::sqrt(costs_.jitter_sigma * costs_.jitter_sigma + part.variance / (median * median)) : 0.0;
  const Duration taken = from_ps(median * exponential(sigma * (*normal_)(stream_.uniform())));
  last_run_[index] = now + taken;
  (*cluster_)[index] = now + taken;
  return taken;
}

Duration Core::cold(const PathCost& cost) const {
  const Parts part = parts(cost, 1.0, 1.0);
  return from_ps(part.fixed_ps + part.misses_ps);
}

}  // namespace vecusim
