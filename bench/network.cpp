// How long a simulated second of traffic takes: 1 Gb/s of frames of 1538 bytes on each path, and of the least frames.
//
//   bench_network [REPETITIONS]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "system/replication.hpp"
#include "system/scenario.hpp"

namespace {

using namespace vecusim;

/// The best of some, in seconds.
double wall_s(const Scenario& scenario, long repetitions, std::uint64_t& events) {
  double best = 1e9;
  for (long i = 0; i < repetitions; ++i) {
    QuantileTables tables;
    Replication run(scenario, tables, 1, 0);
    const auto began = std::chrono::steady_clock::now();
    run.run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    best = took.count() < best ? took.count() : best;
    events = run.events();
  }
  return best;
}

void measure(const char* preset, const char* frame_bytes, long repetitions) {
  const Scenario scenario = load_scenario(preset, {std::string("/network/flows/0/frame_bytes=") + frame_bytes,
                                                   "/run/warmup_ms=0", "/run/measure_ms=1000"})
                                .scenario;
  std::uint64_t events = 0;
  const double s = wall_s(scenario, repetitions, events);
  std::printf("%-18s %5s bytes: %6.3f s for a simulated second, %9llu events\n", preset, frame_bytes, s,
              static_cast<unsigned long long>(events));
}

}  // namespace

int main(int argc, char** argv) {
  const long repetitions = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 3;
  for (const char* preset :
       {"vc3-bridge-rx", "vc3-rswitch2-rx", "vc3-bridge-tx", "vc3-rswitch2-tx", "vc3-passthrough", "vc3-native-rx"}) {
    measure(preset, "1538", repetitions);
  }
  for (const char* preset : {"vc3-bridge-rx", "vc3-rswitch2-rx"}) measure(preset, "84", repetitions);
}
