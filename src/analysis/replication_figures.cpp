// The figures, and their names beside them.
#include "analysis/replication_figures.hpp"

#include <cmath>

#include "analysis/summary.hpp"

namespace vecusim {
namespace {

double ratio(double part, double whole) { return whole > 0.0 ? part / whole : std::nan(""); }

void append(std::vector<double>& figures, const FlowConfig& config, const FlowTally& flow, double seconds) {
  const double delivered = ratio(static_cast<double>(flow.delivered), seconds);
  figures.push_back(ratio(static_cast<double>(flow.offered), seconds));
  figures.push_back(delivered);
  figures.push_back(ratio(static_cast<double>(flow.dropped), seconds));
  figures.push_back(delivered * static_cast<double>(config.payload_bytes()) * 8e-6);
  figures.push_back(ratio(static_cast<double>(flow.batched), static_cast<double>(flow.batches)));
  figures.push_back(ratio(to_us(flow.latency.sum()), static_cast<double>(flow.latency.n())));
}

}  // namespace

std::vector<double> replication_figures(const Scenario& scenario, const Tally& one) {
  std::vector<double> figures;
  for (std::size_t i = 0; i < one.latency.size(); ++i) {
    const LatencyTally& latency = one.latency[i];
    figures.push_back(static_cast<double>(latency.lost));
    figures.push_back(static_cast<double>(latency.merged));
    figures.push_back(static_cast<double>(latency.late));
    if (!scenario.interrupts[i].requirement) continue;
    const std::uint64_t unanswered = lost_is_miss(scenario.interrupts[i]) ? latency.lost : 0;
    figures.push_back(1e6 * ratio(static_cast<double>(latency.misses + unanswered),
                                  static_cast<double>(latency.samples.n() + unanswered)));
  }
  for (const LoadResult& load : summarize(one.load)) figures.push_back(load.pcpu_pct);
  const CounterResult counters = summarize(one.counts, one.observed);
  for (const double rate : {counters.context_switches_per_s, counters.interrupts_per_s, counters.migrations_per_s,
                            counters.decisions_per_s}) {
    figures.push_back(rate);
  }
  const double seconds = 1e-12 * static_cast<double>(one.observed);
  for (std::size_t i = 0; i < one.network.size(); ++i) {
    append(figures, scenario.network->flows[i], one.network[i], seconds);
  }
  return figures;
}

std::vector<std::string> replication_paths(const Result& result) {
  std::vector<std::string> paths;
  for (const LatencyResult& latency : result.latency) {
    for (const char* name : {".lost", ".merged", ".late"}) paths.push_back("latency." + latency.name + name);
    if (latency.requirement) paths.push_back("latency." + latency.name + ".requirement.miss_ppm");
  }
  for (const LoadResult& load : result.load) paths.push_back("load." + load.name + ".pcpu_pct");
  for (const char* name : {"context_switches", "interrupts", "migrations", "decisions"}) {
    paths.push_back("counters." + std::string(name) + "_per_s");
  }
  for (const FlowResult& flow : result.network) {
    for (const char* name :
         {".offered_pps", ".delivered_pps", ".dropped_pps", ".goodput_mbps", ".batch_mean", ".latency.mean_us"}) {
      paths.push_back("network." + flow.name + name);
    }
  }
  return paths;
}

}  // namespace vecusim
