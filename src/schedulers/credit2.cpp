// Credit2, Xen's default scheduler: its boot parameters, and the hooks in terms of its parts (specification of the Xen
// schedulers, section 1).
#include <array>

#include "schedulers/catalogue.hpp"
#include "schedulers/credit2_caps.hpp"
#include "schedulers/credit2_pass.hpp"
#include "schedulers/credit2_placement.hpp"
#include "schedulers/credit2_tickle.hpp"

namespace vecusim {
namespace {

using credit2::Arrangement;
using credit2::Call;
using credit2::Domain;
using credit2::kNoRunqueue;
using credit2::LoadScale;
using credit2::Runqueue;
using credit2::RunqueueId;
using credit2::State;
using credit2::Unit;

constexpr std::array kArrangements = {
    Option{"cpu", "each pCPU has its own"},
    Option{"core", "those of a core share one"},
    Option{"socket", "those of a socket share one"},
    Option{"node", "those of a NUMA node share one"},
    Option{"all", "all share one"},
};

class Credit2 final : public Policy {
 public:
  struct Config final : ConfigOf<Config> {
    Duration ratelimit = 1ms;
    Arrangement runqueue = Arrangement::socket;
    Duration migrate_resist = 500us;
    std::int64_t load_window_shift = 30;
    std::int64_t load_precision_shift = 18;
    std::int64_t balance_under = 0;
    std::int64_t balance_over = -3;
    Duration cap_period = 10ms;
    std::int64_t max_cpus_runqueue = 16;

    void fields(FieldVisitor& visit) override;
    credit2::Parameters parameters() const;
  };

  Credit2(const Config& config, const MachineDescription& machine)
      : arrangement_(config.runqueue),
        max_pcpus_(static_cast<std::size_t>(config.max_cpus_runqueue)),
        state_(config.parameters(), machine) {}

  // ---- Set-up ----

  void add_pcpu(const HookContext&, PcpuId pcpu, Verdict&) override {
    RunqueueId id = find_runqueue(state_.runqueues, state_.machine, arrangement_, max_pcpus_, pcpu);
    if (id == kNoRunqueue) {
      id = state_.runqueues.size();
      state_.runqueues.emplace_back();
    }
    state_.runqueues[id].add_pcpu(pcpu);
    state_.runqueue_of[index(pcpu)] = id;
    state_.pool.insert(pcpu);
  }

  void new_domain(const HookContext&, DomainId id, Verdict&) override {
    if (state_.domains.size() <= index(id)) state_.domains.resize(index(id) + 1);
    state_.domain(id) = Domain{};
    state_.domain(id).replenishment = static_cast<TimerId>(timers_.size());
    timers_.push_back({"replenishment", state_.pool.first()});
    domain_of_timer_.push_back(id);
  }

  void insert(const HookContext& context, UnitId id, const UnitSpec& spec, Verdict&) override {
    reserve(index(id) + 1, spec.domain);
    const LoadScale& scale = state_.parameters.load;
    Unit& unit = state_.unit(id);
    unit = Unit{};
    unit.domain = spec.domain;
    unit.weight = state_.domain(spec.domain).weight;
    unit.load_average = scale.fixed_power(-1);
    unit.load_time = LoadScale::time(context.now);
    unit.pcpu = spec.pcpu;
    unit.pcpu = pick_pcpu(state_, context, id, spec.home_queue_locked ? runqueue_at(spec.pcpu) : kNoRunqueue);
    state_.assign(id, runqueue_at(unit.pcpu));
    state_.domain(spec.domain).units.push_back(id);
  }

  void remove(const HookContext&, UnitId id, Verdict&) override {
    Domain& domain = state_.domain(state_.unit(id).domain);
    state_.deassign(id);
    std::erase(domain.units, id);
    std::erase(domain.parked, id);
  }

  // ---- What happens to units ----

  void wake(const HookContext& context, UnitId id, Verdict& verdict) override {
    Unit& unit = state_.unit(id);
    if (state_.is_current(context, id) || unit.queued) return;
    if (unit.scheduled) {
      unit.delayed_add = true;
    } else {
      Call(state_, context, verdict).admit(id);
    }
  }

  void sleep(const HookContext& context, UnitId id, Verdict& verdict) override {
    const Call call(state_, context, verdict);
    Unit& unit = state_.unit(id);
    if (call.is_current(id)) {
      call.tickle(unit.pcpu);
    } else if (unit.queued) {
      call.dequeue(id);
    } else {
      unit.delayed_add = false;
    }
  }

  void yield(const HookContext&, UnitId id, Verdict&) override { state_.unit(id).yielded = true; }

  // ---- The pass ----

  Decision schedule(const HookContext& context, UnitId previous, Verdict& verdict) override {
    return make_pass(Call(state_, context, verdict), previous);
  }

  void context_saved(const HookContext& context, UnitId id, Verdict& verdict) override {
    finish_switch(Call(state_, context, verdict), id);
  }

  // ---- Placement ----

  PcpuId pick(const HookContext& context, UnitId id) override { return pick_pcpu(state_, context, id); }

  void migrate(const HookContext& context, UnitId id, PcpuId to, Verdict& verdict) override {
    if (runqueue_at(to) == state_.unit(id).runqueue) {
      state_.unit(id).pcpu = to;
    } else {
      move_unit(Call(state_, context, verdict), id, runqueue_at(to));
    }
  }

  void timer(const HookContext& context, TimerId id, Verdict& verdict) override {
    replenish(Call(state_, context, verdict), state_.domain(domain_of_timer_[index(id)]));
  }

  // ---- Parameters ----

  bool adjust_domain(const HookContext& context, DomainId id, const DomainParameters& parameters,
                     Verdict& verdict) override {
    Domain& domain = state_.domain(id);
    const std::int32_t weight = parameters.weight.value_or(0);
    const std::int64_t cap = parameters.cap_pct.value_or(0);
    if (weight < 0 || weight > kMaxWeight) return false;
    if (cap < 0 || cap > 100 * static_cast<std::int64_t>(domain.units.size())) return false;
    if (weight != 0) set_weight(domain, weight);
    if (parameters.cap_pct) set_cap(Call(state_, context, verdict), domain, *parameters.cap_pct);
    return true;
  }

  bool adjust_ratelimit(const HookContext&, HvTime ratelimit) override {
    if (ratelimit != HvTime{0} && (ratelimit < kMinRatelimit || ratelimit > kMaxRatelimit)) return false;
    state_.parameters.ratelimit = ratelimit;
    return true;
  }

  // ---- Questions ----

  PcpuId pcpu_of(UnitId id) const override { return state_.unit(id).pcpu; }
  std::span<const TimerInfo> timers() const override { return timers_; }
  std::size_t runqueues() const override { return state_.runqueues.size(); }

  Hold held(const HookContext& context, UnitId id) const override {
    const Unit& unit = state_.unit(id);
    if (unit.parked) return {HoldReason::cap, state_.domain(unit.domain).next_replenishment};
    if (held_by_ratelimit(context, unit)) {
      const UnitId running = context.machine.current_of(unit.pcpu);
      return {HoldReason::ratelimit, context.machine[running].entry_time + state_.parameters.ratelimit};
    }
    return queued_hold(context, id, state_.pool);
  }

  Figures figures(UnitId id) const override {
    const Unit& unit = state_.unit(id);
    Figures figures;
    figures.add("credit", unit.credit);
    if (unit.capped()) figures.add("budget", unit.budget);
    figures.add("runqueue", static_cast<std::int64_t>(unit.runqueue));
    figures.add("residual", unit.residual);
    figures.add("load_average", unit.load_average);
    figures.add("weight", unit.weight);
    return figures;
  }

  Figures runqueue_figures(std::size_t id) const override {
    const Runqueue& runqueue = state_.runqueues[id];
    Figures figures;
    figures.add("id", static_cast<std::int64_t>(id));
    figures.add("load", runqueue.load.count);
    figures.add("load_average", runqueue.load.average);
    figures.add("balanced_average", runqueue.load.balanced_average);
    figures.add("bias", static_cast<std::int64_t>(index(runqueue.bias)));
    figures.add("max_weight", runqueue.max_weight);
    figures.add("idle", static_cast<std::int64_t>(runqueue.idle.bits()));
    figures.add("pcpus", static_cast<std::int64_t>(runqueue.pcpus.bits()));
    figures.add("queued", static_cast<std::int64_t>(runqueue.queue().size()));
    return figures;
  }

 private:
  RunqueueId runqueue_at(PcpuId pcpu) const { return state_.runqueue_of[index(pcpu)]; }

  /// Room for so many units everywhere, so that nothing is allocated later.
  void reserve(std::size_t units, DomainId domain) {
    if (state_.units.size() < units) state_.units.resize(units);
    for (Runqueue& runqueue : state_.runqueues) runqueue.reserve(state_.units.size());
    state_.domain(domain).parked.reserve(state_.units.size());
  }

  void set_weight(Domain& domain, std::int64_t weight) {
    for (const UnitId id : domain.units) {
      Runqueue& runqueue = state_.runqueues[state_.unit(id).runqueue];
      state_.unit(id).weight = weight;
      if (weight > runqueue.max_weight) {
        runqueue.max_weight = weight;
      } else if (domain.weight == runqueue.max_weight) {
        runqueue.find_max_weight(state_.units);
      }
    }
    domain.weight = weight;
  }

  /// Whether it would replace the one that runs on its pCPU if the rate limit did not protect that.
  bool held_by_ratelimit(const HookContext& context, const Unit& unit) const {
    const UnitId running = context.machine.current_of(unit.pcpu);
    if (running == kIdle || !state_.runnable(context, running)) return false;
    if (context.now - context.machine[running].entry_time >= state_.parameters.ratelimit) return false;
    Unit rival = state_.unit(running);
    rival.burn(context.now, state_.runqueue(unit.pcpu).max_weight);
    return !rival.yielded && unit.credit > rival.credit;
  }

  const Arrangement arrangement_;
  const std::size_t max_pcpus_;
  State state_;
  std::vector<TimerInfo> timers_;
  std::vector<DomainId> domain_of_timer_;
};

void Credit2::Config::fields(FieldVisitor& visit) {
  visit.duration({"ratelimit_us", "a unit that was switched in is not preempted before this; 0 is off"}, ratelimit,
                 off_or(kMinRatelimit, kMaxRatelimit));
  visit.choice({"runqueue", "which pCPUs share a runqueue"}, runqueue, kArrangements);
  visit.duration({"migrate_resist_us", "the credit that a unit must be ahead to run on a pCPU that is not its own"},
                 migrate_resist, whole(0us, 1s));
  visit.integer({"load_window_shift", "loads are averaged over a window of 2^this nanoseconds"}, load_window_shift,
                {11, 40});
  visit.integer({"load_precision_shift", "load averages have this many fractional bits"}, load_precision_shift,
                {4, 30});
  visit.integer({"balance_under", "runqueues below full load are balanced if they differ by 2^this units of load"},
                balance_under, {-30, 10});
  visit.integer({"balance_over", "runqueues at full load are balanced if they differ by 2^this units of load"},
                balance_over, {-30, 10});
  visit.duration({"cap_period_ms", "a cap is a budget for each such period"}, cap_period, whole(1ms, 1h));
  visit.integer({"max_cpus_runqueue", "the most pCPUs that share a runqueue"}, max_cpus_runqueue,
                {1, static_cast<std::int64_t>(PcpuMask::kMaxPcpus)});
  visit.require(load_window_shift + load_precision_shift <= 60, "load_precision_shift",
                "at most 60 together with load_window_shift");
  visit.require(load_precision_shift + balance_under >= 0, "balance_under", "not below -load_precision_shift");
  visit.require(load_precision_shift + balance_over >= 0, "balance_over", "not below -load_precision_shift");
}

credit2::Parameters Credit2::Config::parameters() const {
  credit2::Parameters parameters;
  parameters.ratelimit = std::chrono::duration_cast<HvTime>(ratelimit);
  parameters.migrate_resist = std::chrono::duration_cast<HvTime>(migrate_resist).count();
  parameters.load = {static_cast<int>(load_window_shift) - LoadScale::kTimeShift,
                     static_cast<int>(load_precision_shift)};
  parameters.balance_under = static_cast<int>(balance_under);
  parameters.balance_over = static_cast<int>(balance_over);
  parameters.cap_period = std::chrono::duration_cast<HvTime>(cap_period);
  return parameters;
}

}  // namespace

PolicyEntry policy_credit2() {
  return entry_of<Credit2>(
      {"credit2", "proportional shares by credit, runqueues shared by pCPUs, a rate limit, caps"},
      "From 4.14.3 and 4.15.1 the scan of the queue skips units that cannot run or pay, and a pass that keeps a unit "
      "updates its load; from 4.18 arrangement all is not split by siblings; from 4.21 (4.20.2, 4.19.3) a slice also "
      "considers the unit that is being preempted.");
}

}  // namespace vecusim
