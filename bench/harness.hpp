// Runs programs in turn, round after round, and prints the medians: on a noisy machine only neighbours compare.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace vecusim::bench {

/// One way to do a workload. `run` does `events` more of it; setting up and warming up belong before the measurement.
struct Contender {
  std::string name;
  std::function<void(std::uint64_t events)> run;
};

/// Several ways to do the same; the first is what the others are compared with.
struct Comparison {
  std::string workload;
  std::vector<Contender> contenders;
};

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Nanoseconds that this thread has had a CPU: what others of the machine take does not count.
inline double cpu_time_ns() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// CPU time per event of one round, in nanoseconds.
inline double time_round(const Contender& contender, std::uint64_t events) {
  const double before = cpu_time_ns();
  contender.run(events);
  return (cpu_time_ns() - before) / static_cast<double>(events);
}

/// Keeps the compiler from dropping work whose result nobody reads.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

/// Prints one line per contender: the median CPU time per event, and the median over rounds of its ratio to the first
/// contender in the same round.
inline void compare(const Comparison& comparison, std::uint64_t events, std::size_t rounds = 15) {
  const std::size_t count = comparison.contenders.size();
  std::vector<std::vector<double>> times(count);
  std::vector<std::vector<double>> ratios(count);
  for (const Contender& contender : comparison.contenders) contender.run(events);  // warm up
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      times[i].push_back(time_round(comparison.contenders[i], events));
      ratios[i].push_back(times[i].back() / times[0].back());
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::printf("%-34s %-22s %8.1f %8.2f\n", comparison.workload.c_str(), comparison.contenders[i].name.c_str(),
                median(times[i]), median(ratios[i]));
  }
  std::fflush(stdout);
}

inline void print_header() { std::printf("%-34s %-22s %8s %8s\n", "workload", "program", "ns/event", "ratio"); }

}  // namespace vecusim::bench
