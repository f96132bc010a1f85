// Tally: everything observed in one or several replications of a scenario, ready to be merged.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/counter_sink.hpp"
#include "analysis/latency_sink.hpp"
#include "analysis/load_sink.hpp"
#include "analysis/network_sink.hpp"
#include "analysis/wide.hpp"
#include "analysis/worst_sink.hpp"
#include "system/replication.hpp"

namespace vecusim {

struct Tally {
  SystemView view;
  std::uint64_t replications = 0;
  Wide simulated = 0;  // ps
  std::uint64_t events = 0;
  /// Simulated time after the warm-ups, in ps.
  Wide observed = 0;
  /// By interrupt.
  std::vector<LatencyTally> latency;
  LoadTally load;
  /// By flow.
  std::vector<FlowTally> network;
  Counts counts{};
  /// Of each replication, in their order: replication_figures().
  std::vector<std::vector<double>> figures;
  /// By interrupt, slowest first.
  std::vector<std::vector<WorstFlight>> worst;
  std::size_t worst_kept = 0;

  /// `other` is of later replications of the same scenario.
  void merge(Tally other);
  /// For bytes.hpp: all but the view, which follows from the scenario, and the slowest flights. The names stand for all
  /// members in their order, so that nobody adds one without deciding here whether it is kept.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    auto& [view_, replications_, simulated_, events_, observed_, latency_, load_, network_, counts_, figures_, worst_,
           worst_kept_] = *this;
    bytes(replications_);
    bytes(simulated_);
    bytes(events_);
    bytes(observed_);
    bytes(latency_);
    bytes(load_);
    bytes(network_);
    bytes(counts_);
    bytes(figures_);
  }
};

}  // namespace vecusim
