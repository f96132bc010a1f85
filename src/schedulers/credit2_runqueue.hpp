// A runqueue of Credit2: its pCPUs, the units assigned to it and those that wait, and which pCPUs share one
// (specification of the Xen schedulers, sections 1.2 to 1.5).
#pragma once

#include <cstdint>
#include <vector>

#include "schedulers/credit2_load.hpp"
#include "schedulers/credit2_unit.hpp"
#include "schedulers/policy.hpp"

namespace vecusim::credit2 {

/// Which pCPUs share a runqueue.
enum class Arrangement : std::uint8_t { cpu, core, socket, node, all };

class Runqueue {
 public:
  // Its pCPUs. `idle_cores` (Xen: smt_idle) are those of which all siblings are idle and not tickled.

  PcpuMask pcpus;
  PcpuMask idle;
  /// Asked to pass, and have not yet.
  PcpuMask tickled;
  PcpuMask idle_cores;
  /// The pCPU that the last search for a place ended at.
  PcpuId bias{};

  RunqueueLoad load;
  /// Of all units assigned to it, at least 1.
  std::int64_t max_weight = 1;

  void add_pcpu(PcpuId pcpu);
  PcpuMask idle_untickled() const { return idle - tickled; }
  void tickle(PcpuId pcpu, PcpuMask siblings);
  /// The pCPU makes the pass that it was asked for.
  void answer_tickle(PcpuId pcpu, PcpuMask siblings);
  void leave_idle(PcpuId pcpu, PcpuMask siblings);
  void enter_idle(PcpuId pcpu, PcpuMask siblings);
  /// The candidate after the bias, which becomes the bias.
  PcpuId advance_bias(PcpuMask candidates) { return bias = candidates.cycle(bias); }

  // Its units. `all` are the units of the policy, by id.

  /// Units assigned to it, in the order in which they were.
  const std::vector<UnitId>& members() const { return members_; }
  /// Units that wait, the most credit first when they were queued; a reset of credits sorts nothing.
  const std::vector<UnitId>& queue() const { return queue_; }
  /// Room for this many units, so that nothing is allocated later.
  void reserve(std::size_t units);
  void assign(std::vector<Unit>& all, UnitId id);
  void deassign(std::vector<Unit>& all, UnitId id);
  void find_max_weight(const std::vector<Unit>& all);
  /// Behind those of equal credit.
  void enqueue(std::vector<Unit>& all, UnitId id);
  void dequeue(std::vector<Unit>& all, UnitId id);

 private:
  void join_idle_cores(PcpuMask siblings);

  std::vector<UnitId> members_;
  std::vector<UnitId> queue_;
};

/// The runqueue for a pCPU that is added, or kNoRunqueue for a new one; each runqueue has at most a fair part of the
/// machine's pCPUs, not more than `max_pcpus`.
RunqueueId find_runqueue(const std::vector<Runqueue>& runqueues, const MachineDescription& machine,
                         Arrangement arrangement, std::size_t max_pcpus, PcpuId pcpu);

}  // namespace vecusim::credit2
