// Scenario: everything a run depends on, as configuration structs; what a scenario file means.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fields.hpp"
#include "engine/modelled.hpp"
#include "hypervisors/catalogue.hpp"
#include "hypervisors/domain_config.hpp"
#include "models/board.hpp"
#include "models/bus_config.hpp"
#include "models/costs.hpp"
#include "models/linux_config.hpp"
#include "models/measure.hpp"
#include "models/network_config.hpp"
#include "models/stimulus.hpp"
#include "system/json_node.hpp"
#include "system/problem.hpp"

namespace vecusim {

struct BoardConfig {
  Modelled<BoardEntry, boards> model;
  /// So many of its cores are switched on; absent: all.
  std::optional<std::int64_t> cores;

  const BoardChoice& choice() const { return static_cast<const BoardChoice&>(model.config()); }
  /// The board with the cores that are switched on.
  BoardSpec spec() const;
  void fields(FieldVisitor& visit);
};

struct HypervisorConfig {
  Modelled<HypervisorEntry, hypervisors> model;
  void fields(FieldVisitor& visit);
};

struct InterruptConfig {
  std::string name;
  /// A pin of the board, "gpio17", one of its lines, or "timer": the task sleeps on its kernel's timer.
  std::string source;
  /// The domain that handles it, and the domain's CPU that it is routed to.
  std::string target;
  std::optional<std::int64_t> cpu;
  /// Of a guest under KVM: the host's CPU that it is routed to first.
  std::optional<std::int64_t> host_cpu;
  StimulusConfig stimulus;
  /// If it comes with a frame: the stimulus is when the producer hands that to the bus.
  std::optional<FrameConfig> frame;
  MeasureConfig measure;
  std::optional<RequirementConfig> requirement;
  void fields(FieldVisitor& visit);
};

/// The interrupt whose stimulus that one's follows; the one itself if it follows none, or one that is not there.
std::size_t leader_of(const std::vector<InterruptConfig>& interrupts, std::size_t index);

/// The CPU of its domain that an interrupt is routed to: its own, or the first of the kernel's irqaffinity.
std::int64_t cpu_of(const InterruptConfig& interrupt, const DomainConfig& domain);
/// … whose domain is one of these; 0 if it is not.
std::int64_t cpu_of(const InterruptConfig& interrupt, const std::vector<DomainConfig>& domains);

struct RunConfig {
  /// What begins earlier than this is not counted.
  Duration warmup{};
  /// The run's length; if not given it ends when every counted stimulus has been answered or is known to be lost.
  std::optional<Duration> measure;
  std::int64_t replications = 1;
  std::uint64_t seed = 1;
  void fields(FieldVisitor& visit);
};

struct Scenario {
  std::string schema = "vecusim/scenario/1";
  std::string title;
  BoardConfig board;
  Costs costs;
  HypervisorConfig hypervisor;
  std::vector<DomainConfig> domains;
  std::vector<BusConfig> buses;
  std::vector<InterruptConfig> interrupts;
  std::optional<NetworkConfig> network;
  RunConfig run;
  void fields(FieldVisitor& visit);

  /// Those that exist under its hypervisor.
  std::vector<DomainConfig> present_domains() const;
  /// Replaces what is short for something longer: each cyclictest by its threads.
  void write_out();
};

/// A file that went into a scenario.
struct Input {
  std::string name;
  std::string sha256;
};

/// A scenario with the document it was read from: cost tables merged, --set applied.
struct LoadedScenario {
  /// The name users know it by: a preset's name or a file's.
  std::string name;
  Scenario scenario;
  json::Node document;
  std::vector<Input> inputs;
  /// Warnings only; errors are thrown.
  Problems problems;
};

/// One `--set PTR=VALUE`, as given.
using Settings = std::vector<std::string>;

/// Reads what a user calls SCENARIO: a file, "-", a preset's name, or a result document (its scenario and seed).
/// Throws InvalidInput with every problem found.
LoadedScenario load_scenario(std::string_view what, const Settings& settings = {});

/// The same scenario with some values of its document replaced (a point of a sweep).
/// Throws InvalidInput with every problem found.
Scenario with_values(const LoadedScenario& base, const std::vector<std::pair<std::string, json::Node>>& values);

/// Names of the presets, sorted.
std::vector<std::string> presets();

/// Rules that need more than one field, and lint: problems by severity. `document` gives the places.
void check(const Scenario& scenario, const json::Node& document, Problems& problems);

}  // namespace vecusim
