// The passes and the timers of the ideal machine.
#include "system/golden_machine.hpp"

#include <utility>

namespace vecusim::golden {

Time to_time(HvTime at) {
  constexpr HvTime kLimit = std::chrono::floor<HvTime>(kNever.time_since_epoch());
  return at >= kLimit ? kNever : Time{Duration{at}};
}

IdealMachine::Pcpu::Pcpu(IdealMachine& owner, PcpuId pcpu)
    : machine(owner), id(pcpu), slice(owner.queue_, Delegate<void()>::to<&Pcpu::slice_ends>(*this)) {}

IdealMachine::PolicyTimer::PolicyTimer(IdealMachine& owner, TimerId timer_id)
    : machine(owner), id(timer_id), timer(owner.queue_, Delegate<void()>::to<&PolicyTimer::fire>(*this)) {}

void IdealMachine::PolicyTimer::fire() {
  machine.executes_on(machine.policy().timers()[index(id)].pcpu);
  machine.core_.timer(machine.moment(), id);
}

IdealMachine::IdealMachine(std::unique_ptr<Policy> policy, std::size_t pcpus, PassObserver& observer)
    : observer_(observer), core_(std::move(policy), pcpus, *this) {
  for (std::size_t p = 0; p < pcpus; ++p) pcpus_.emplace_back(*this, static_cast<PcpuId>(p));
}

HvTime IdealMachine::now() const { return std::chrono::duration_cast<HvTime>(queue_.now() - kStart); }

void IdealMachine::add_pcpus() {
  for (const Pcpu& pcpu : pcpus_) core_.add_pcpu(moment(), pcpu.id);
}

void IdealMachine::settle() {
  while (!pending_.empty()) {
    const PcpuId pcpu = pending_.first();
    do {
      pending_.erase(pcpu);
      pass(pcpu);
    } while (pending_.contains(pcpu));
  }
}

void IdealMachine::pass(PcpuId id) {
  executes_on(id);
  Pcpu& pcpu = pcpus_[index(id)];
  pcpu.slice.disarm();
  const UnitId previous = core_.state().current_of(id);
  const Decision decision = core_.decide(moment(), id);
  observer_.decided(id, previous, decision);
  const bool changed = core_.take_effect(moment(), id, previous, decision);
  if (decision.slice >= HvTime{0}) pcpu.slice.arm_at(to_time(now() + decision.slice));
  if (!changed) return;
  if (previous == kIdle) pcpu.idle_total += now() - pcpu.idle_since;
  pcpu.idle_since = now();
  observer_.switched(id, previous, decision.unit);
  if (previous != kIdle) core_.switched_out(moment(), previous);
}

HvTime IdealMachine::idle_time(PcpuId id, HvTime end) const {
  const Pcpu& pcpu = pcpus_[index(id)];
  return pcpu.idle_total + (core_.state().current_of(id) == kIdle ? end - pcpu.idle_since : HvTime{0});
}

void IdealMachine::arm(TimerId timer, HvTime at) { timer_of(timer).arm_at(to_time(at)); }

Timer& IdealMachine::timer_of(TimerId timer) {
  while (timers_.size() <= index(timer)) timers_.emplace_back(*this, static_cast<TimerId>(timers_.size()));
  return timers_[index(timer)].timer;
}

}  // namespace vecusim::golden
