// Bytes for other processes, and what these do with them.
#include "analysis/sweep_remote.hpp"

#include <utility>

#include "analysis/bytes.hpp"
#include "analysis/scenario_bytes.hpp"

namespace vecusim {
namespace {

/// Replications of one point, `count` of them from `first` on.
struct Stretch {
  std::vector<std::pair<std::string, json::Node>> values;
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  template <class Bytes>
  void transfer(Bytes& bytes) {
    std::uint64_t size = values.size();
    bytes(size);
    values.resize(size);
    for (auto& [pointer, value] : values) {
      bytes(pointer);
      vecusim::transfer(bytes, value);
    }
    bytes(first);
    bytes(count);
  }
};

struct Base {
  std::string scenario;
  std::optional<std::uint64_t> seed;

  template <class Bytes>
  void transfer(Bytes& bytes) {
    bytes(scenario);
    bytes(seed);
  }
};

template <class T>
T read_all(std::string_view text) {
  T value;
  ByteReader bytes(text);
  bytes(value);
  bytes.finish();
  return value;
}

template <class T>
std::string written(T value) {
  ByteWriter bytes;
  bytes(value);
  return bytes.text();
}

}  // namespace

std::string remote_base(const LoadedScenario& base, const RunOptions& options) {
  return written(Base{to_bytes(base), options.seed});
}

std::string remote_chunk(const std::vector<SweepTrial>& trials) {
  std::vector<Stretch> stretches;
  std::optional<std::size_t> point;
  for (const SweepTrial& trial : trials) {
    if (point != trial.point.index) stretches.push_back({trial.point.values, trial.replication, 0});
    point = trial.point.index;
    ++stretches.back().count;
  }
  return written(std::move(stretches));
}

RemoteTrials::RemoteTrials(std::string_view base) {
  const Base told = read_all<Base>(base);
  base_ = scenario_of(told.scenario);
  seed_ = told.seed;
}

std::string RemoteTrials::run(std::string_view chunk, const std::stop_token& stop) {
  std::vector<Tally> tallies;
  for (const Stretch& stretch : read_all<std::vector<Stretch>>(chunk)) {
    Scenario scenario = with_values(base_, stretch.values);
    if (seed_) scenario.run.seed = *seed_;
    for (std::uint32_t i = 0; i < stretch.count; ++i) {
      tallies.push_back(run_trial(scenario, tables_, stretch.first + i, 0, stop));
    }
  }
  return written(std::move(tallies));
}

std::vector<Tally> remote_tallies(std::string_view answer) { return read_all<std::vector<Tally>>(answer); }

}  // namespace vecusim
