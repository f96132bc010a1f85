// What a simulated second of traffic costs: 1 Gb/s of frames of 1538 bytes on each path, and of the least frames; and
// what it takes to know when the next frame comes.
//
//   bench_network [REPETITIONS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "harness.hpp"
#include "models/frame_source.hpp"
#include "system/replication.hpp"
#include "system/scenario.hpp"

namespace {

using namespace vecusim;

constexpr double kNsPerS = 1e9;

/// CPU time of a simulated second, the best of some runs: others of the machine only ever add to it.
void simulate(const char* preset, const char* frame_bytes, long repetitions) {
  const Scenario scenario = load_scenario(preset, {std::string("/network/flows/0/frame_bytes=") + frame_bytes,
                                                   "/run/warmup_ms=0", "/run/measure_ms=1000"})
                                .scenario;
  QuantileTables tables;
  double best_ns = std::numeric_limits<double>::max();
  std::uint64_t events = 0;
  for (long i = 0; i < repetitions; ++i) {
    Replication run(scenario, tables, 1, 0);
    const double began = bench::cpu_time_ns();
    run.run();
    best_ns = std::min(best_ns, bench::cpu_time_ns() - began);
    events = run.events();
  }
  std::printf("%-18s %5s bytes: %6.3f CPU s per simulated s, %8llu events of %4.0f ns\n", preset, frame_bytes,
              best_ns / kNsPerS, static_cast<unsigned long long>(events), best_ns / static_cast<double>(events));
}

void arrive(const char* name, Arrivals arrivals) {
  constexpr int kFrames = 1'000'000;
  constexpr double kPortMbps = 1000.0;
  QuantileTables tables;
  Simulation simulation(tables, 1, 0);
  FlowConfig flow;
  flow.rate_mbps = kPortMbps;
  flow.arrivals = arrivals;
  FrameSource source(simulation, flow, kPortMbps);
  const double began = bench::cpu_time_ns();
  for (int i = 0; i < kFrames; ++i) source.take();
  const double took = bench::cpu_time_ns() - began;
  bench::keep(source.next());
  std::printf("%-18s %5.1f ns a frame\n", name, took / kFrames);
}

}  // namespace

int main(int argc, char** argv) {
  const long repetitions = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 3;
  for (const char* preset :
       {"vc3-bridge-rx", "vc3-rswitch2-rx", "vc3-bridge-tx", "vc3-rswitch2-tx", "vc3-passthrough", "vc3-native-rx"}) {
    simulate(preset, "1538", repetitions);
  }
  for (const char* preset : {"vc3-bridge-rx", "vc3-rswitch2-rx"}) simulate(preset, "84", repetitions);
  arrive("constant rate", Arrivals::constant);
  arrive("Poisson", Arrivals::poisson);
}
