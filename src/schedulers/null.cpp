// The null scheduler: each unit gets a pCPU of its own, for good; those that find none wait (specification of the Xen
// schedulers, 3).
#include <algorithm>

#include "schedulers/catalogue.hpp"

namespace vecusim {
namespace {

class Null final : public Policy {
 public:
  struct Config final : ConfigOf<Config> {
    void fields(FieldVisitor&) override {}
  };

  Null(const Config&, const MachineDescription& machine) : owner_(machine.pcpus.size(), kIdle) {}

  void add_pcpu(const HookContext&, PcpuId pcpu, Verdict&) override {
    pool_.insert(pcpu);
    free_.insert(pcpu);
  }

  void insert(const HookContext& context, UnitId unit, const UnitSpec& spec, Verdict&) override {
    if (home_.size() <= index(unit)) home_.resize(index(unit) + 1, kNoPcpu);
    waiting_.reserve(home_.size());
    home_[index(unit)] = spec.pcpu;
    if (!context.machine[unit].online) return;  // it gets a pCPU when it comes up
    home_[index(unit)] = pick(context, unit);
    if (free_.contains(pcpu_of(unit))) {
      assign(unit, pcpu_of(unit));
    } else {
      waiting_.push_back(unit);
    }
  }

  void remove(const HookContext& context, UnitId unit, Verdict& verdict) override {
    if (!leave_queue(unit)) release(context, unit, verdict);
  }

  void wake(const HookContext& context, UnitId unit, Verdict& verdict) override {
    const PcpuId home = pcpu_of(unit);
    if (context.machine.current_of(home) == unit || waits(unit)) return;
    if (owner_[index(home)] == unit) {
      verdict.tickle(home);
      return;
    }
    const UnitState& state = context.machine[unit];
    const bool preferred = !has_soft_affinity(state, pool_) || state.soft.contains(home);
    if (free_.contains(home) && state.hard.contains(home) && preferred) {
      assign(unit, home);
      verdict.tickle(home);
    } else {
      waiting_.push_back(unit);
      for (const PcpuId pcpu : free_& state.hard) verdict.tickle(pcpu);
    }
  }

  void sleep(const HookContext& context, UnitId unit, Verdict& verdict) override {
    const PcpuId home = pcpu_of(unit);
    const bool offline = !context.machine[unit].online;
    const bool handed_on = offline && !leave_queue(unit) && release(context, unit, verdict);
    if (!handed_on && context.machine.current_of(home) == unit) verdict.tickle(home);
  }

  Decision schedule(const HookContext& context, UnitId, Verdict&) override {
    UnitId& owner = owner_[index(context.pcpu)];
    if (owner == kIdle) take_waiter(context, context.pcpu);
    const bool runs = owner != kIdle && context.machine[owner].runnable;
    return {runs ? owner : kIdle, kNoSlice, false};
  }

  PcpuId pick(const HookContext& context, UnitId unit) override {
    const UnitState& state = context.machine[unit];
    const PcpuId home = pcpu_of(unit);
    for (const PcpuMask step : BalanceSteps(state, pool_)) {
      const PcpuMask allowed = step & pool_;
      const bool home_free = free_.contains(home) || owner_[index(home)] == unit;
      if (home_free && allowed.contains(home)) return home;
      if (allowed.intersects(free_)) return (allowed & free_).first();
    }
    return (state.hard & pool_).first();
  }

  void migrate(const HookContext& context, UnitId unit, PcpuId to, Verdict& verdict) override {
    if (to == pcpu_of(unit)) return;
    if (owner_[index(pcpu_of(unit))] == unit) release(context, unit, verdict);
    home_[index(unit)] = to;
    if (!context.machine[unit].online) return;
    if (free_.contains(to) && context.machine[unit].hard.contains(to)) {
      leave_queue(unit);
      assign(unit, to);
    } else if (!waits(unit)) {
      waiting_.push_back(unit);
    }
  }

  PcpuId pcpu_of(UnitId unit) const override { return home_[index(unit)]; }

  Hold held(const HookContext& context, UnitId unit) const override { return queued_hold(context, unit, free_); }

  Figures figures(UnitId unit) const override {
    Figures figures;
    figures.add("assigned", owner_[index(pcpu_of(unit))] == unit ? 1 : 0);
    figures.add("waiting", waits(unit) ? 1 : 0);
    return figures;
  }

 private:
  bool waits(UnitId unit) const { return std::find(waiting_.begin(), waiting_.end(), unit) != waiting_.end(); }

  bool leave_queue(UnitId unit) { return std::erase(waiting_, unit) != 0; }

  void assign(UnitId unit, PcpuId pcpu) {
    owner_[index(pcpu)] = unit;
    home_[index(unit)] = pcpu;
    free_.erase(pcpu);
  }

  /// Takes the unit's pCPU from it, if it has one; whether a waiter got that pCPU, which then is tickled.
  bool release(const HookContext& context, UnitId unit, Verdict& verdict) {
    const PcpuId pcpu = pcpu_of(unit);
    if (owner_[index(pcpu)] != unit) return false;
    owner_[index(pcpu)] = kIdle;
    free_.insert(pcpu);
    if (!take_waiter(context, pcpu)) return false;
    verdict.tickle(pcpu);
    return true;
  }

  /// Gives a free pCPU to the first waiter that prefers it, else to the first that may run there.
  bool take_waiter(const HookContext& context, PcpuId pcpu) {
    for (const bool soft : {true, false}) {
      for (const UnitId unit : waiting_) {
        const UnitState& state = context.machine[unit];
        if (soft && !has_soft_affinity(state, pool_)) continue;
        if (!state.hard.contains(pcpu) || (soft && !state.soft.contains(pcpu))) continue;
        leave_queue(unit);
        assign(unit, pcpu);
        return true;
      }
    }
    return false;
  }

  PcpuMask pool_;
  /// The pCPUs that nobody owns.
  PcpuMask free_;
  /// Per pCPU; kIdle: nobody.
  std::vector<UnitId> owner_;
  /// Per unit, its assigned pCPU, owned or not.
  std::vector<PcpuId> home_;
  /// In order of arrival.
  std::vector<UnitId> waiting_;
};

}  // namespace

PolicyEntry policy_null() {
  return entry_of<Null>({"null", "one vCPU per pCPU, without queues, slices or preemption"}, "");
}

}  // namespace vecusim
