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
  /// By interrupt, slowest first.
  std::vector<std::vector<WorstFlight>> worst;
  std::size_t worst_kept = 0;

  /// `other` is of later replications of the same scenario.
  void merge(Tally other);
  /// For bytes.hpp: all but the view, which follows from the scenario, and the slowest flights.
  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(replications);
    bytes(simulated);
    bytes(events);
    bytes(observed);
    bytes(latency);
    bytes(load);
    bytes(counts);
  }
};

}  // namespace vecusim
