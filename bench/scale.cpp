// A crowded machine: 10 domains of 4 vCPUs on 8 pCPUs under Credit2, each with a task that wakes at 1 kHz and sends an
// event to the next domain, whose handler answers it. Prints how long a simulated second takes, and what memory does.
//
//   bench_scale [SIMULATED_SECONDS [BOARD]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "system/replication.hpp"
#include "system/scenario.hpp"

namespace {

using namespace vecusim;

constexpr int kDomains = 10;

std::string domain(int index) {
  const std::string name = "d" + std::to_string(index);
  const std::string next = "ring" + std::to_string((index + 1) % kDomains);
  return R"({"name":")" + name + R"(","vcpus":4,"os":{"model":"linux"},"tasks":[)" +
         R"({"name":"source","model":"periodic","period_us":1000,"work_us":100,"notify":")" + next + R"("},)" +
         R"({"name":"answer","model":"interrupt","interrupt":"ring)" + std::to_string(index) + R"("}]})";
}

std::string interrupt(int index) {
  const std::string number = std::to_string(index);
  return R"({"name":"ring)" + number + R"(","source":"event","target":"d)" + number + R"("})";
}

Scenario crowded(const std::string& board, long seconds) {
  std::string domains;
  std::string interrupts;
  for (int i = 0; i < kDomains; ++i) {
    domains += (i == 0 ? "" : ",") + domain(i);
    interrupts += (i == 0 ? "" : ",") + interrupt(i);
  }
  return load_scenario("pi4-xen-published",
                       {"/board={\"model\":\"" + board + "\"}", "/domains=[" + domains + "]",
                        "/interrupts=[" + interrupts + "]", "/run/measure_ms=" + std::to_string(seconds * 1000)})
      .scenario;
}

/// Resident memory, in MB.
double resident_mb() {
  std::ifstream status("/proc/self/statm");
  double pages = 0;
  status >> pages >> pages;
  return pages * 4096.0 / 1e6;
}

struct Answers final : TraceSink {
  void on(const FlightDone&) override { ++count; }
  unsigned long count = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const long seconds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 2;
  const Scenario scenario = crowded(argc > 2 ? argv[2] : "vc3", seconds);
  QuantileTables tables;
  Replication run(scenario, tables, 1, 0);
  Answers answers;
  run.attach(answers);
  const double before_mb = resident_mb();
  const auto began = std::chrono::steady_clock::now();
  run.run();
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const auto events = static_cast<double>(run.events());
  std::printf("%ld simulated s: %.2f s of wall time, %.3f per simulated s\n", seconds, wall_s,
              wall_s / static_cast<double>(seconds));
  std::printf("%.0f events, %.2f million per s; %lu answers\n", events, events / wall_s * 1e-6, answers.count);
  std::printf("resident memory %.1f MB at the start, %.1f MB at the end\n", before_mb, resident_mb());
}
