// A golden case: the scheduler, the machine and the workloads of one NAME.case.json (golden trace format, section 1).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schedulers/catalogue.hpp"

namespace vecusim::golden {

// What a vCPU does, one step after the other. Times are ns.

struct Run {
  HvTime time;
};
struct Block {
  HvTime time;
};
struct BlockUntil {
  HvTime at;
};
struct BlockPeriodic {
  HvTime period;
  HvTime phase;
};
struct WaitForEvent {};
struct Yield {};
struct Kick {
  UnitId target;
};
using Step = std::variant<Run, Block, BlockUntil, BlockPeriodic, WaitForEvent, Yield, Kick>;

struct Workload {
  /// The first `prologue` steps run once; the others once, or again and again.
  std::vector<Step> steps;
  std::size_t prologue = 0;
  bool repeat = false;
};

struct Vcpu {
  /// "d0v1"
  std::string name;
  HvTime start{};
  std::optional<PcpuMask> affinity;
  std::optional<ServerParameters> server;
  Workload workload;
};

struct Domain {
  std::optional<std::int32_t> weight;
  std::optional<std::int32_t> cap_pct;
  std::vector<Vcpu> vcpus;
};

struct ExternalInterrupt {
  HvTime at;
  std::vector<UnitId> targets;
};

struct Case {
  /// Where it was read from.
  std::string file;
  std::string name;
  const PolicyEntry* policy = nullptr;
  std::unique_ptr<Config> config;
  std::vector<PcpuPlace> pcpus;
  HvTime duration{};
  /// Units are numbered through all domains in their order.
  std::vector<Domain> domains;
  std::vector<ExternalInterrupt> interrupts;
  std::optional<SlotTable> table;
};

/// `file` is the name that problems are reported under. Throws InvalidInput.
Case read_case(std::string_view text, std::string_view file);

}  // namespace vecusim::golden
