// RTDS: global earliest deadline first over deferrable servers (specification of the Xen schedulers, section 2).
#include <algorithm>
#include <utility>

#include "schedulers/catalogue.hpp"

namespace vecusim {
namespace {

constexpr HvTime kMinBudget = 10us;
constexpr HvTime kMaxPeriod{(std::int64_t{1} << 62) - 1};
constexpr TimerId kReplenishment{0};

class Rtds final : public Policy {
 public:
  struct Config final : ConfigOf<Config> {
    void fields(FieldVisitor&) override {}
  };

  Rtds(const Config&, const MachineDescription& machine) : behaviour_(machine.behaviour) {}

  // ---- Set-up ----

  void add_pcpu(const HookContext&, PcpuId pcpu, Verdict&) override {
    if (pool_.empty()) timers_.push_back({"replenishment", pcpu});
    pool_.insert(pcpu);
  }

  void insert(const HookContext& context, UnitId id, const UnitSpec& spec, Verdict& verdict) override {
    if (units_.size() <= index(id)) units_.resize(index(id) + 1);
    for (std::vector<UnitId>* queue : {&run_queue_, &depleted_, &replenishments_, &replenished_})
      queue->reserve(units_.size());
    Unit& unit = unit_of(id);
    unit = Unit{};
    unit.exists = true;
    unit.domain = spec.domain;
    unit.pcpu = spec.pcpu;
    unit.pcpu = pick(context, id);
    if (context.now >= unit.deadline) unit.refresh(context.now);
    if (!context.machine[id].runnable) return;
    await_replenishment(id, verdict);
    if (!context.machine[id].running) enqueue(id);
  }

  void remove(const HookContext&, UnitId id, Verdict& verdict) override {
    dequeue(id);
    forget_replenishment(id, verdict);
    unit_of(id).exists = false;
  }

  // ---- What happens to units ----

  void wake(const HookContext& context, UnitId id, Verdict& verdict) override {
    Unit& unit = unit_of(id);
    if (context.machine.current_of(unit.pcpu) == id || queued(id)) return;
    const bool missed = context.now >= unit.deadline;
    if (missed) unit.refresh(context.now);
    if (unit.scheduled) {
      unit.delayed_add = true;
      if (missed) move_replenishment(id, verdict);
      return;
    }
    std::erase(replenishments_, id);  // only a pause at the instant of a pass can have left it there
    await_replenishment(id, verdict);
    enqueue(id);
    tickle_for(context, id, verdict);
  }

  void sleep(const HookContext& context, UnitId id, Verdict& verdict) override {
    Unit& unit = unit_of(id);
    if (context.machine.current_of(unit.pcpu) == id) {
      verdict.tickle(unit.pcpu);
    } else if (dequeue(id)) {
      forget_replenishment(id, verdict);
    } else {
      unit.delayed_add = false;
    }
  }

  // ---- The pass ----

  Decision schedule(const HookContext& context, UnitId previous, Verdict& verdict) override {
    tickled_.erase(context.pcpu);
    if (previous != kIdle) unit_of(previous).burn(context.now);
    const UnitId candidate = best_for(context, verdict);
    const bool keeps = previous != kIdle && context.machine[previous].runnable &&
                       unit_of(previous).current_budget > HvTime{0} &&
                       (candidate == kIdle || compare(previous, candidate) > 0);
    const UnitId next = keeps ? previous : candidate;
    if (next != previous && previous != kIdle && context.machine[previous].runnable)
      unit_of(previous).delayed_add = true;
    if (next == kIdle) return {};

    Unit& unit = unit_of(next);
    unit.last_start = context.now;
    if (next != previous) {
      std::erase(run_queue_, next);
      unit.scheduled = true;
    }
    const bool migrated = unit.pcpu != context.pcpu;
    unit.pcpu = context.pcpu;
    return {next, unit.current_budget, migrated};
  }

  void context_saved(const HookContext& context, UnitId id, Verdict& verdict) override {
    Unit& unit = unit_of(id);
    unit.scheduled = false;
    if (std::exchange(unit.delayed_add, false) && context.machine[id].runnable) {
      enqueue(id);
      tickle_for(context, id, verdict);
    } else {
      forget_replenishment(id, verdict);
    }
  }

  // ---- Placement ----

  PcpuId pick(const HookContext& context, UnitId id) override {
    return (pool_ & context.machine[id].hard).test_or_cycle(unit_of(id).pcpu);
  }

  void migrate(const HookContext&, UnitId id, PcpuId to, Verdict&) override { unit_of(id).pcpu = to; }

  // ---- The replenishment timer ----

  void timer(const HookContext& context, TimerId, Verdict& verdict) override {
    replenished_.clear();
    while (!replenishments_.empty() && unit_of(replenishments_.front()).deadline <= context.now) {
      const UnitId id = replenishments_.front();
      replenishments_.erase(replenishments_.begin());
      unit_of(id).refresh(context.now);
      replenished_.push_back(id);
      if (dequeue(id)) enqueue(id);
    }
    for (auto id = replenished_.rbegin(); id != replenished_.rend(); ++id) {
      tickle_after_replenishment(context, *id, verdict);
      insert_sorted(replenishments_, *id);
    }
    if (!replenishments_.empty()) program_timer(verdict);
  }

  // ---- Parameters ----

  bool adjust_domain(const HookContext&, DomainId domain, const DomainParameters& parameters, Verdict&) override {
    if (!parameters.server) return false;
    const ServerParameters& server = *parameters.server;
    const bool accepted = behaviour_.rtds_checks_domain_parameters
                              ? acceptable(server)
                              : server.period != HvTime{0} && server.budget != HvTime{0};
    if (!accepted) return false;
    for (Unit& unit : units_) {
      if (!unit.exists || unit.domain != domain) continue;
      unit.period = server.period;
      unit.budget = server.budget;
    }
    return true;
  }

  bool adjust_unit(const HookContext&, UnitId id, const ServerParameters& parameters, Verdict&) override {
    if (!acceptable(parameters)) return false;
    Unit& unit = unit_of(id);
    unit.period = parameters.period;
    unit.budget = parameters.budget;
    const bool was_set = std::exchange(unit.extratime, parameters.extratime.value_or(unit.extratime));
    if (behaviour_.rtds_extratime_revives && unit.extratime && !was_set && unit.current_budget == HvTime{0}) {
      ++unit.level;
      unit.current_budget = unit.budget;
      if (dequeue(id)) enqueue(id);
    }
    return true;
  }

  // ---- Questions ----

  PcpuId pcpu_of(UnitId id) const override { return units_[index(id)].pcpu; }
  std::span<const TimerInfo> timers() const override { return timers_; }

  Hold held(const HookContext& context, UnitId id) const override {
    if (contains(depleted_, id)) {
      const HvTime due = units_[index(id)].deadline;  // it may come late
      return {HoldReason::budget, due > context.now ? due : HvTime::max()};
    }
    return queued_hold(context, id, pool_);
  }

  Figures figures(UnitId id) const override {
    const Unit& unit = units_[index(id)];
    Figures figures;
    figures.add("budget", unit.current_budget);
    figures.add("deadline", unit.deadline);
    figures.add("level", static_cast<std::int64_t>(unit.level));
    figures.add("depleted", unit.depleted ? 1 : 0);
    figures.add("last_start", unit.last_start);
    return figures;
  }

 private:
  struct Unit {
    bool exists = false;
    DomainId domain{};
    PcpuId pcpu{};
    HvTime period = ServerParameters{}.period;
    HvTime budget = ServerParameters{}.budget;
    bool extratime = true;
    HvTime current_budget{};
    HvTime deadline{};
    HvTime last_start{};
    /// 0 is the best; one more for every budget of extra time.
    std::uint32_t level = 0;
    /// Its budget ran out since the last replenishment; a wake-up does not clear this.
    bool depleted = false;
    /// Chosen, and not switched out yet.
    bool scheduled = false;
    /// To be queued again when it has been switched out.
    bool delayed_add = false;

    /// A new budget, and the first deadline after now, in whole periods from the present one. Requires now >= deadline.
    void refresh(HvTime now) {
      deadline += ((now - deadline) / period + 1) * period;
      last_start = now;
      current_budget = budget;
      level = 0;
    }

    void burn(HvTime now) {
      const HvTime ran = now - std::exchange(last_start, now);
      if (ran < HvTime{0}) return;
      current_budget -= ran;
      if (current_budget > HvTime{0}) return;
      if (extratime) {
        ++level;
        current_budget = budget;
      } else {
        current_budget = HvTime{0};
        depleted = true;
      }
    }
  };

  static bool acceptable(const ServerParameters& parameters) {
    return parameters.budget >= kMinBudget && parameters.budget <= parameters.period &&
           parameters.period >= kMinBudget && parameters.period <= kMaxPeriod;
  }

  static bool contains(const std::vector<UnitId>& queue, UnitId id) {
    return std::find(queue.begin(), queue.end(), id) != queue.end();
  }

  Unit& unit_of(UnitId id) { return units_[index(id)]; }

  /// > 0: a is strictly more important than b.
  int compare(UnitId a, UnitId b) const {
    const Unit& one = units_[index(a)];
    const Unit& other = units_[index(b)];
    if (one.level != other.level) return static_cast<std::int32_t>(other.level - one.level) > 0 ? 1 : -1;
    return one.deadline < other.deadline ? 1 : one.deadline > other.deadline ? -1 : 0;
  }

  /// Behind its equals.
  void insert_sorted(std::vector<UnitId>& queue, UnitId id) {
    const auto before = std::find_if(queue.begin(), queue.end(), [&](UnitId other) { return compare(id, other) > 0; });
    queue.insert(before, id);
  }

  // ---- Run queue and depleted queue ----

  bool queued(UnitId id) const { return contains(run_queue_, id) || contains(depleted_, id); }

  void enqueue(UnitId id) {
    if (unit_of(id).current_budget > HvTime{0} || unit_of(id).extratime) {
      insert_sorted(run_queue_, id);
    } else {
      depleted_.insert(depleted_.begin(), id);
    }
  }

  bool dequeue(UnitId id) { return std::erase(run_queue_, id) + std::erase(depleted_, id) != 0; }

  /// The first that may run here, or idle. One that turns out not to be runnable leaves the queue.
  UnitId best_for(const HookContext& context, Verdict& verdict) {
    for (;;) {
      const auto found = std::find_if(run_queue_.begin(), run_queue_.end(),
                                      [&](UnitId id) { return context.machine[id].hard.contains(context.pcpu); });
      if (found == run_queue_.end()) return kIdle;
      const UnitId id = *found;
      if (context.machine[id].runnable) return id;
      run_queue_.erase(found);
      if (behaviour_.rtds_unrunnable_leaves_replenishment) forget_replenishment(id, verdict);
      if (!behaviour_.rtds_searches_on) return kIdle;
    }
  }

  // ---- Replenishment queue: in the order of the run queue, levels included, and not sorted again when a level changes
  // ----

  void program_timer(Verdict& verdict) { verdict.arm(kReplenishment, unit_of(replenishments_.front()).deadline); }

  void await_replenishment(UnitId id, Verdict& verdict) {
    insert_sorted(replenishments_, id);
    if (replenishments_.front() == id) program_timer(verdict);
  }

  void forget_replenishment(UnitId id, Verdict& verdict) {
    const bool was_first = !replenishments_.empty() && replenishments_.front() == id;
    std::erase(replenishments_, id);
    if (!was_first) return;
    if (replenishments_.empty()) {
      verdict.cancel(kReplenishment);
    } else {
      program_timer(verdict);
    }
  }

  void move_replenishment(UnitId id, Verdict& verdict) {
    const bool was_first = !replenishments_.empty() && replenishments_.front() == id;
    std::erase(replenishments_, id);
    insert_sorted(replenishments_, id);
    if (was_first || replenishments_.front() == id) program_timer(verdict);
  }

  // ---- Tickling ----

  /// For a unit that was just queued: an idle pCPU, near its own first, else the one that runs the least important
  /// unit.
  void tickle_for(const HookContext& context, UnitId id, Verdict& verdict) {
    PcpuMask candidates = (pool_ & context.machine[id].hard) - tickled_;
    UnitId least = kIdle;
    for (PcpuId pcpu = candidates.test_or_cycle(unit_of(id).pcpu); pcpu != kNoPcpu; pcpu = candidates.cycle(pcpu)) {
      const UnitId running = context.machine.current_of(pcpu);
      if (running == kIdle) return tickle(pcpu, verdict);
      if (least == kIdle || compare(running, least) < 0) least = running;
      candidates.erase(pcpu);
    }
    if (least != kIdle && compare(least, id) < 0) tickle(unit_of(least).pcpu, verdict);
  }

  void tickle(PcpuId pcpu, Verdict& verdict) {
    tickled_.insert(pcpu);
    verdict.tickle(pcpu);
  }

  void tickle_after_replenishment(const HookContext& context, UnitId id, Verdict& verdict) {
    Unit& unit = unit_of(id);
    if (context.machine.current_of(unit.pcpu) == id && !run_queue_.empty()) {
      const UnitId first = run_queue_.front();
      if (compare(id, first) < 0) tickle_for(context, first, verdict);
    } else if (std::exchange(unit.depleted, false) && contains(run_queue_, id)) {
      tickle_for(context, id, verdict);
    }
  }

  const XenBehaviour behaviour_;
  PcpuMask pool_;
  /// Asked to pass, and have not yet.
  PcpuMask tickled_;
  std::vector<TimerInfo> timers_;
  std::vector<Unit> units_;
  /// Units with budget that do not run, the most important first.
  std::vector<UnitId> run_queue_;
  /// Units without budget, the latest first.
  std::vector<UnitId> depleted_;
  std::vector<UnitId> replenishments_;
  /// The timer's: units in the order of their replenishment.
  std::vector<UnitId> replenished_;
};

}  // namespace

PolicyEntry policy_rtds() {
  return entry_of<Rtds>({"rtds", "global earliest deadline first over deferrable servers with budget and period"},
                        "From 4.17 a unit found not runnable in a pass also leaves the replenishment queue, from 4.18 "
                        "the pass searches on; from 4.22 "
                        "parameters of a whole domain are checked; from 4.22 (4.21.2, 4.20.4) extratime set on a "
                        "depleted unit refills it at once.");
}

}  // namespace vecusim
