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

void Memory::use(CostTable& costs) {
  bandwidth_mbps = costs.number("memory.bandwidth", "mbps");
  interference = costs.number("memory.interference", "ratio");
}

double Memory::slowdown() const {
  constexpr double kMost = 4.0;
  if (streamed_mbps == 0) return 1.0;
  const double rho = static_cast<double>(streamed_mbps) / bandwidth_mbps;
  return rho >= 1.0 ? kMost : std::min(kMost, 1.0 + interference * rho / (1.0 - rho));
}

Core::Core(Simulation& simulation, std::string_view name, double clock_mhz, double l1_lines, const CoreCosts& costs,
           SharedCache& l2, Memory& memory)
    : simulation_(&simulation),
      stream_(simulation.stream(std::string(name) + "#cost")),
      normal_(simulation.tables.normal()),
      ps_per_cycle_(1e6 / clock_mhz),
      l1_lines_(l1_lines),
      costs_(costs),
      l2_(&l2),
      memory_(&memory) {}

double Core::gone(const LastRun& last, Time now) const {
  if (last.at == kNeverRan) return 1.0;
  const double background = to_s(std::max(now - last.at, Duration::zero())) * costs_.evictions_per_s;
  return evicted_share(background + std::max(streamed(now) - last.streamed, 0.0), l1_lines_);
}

void Core::stream(std::int64_t mbps, Colors colors) {
  constexpr double kLine = 64.0;
  constexpr double kMega = 1e6;
  const double lines_per_s = static_cast<double>(mbps) * kMega / kLine;
  const Time now = simulation_->now();
  streamed_ = streamed(now);
  streamed_at_ = now;
  streams_per_s_ += lines_per_s;
  memory_->streamed_mbps += mbps;
  l2_->stream(now, lines_per_s, colors);
}

Core::Parts Core::parts(const PathCost& cost, double evicted_l1, double evicted_l2) const {
  const double from_dram = cost.lines * evicted_l2;
  const double from_l2 = cost.lines * std::max(0.0, evicted_l1 - evicted_l2);
  const double dram_ps = static_cast<double>(costs_.dram_line.count()) * memory_->slowdown();
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
  const Parts part = parts(cost, gone(last_run_[index], now), l2_->gone(path, now));
  const double median = part.fixed_ps + part.misses_ps;
  // Many independent misses: their sum varies as the root of their number, beside the jitter of the whole.
  const double sigma =
      median > 0.0 ? std::sqrt(costs_.jitter_sigma * costs_.jitter_sigma + part.variance / (median * median)) : 0.0;
  const Duration taken = from_ps(median * exponential(sigma * (*normal_)(stream_.uniform())));
  last_run_[index] = {now + taken, streamed(now + taken)};
  l2_->ran(path, now + taken);
  return taken;
}

Duration Core::cold(const PathCost& cost) const {
  const Parts part = parts(cost, 1.0, 1.0);
  return from_ps(part.fixed_ps + part.misses_ps);
}

}  // namespace vecusim
