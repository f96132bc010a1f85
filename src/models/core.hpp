// Core: what code costs on one processor core: T = cycles / f + lines * p_cold * t_line + n_mmio * t_mmio, times a
// small jitter.
//
// The law and its constants: specification of the mechanisms, sections 0 and 7. Warmth is the state that decides: every
// code path remembers when it last ran on this core and in this cluster, and the share of its lines that others have
// evicted since is 1 - exp(-time * eviction rate / capacity), for the core's L1 caches and for the cluster's L2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "models/costs.hpp"

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
};

/// A code path whose warmth is remembered: an index that the board hands out.
enum class CodePath : std::uint16_t {};

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

/// Before the simulation began nothing was warm.
inline constexpr Time kNeverRan = Time::min();

/// When each code path last ran in a cluster.
using ClusterWarmth = std::vector<Time>;

class Core {
 public:
  struct Caches {
    double l1_lines;
    double l2_lines;
  };
  /// `cluster` is shared with the cores of the same L2 cache.
  Core(Simulation& simulation, std::string_view name, double clock_mhz, Caches caches, const CoreCosts& costs,
       ClusterWarmth& cluster);

  /// At assembly: room for one more code path, cold.
  void add_code_path() { last_run_.push_back(kNeverRan); }

  /// What an execution beginning now takes; draws its jitter and leaves the path warm.
  Duration execute(const PathCost& cost, CodePath path);
  /// The same with every cache cold, as after a long idle time, at the median of the jitter.
  Duration cold(const PathCost& cost) const;
  /// `count` cycles at this core's clock.
  Duration cycles(double count) const { return from_ps(count * ps_per_cycle_); }

 private:
  struct Parts {
    double fixed_ps;   // cycles and device accesses
    double misses_ps;  // expected refills
    double variance;   // of the refills, and of cycles that depend on data
  };
  Parts parts(const PathCost& cost, double evicted_l1, double evicted_l2) const;
  static double evicted(Duration away, double per_s, double capacity);

  Simulation* simulation_;
  RandomStream stream_;
  std::shared_ptr<const QuantileTable> normal_;
  double ps_per_cycle_;
  Caches caches_;
  CoreCosts costs_;
  ClusterWarmth* cluster_;
  std::vector<Time> last_run_;
};

}  // namespace vecusim
