// The masks, members and queue of a runqueue, and the arrangement of pCPUs in runqueues.
#include "schedulers/credit2_runqueue.hpp"

#include <algorithm>

namespace vecusim::credit2 {

void Runqueue::add_pcpu(PcpuId pcpu) {
  if (pcpus.empty()) bias = pcpu;
  pcpus.insert(pcpu);
  idle.insert(pcpu);
  idle_cores.insert(pcpu);
}

void Runqueue::tickle(PcpuId pcpu, PcpuMask siblings) {
  tickled.insert(pcpu);
  if (siblings.subset_of(idle_cores)) idle_cores = idle_cores - siblings;
}

void Runqueue::answer_tickle(PcpuId pcpu, PcpuMask siblings) {
  if (!tickled.contains(pcpu)) return;
  tickled.erase(pcpu);
  join_idle_cores(siblings);
}

void Runqueue::leave_idle(PcpuId pcpu, PcpuMask siblings) {
  if (!idle.contains(pcpu)) return;
  idle.erase(pcpu);
  idle_cores = idle_cores - siblings;
}

void Runqueue::enter_idle(PcpuId pcpu, PcpuMask siblings) {
  idle.insert(pcpu);
  join_idle_cores(siblings);
}

void Runqueue::join_idle_cores(PcpuMask siblings) {
  if (siblings.subset_of(idle_untickled())) idle_cores = idle_cores | siblings;
}

void Runqueue::reserve(std::size_t units) {
  members_.reserve(units);
  queue_.reserve(units);
}

void Runqueue::assign(std::vector<Unit>& all, UnitId id) {
  const Unit& unit = all[index(id)];
  members_.push_back(id);
  max_weight = std::max(max_weight, unit.weight);
  load.balanced_average += unit.load_average;
}

void Runqueue::deassign(std::vector<Unit>& all, UnitId id) {
  const Unit& unit = all[index(id)];
  std::erase(members_, id);
  if (unit.weight == max_weight) find_max_weight(all);
  load.balanced_average = std::max<std::int64_t>(load.balanced_average - unit.load_average, 0);
}

void Runqueue::find_max_weight(const std::vector<Unit>& all) {
  max_weight = 1;
  for (const UnitId id : members_) max_weight = std::max(max_weight, all[index(id)].weight);
}

void Runqueue::enqueue(std::vector<Unit>& all, UnitId id) {
  Unit& unit = all[index(id)];
  const auto behind =
      std::find_if(queue_.begin(), queue_.end(), [&](UnitId other) { return all[index(other)].credit < unit.credit; });
  queue_.insert(behind, id);
  unit.queued = true;
}

void Runqueue::dequeue(std::vector<Unit>& all, UnitId id) {
  std::erase(queue_, id);
  all[index(id)].queued = false;
}

namespace {

bool same_place(Arrangement arrangement, const PcpuPlace& a, const PcpuPlace& b) {
  switch (arrangement) {
    case Arrangement::cpu:
      return false;
    case Arrangement::core:
      return a.socket == b.socket && a.core == b.core;
    case Arrangement::socket:
      return a.socket == b.socket;
    case Arrangement::node:
      return a.node == b.node;
    case Arrangement::all:
      return true;
  }
  return false;
}

/// How many hardware threads the cores have that these pCPUs belong to.
std::size_t threads_of_cores(const MachineDescription& machine, PcpuMask pcpus) {
  PcpuMask threads;
  for (const PcpuId pcpu : pcpus) threads = threads | machine.pcpus[index(pcpu)].siblings;
  return threads.size();
}

}  // namespace

RunqueueId find_runqueue(const std::vector<Runqueue>& runqueues, const MachineDescription& machine,
                         Arrangement arrangement, std::size_t max_pcpus, PcpuId pcpu) {
  const std::size_t pcpus = machine.pcpus.size();
  const std::size_t limit = pcpus / ((pcpus - 1) / max_pcpus + 1);
  const PcpuPlace& place = machine.pcpus[index(pcpu)];
  const bool siblings_must_fit = arrangement != Arrangement::all || !machine.behaviour.credit2_all_ignores_siblings;

  RunqueueId best = kNoRunqueue;
  for (RunqueueId id = 0; id < runqueues.size(); ++id) {
    const PcpuMask members = runqueues[id].pcpus;
    if (!same_place(arrangement, machine.pcpus[index(members.first())], place)) continue;
    if (members.intersects(place.siblings)) return id;
    if (members.size() >= limit) continue;
    if (siblings_must_fit && threads_of_cores(machine, members) + place.siblings.size() > limit) continue;
    if (best == kNoRunqueue || members.size() < runqueues[best].pcpus.size()) best = id;
  }
  return best;
}

}  // namespace vecusim::credit2
