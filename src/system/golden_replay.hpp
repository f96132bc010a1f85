// A replay: drives a policy from a golden case or vector, and writes down line by line what it decides.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "hypervisors/sched_core.hpp"

namespace vecusim::golden {

class LineSink {
 public:
  virtual ~LineSink() = default;
  /// A line without its end; false if no more are wanted.
  virtual bool line(std::string_view text) = 0;
};

class Replay {
 public:
  virtual ~Replay() = default;
  /// Once. Throws InvalidInput if the input asks for what cannot be done.
  virtual void run(LineSink& sink) = 0;
  /// What is known of a unit at the moment of the last line, for messages; empty if there is no unit of that name.
  virtual std::string describe(std::string_view unit) const = 0;
};

/// NAME.case.json or NAME.in. Throws InvalidInput.
std::unique_ptr<Replay> open_replay(const std::filesystem::path& input);

/// "pCPU 1, runnable, credit 10000000, residual 0": one unit, for messages.
std::string describe_unit(const SchedCore& core, UnitId unit);

}  // namespace vecusim::golden
