// Merging what replications have shown.
#include "analysis/tally.hpp"

#include <cassert>
#include <utility>

namespace vecusim {

void Tally::merge(Tally other) {
  assert(latency.size() == other.latency.size());
  replications += other.replications;
  simulated += other.simulated;
  observed += other.observed;
  events += other.events;
  for (std::size_t i = 0; i < latency.size(); ++i) latency[i].merge(other.latency[i]);
  load.merge(other.load);
  for (std::size_t i = 0; i < network.size(); ++i) network[i].merge(other.network[i]);
  for (std::size_t i = 0; i < kCounts; ++i) counts[i] += other.counts[i];
  for (std::vector<double>& of_one : other.figures) figures.push_back(std::move(of_one));
  for (std::size_t i = 0; i < worst.size(); ++i) {
    worst[i] = merge_worst(std::move(worst[i]), std::move(other.worst[i]), worst_kept);
  }
}

}  // namespace vecusim
