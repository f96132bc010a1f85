// Core: what code costs on one processor core: T = cycles / f + lines * p_cold * t_line + n_mmio * t_mmio, times a
// small jitter.
//
// The law and its constants: specification of the mechanisms, sections 0 and 7. Warmth is the state that decides: every
// code path remembers when it last ran on this core and in this cluster, and the share of its lines that others have
// evicted since is 1 - exp(-time * eviction rate / capacity), for the core's L1 caches and for the cluster's L2
// (shared_cache.hpp). Tasks that stream through memory evict too, and make everybody else's lines from memory slower.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "models/costs.hpp"
#include "models/shared_cache.hpp"

namespace vecusim {

/// What a piece of code demands of a core.
struct PathCost {
  double cycles = 0.0;
  double lines = 0.0;  ///< distinct cache lines touched, instructions and data
  double mmio = 0.0;   ///< accesses to device registers
  /// Of the cycles, beyond the core's jitter: where they depend on data, as with packets.
  double variance = 0.0;

  /// "NAME.cycles" and "NAME.lines" of a table must be there, "NAME.mmio" may be.
  static PathCost from(CostTable& costs, const std::string& name);
  /// Of `count` executions in a row, which share no line.
  PathCost times(std::size_t count) const {
    const auto factor = static_cast<double>(count);
    return {cycles * factor, lines * factor, mmio * factor, variance * factor};
  }
  /// Of `count` executions in a row, which touch the same lines.
  PathCost repeated(std::size_t count) const {
    const PathCost all = times(count);
    return {all.cycles, count == 0 ? 0.0 : lines, all.mmio, all.variance};
  }
  PathCost& operator+=(const PathCost& other) {
    cycles += other.cycles;
    lines += other.lines;
    mmio += other.mmio;
    variance += other.variance;
    return *this;
  }
};

/// The numbers of the law, for all cores of a board.
struct CoreCosts {
  Duration l2_line{};    ///< a line that is in L2
  Duration dram_line{};  ///< a line that is not, effective (with what overlaps)
  double evictions_per_s = 0.0;
  double jitter_sigma = 0.0;  ///< of the logarithm, per execution
  double miss_cv = 0.0;       ///< coefficient of variation of one miss
  Duration mmio{};

  static CoreCosts from(CostTable& costs);
};

/// What all cores share behind their L2 caches: t_line = t0 * (1 + a * rho / (1 - rho)), rho being the share of the
/// bandwidth that tasks stream, and at most four times t0. Specification of the mechanisms, section 7 (U5).
struct Memory {
  double bandwidth_mbps = 0.0;
  double interference = 0.0;
  std::int64_t streamed_mbps = 0;

  /// Without such tasks nobody asks for its costs.
  void use(CostTable& costs);
  double slowdown() const;
};

class Core {
 public:
  /// `l2` is shared with the cores of the same cluster, `memory` with all.
  Core(Simulation& simulation, std::string_view name, double clock_mhz, double l1_lines, const CoreCosts& costs,
       SharedCache& l2, Memory& memory);

  /// At assembly: room for one more code path, cold.
  void add_code_path() { last_run_.push_back({}); }

  /// What it has run is cold again.
  void empty_caches() { std::fill(last_run_.begin(), last_run_.end(), LastRun{}); }

  /// What an execution beginning now takes; draws its jitter and leaves the path warm.
  Duration execute(const PathCost& cost, CodePath path);
  /// The same with every cache cold, as after a long idle time, at the median of the jitter.
  Duration cold(const PathCost& cost) const;
  /// A task that executes here streams so much through memory of these colours, or (negative) no longer does.
  void stream(std::int64_t mbps, Colors colors);
  /// `count` cycles at this core's clock.
  Duration cycles(double count) const { return from_ps(count * ps_per_cycle_); }

 private:
  struct Parts {
    double fixed_ps;   // cycles and device accesses
    double misses_ps;  // expected refills
    double variance;   // of the refills, and of cycles that depend on data
  };
  Parts parts(const PathCost& cost, double evicted_l1, double evicted_l2) const;
  /// Its L1 caches: when a code path last ran, and what tasks of this core had streamed by then.
  struct LastRun {
    Time at = kNeverRan;
    double streamed = 0.0;
  };
  double streamed(Time now) const { return streamed_ + to_s(now - streamed_at_) * streams_per_s_; }
  double gone(const LastRun& last, Time now) const;

  Simulation* simulation_;
  RandomStream stream_;
  std::shared_ptr<const QuantileTable> normal_;
  double ps_per_cycle_;
  double l1_lines_;
  CoreCosts costs_;
  SharedCache* l2_;
  Memory* memory_;
  std::vector<LastRun> last_run_;
  double streams_per_s_ = 0.0;
  double streamed_ = 0.0;  // lines, as of `streamed_at_`
  Time streamed_at_{};
};

}  // namespace vecusim
