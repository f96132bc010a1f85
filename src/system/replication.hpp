// Replication: one run of one scenario, built, observed by the sinks given, and run to its end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/distribution.hpp"
#include "engine/trace.hpp"
#include "models/interrupt_path.hpp"
#include "system/scenario.hpp"

namespace vecusim {

/// What an observer needs to name what it is told of. Indexed by CpuId, InterruptId and stage.
struct SystemView {
  struct CpuView {
    std::string name;    ///< "pcpu0", "dom0/1"
    std::string domain;  ///< whose guest work it executes; empty for a pCPU that vCPUs run on
    bool physical;
    std::optional<std::size_t> home = {};  ///< the pCPU of a vCPU that has one to itself, for good
  };
  struct InterruptView {
    std::string name;
    std::string from;  ///< the measured points, by MeasureConfig's words
    std::string to;
    std::vector<std::string> stages;  ///< names, in the path's order
  };
  std::vector<CpuView> cpus;
  std::vector<InterruptView> interrupts;
  std::vector<std::string> flows = {};  ///< names
};

class Replication {
 public:
  /// `replication` numbers the runs of one seed. Throws InvalidInput if the scenario's costs lack something a model
  /// needs.
  Replication(const Scenario& scenario, QuantileTables& tables, std::uint64_t seed, std::uint32_t replication);
  ~Replication();

  const SystemView& view() const;
  /// The path of an interrupt, by its index in the scenario: stages, bounds, drawing.
  const InterruptPath& path(std::size_t interrupt) const;
  /// Who a party of the trace is; empty for nobody.
  std::string_view name_of(Party party) const;
  /// Called before run(), in the order in which sinks are to be told.
  void attach(TraceSink& sink);
  /// Until every interrupt has had its stimuli and answers, or the scenario's measure time is over.
  void run();

  /// Frames under way at the end, by flow.
  const std::vector<std::uint64_t>& queued_frames() const;

  /// Flights of an interrupt that are still under way.
  std::uint64_t under_way(std::size_t interrupt) const;

  /// What has been simulated, and how many events that took.
  Time end() const;
  std::uint64_t events() const;

 private:
  class System;
  std::unique_ptr<System> system_;
};

}  // namespace vecusim
