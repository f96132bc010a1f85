// Credit: every 30 ms all pCPUs' time is distributed by weight and cap, and who has credit goes before who has not;
// who wakes up goes first (specification of the Xen schedulers, section 5).
#include <algorithm>
#include <utility>

#include "schedulers/catalogue.hpp"
#include "schedulers/credit_accounting.hpp"
#include "schedulers/credit_placement.hpp"
#include "schedulers/credit_queues.hpp"
#include "schedulers/credit_state.hpp"

namespace vecusim {
namespace credit {
namespace {

constexpr HvTime kMinTslice = 1ms;
constexpr HvTime kMaxTslice = 1000ms;
constexpr HvTime kDefaultTslice = 30ms;
constexpr HvTime kDefaultRatelimit = 1ms;
/// A unit that is kept before it has run for this long gets a slice of this instead of the rest of the rate limit;
/// microseconds may have been meant (specification, 5.6).
constexpr HvTime kMinRun = 100ns;
constexpr TimerId kAccountingTimer{0};

class Credit final : public Policy {
 public:
  struct Config final : ConfigOf<Config> {
    Duration tslice = kDefaultTslice;
    Duration ratelimit = kDefaultRatelimit;

    void fields(FieldVisitor& visit) override {
      visit.duration({"tslice_ms", "how long a vCPU runs if nothing stops it, and the period of the accounting"},
                     tslice, whole(kMinTslice, kMaxTslice));
      visit.duration({"ratelimit_us",
                      "how long a vCPU runs before one that wakes up may preempt it; 0: not at all; at most a slice"},
                     ratelimit, off_or(kMinRatelimit, kMaxRatelimit));
    }
  };

  Credit(const Config& config, const MachineDescription& machine)
      : behaviour_(machine.behaviour),
        slice_(std::chrono::duration_cast<HvTime>(config.tslice)),
        ratelimit_(std::min(std::chrono::duration_cast<HvTime>(config.ratelimit), slice_.length)),
        queues_(state_, machine),
        accounting_(state_, queues_),
        placement_(state_, machine) {
    state_.pcpus.resize(machine.pcpus.size());
    tickers_.resize(machine.pcpus.size());
    cut_short_.resize(machine.pcpus.size());
  }

  // ---- Set-up ----

  void add_pcpu(const HookContext& context, PcpuId pcpu, Verdict& verdict) override {
    if (state_.pool.empty()) {
      timers_.push_back({"accounting", pcpu});
      verdict.arm(kAccountingTimer, context.now + slice_.length);
    }
    tickers_[index(pcpu)] = static_cast<TimerId>(timers_.size());
    timers_.push_back({"tick", pcpu});
    verdict.arm(tickers_[index(pcpu)], context.now + slice_.tick);
    state_.pool.insert(pcpu);
    state_.idlers.insert(pcpu);
  }

  void new_domain(const HookContext&, DomainId domain, Verdict&) override {
    if (state_.domains.size() <= index(domain)) state_.domains.resize(index(domain) + 1);
    state_.domains[index(domain)] = Domain{};
    accounting_.reserve();
  }

  void insert(const HookContext& context, UnitId unit, const UnitSpec& spec, Verdict&) override {
    if (state_.units.size() <= index(unit)) state_.units.resize(index(unit) + 1);
    for (Pcpu& pcpu : state_.pcpus) pcpu.queue.reserve(state_.units.size());
    state_.domains[index(spec.domain)].active.reserve(state_.units.size());
    state_[unit] = Unit{.domain = spec.domain, .pcpu = spec.pcpu};
    state_[unit].pcpu = pick(context, unit);
    if (context.machine[unit].runnable && !context.machine[unit].running) queues_.enqueue(unit);
  }

  void remove(const HookContext&, UnitId unit, Verdict& verdict) override {
    queues_.dequeue(unit);
    if (state_[unit].active) accounting_.deactivate(unit);
    if (std::exchange(state_[unit].parked, false)) verdict.unpause(unit);
  }

  // ---- What happens to units ----

  void wake(const HookContext& context, UnitId unit, Verdict& verdict) override {
    queues_.wake(context, unit, verdict);
  }

  void sleep(const HookContext& context, UnitId unit, Verdict& verdict) override {
    queues_.sleep(context, unit, verdict);
  }

  void yield(const HookContext&, UnitId unit, Verdict&) override { state_[unit].yielding = true; }

  // ---- The pass ----

  Decision schedule(const HookContext& context, UnitId previous, Verdict& verdict) override {
    cut_short_[index(context.pcpu)] = false;
    if (previous != kIdle) {
      state_[previous].burn(context.now);
      state_[previous].start -= context.now;
      if (ratelimit_protects(context, previous)) return keep(context, previous);
      put_back(context, previous);
    }
    const auto [next, stolen] = queues_.take(context);
    if (next == kIdle) {
      state_.idlers.insert(context.pcpu);
      if (previous != kIdle) verdict.cancel(tickers_[index(context.pcpu)]);
      return {};
    }
    state_.idlers.erase(context.pcpu);
    state_[next].start += context.now;
    state_[next].yielding = false;
    if (previous == kIdle) verdict.arm(tickers_[index(context.pcpu)], (context.now / slice_.tick + 1) * slice_.tick);
    return {next, slice_.length, stolen};
  }

  // ---- Placement ----

  PcpuId pick(const HookContext& context, UnitId unit) override {
    state_[unit].placed = true;
    return placement_.choose(context, unit);
  }

  void migrate(const HookContext&, UnitId unit, PcpuId to, Verdict&) override { state_[unit].pcpu = to; }

  // ---- Timers ----

  void timer(const HookContext& context, TimerId timer, Verdict& verdict) override {
    if (timer == kAccountingTimer) {
      accounting_.distribute(context, slice_, verdict);
      verdict.arm(timer, context.now + slice_.length);
    } else {
      const UnitId current = context.machine.current_of(context.pcpu);
      if (current != kIdle) tick(context, current, verdict);
      queues_.sort(context.pcpu);
      verdict.arm(timer, context.now + slice_.tick);
    }
  }

  // ---- Parameters ----

  bool adjust_domain(const HookContext&, DomainId id, const DomainParameters& parameters, Verdict&) override {
    constexpr std::int32_t kMaxCap = 65534;  // a 16-bit number, of which the largest means "as it is"
    const std::int32_t weight = parameters.weight.value_or(state_.domains[index(id)].weight);
    const std::int32_t cap = parameters.cap_pct.value_or(state_.domains[index(id)].cap_pct);
    if (weight < 1 || weight > kMaxWeight || cap < 0 || cap > kMaxCap) return false;
    state_.domains[index(id)].weight = weight;
    state_.domains[index(id)].cap_pct = cap;
    return true;
  }

  bool adjust_ratelimit(const HookContext&, HvTime ratelimit) override {
    const bool off = ratelimit == HvTime{0};
    if (!off && (ratelimit < kMinRatelimit || ratelimit > kMaxRatelimit || ratelimit > slice_.length)) return false;
    ratelimit_ = ratelimit;
    return true;
  }

  bool adjust_tslice(const HookContext&, HvTime tslice) override {
    if (tslice < kMinTslice || tslice > kMaxTslice || tslice % 1ms != HvTime{0} || tslice < ratelimit_) return false;
    slice_ = Slice(tslice);
    return true;
  }

  // ---- Questions ----

  PcpuId pcpu_of(UnitId unit) const override { return state_[unit].pcpu; }
  std::span<const TimerInfo> timers() const override { return timers_; }

  Hold held(const HookContext& context, UnitId unit) const override {
    if (state_[unit].parked) return {HoldReason::cap, HvTime::max()};
    if (const std::optional<HvTime> end = held_by_ratelimit(context, unit)) return {HoldReason::ratelimit, *end};
    return queued_hold(context, unit, state_.pool);
  }

  Figures figures(UnitId id) const override {
    const Unit& unit = state_[id];
    Figures figures;
    figures.add("credit", unit.credit);
    figures.add("priority", static_cast<std::int64_t>(unit.rank));
    figures.add("residual", unit.residual);
    figures.add("active", unit.active ? 1 : 0);
    figures.add("parked", unit.parked ? 1 : 0);
    figures.add("placed", unit.placed ? 1 : 0);
    return figures;
  }

 private:
  /// No tolerance, unlike in Credit2.
  bool ratelimit_protects(const HookContext& context, UnitId unit) const {
    return ratelimit_ != HvTime{0} && !state_[unit].yielding && runnable(context, state_, unit) &&
           context.now - context.machine[unit].entry_time < ratelimit_;
  }

  Decision keep(const HookContext& context, UnitId unit) {
    state_[unit].start += context.now;
    cut_short_[index(context.pcpu)] = true;
    const HvTime ran = context.now - context.machine[unit].entry_time;
    return {unit, ran < kMinRun ? kMinRun : ratelimit_ - ran, false};
  }

  void put_back(const HookContext& context, UnitId unit) {
    const bool waits = runnable(context, state_, unit);
    if (waits) queues_.enqueue(unit);
    if (!waits || !behaviour_.credit_keeps_yield) state_[unit].yielding = false;
  }

  /// The unit that runs is charged, and becomes active; or, if it was, and should be elsewhere, it is migrated.
  void tick(const HookContext& context, UnitId current, Verdict& verdict) {
    Unit& unit = state_[current];
    if (unit.rank == Rank::boost) unit.rank = Rank::under;
    unit.burn(context.now);
    if (!unit.active) {
      accounting_.activate(current);
    } else if (placement_.try_out(context, current) != context.pcpu) {
      verdict.migrate(current);
      verdict.tickle(context.pcpu);
    }
  }

  /// The end of the protection, if that is what keeps the unit from running: it comes first, and a pass has been asked
  /// for or will be made when the protection ends.
  std::optional<HvTime> held_by_ratelimit(const HookContext& context, UnitId unit) const {
    const PcpuId home = pcpu_of(unit);
    const UnitId current = context.machine.current_of(home);
    if (current == kIdle || current == unit || !ratelimit_protects(context, current)) return std::nullopt;
    const std::vector<UnitId>& queue = state_.pcpus[index(home)].queue;
    if (queue.empty() || queue.front() != unit) return std::nullopt;
    const bool would_run = state_.rank(unit) > state_.rank(current) ||
                           (cut_short_[index(home)] && state_.rank(unit) == state_.rank(current));
    if (!would_run) return std::nullopt;
    return context.machine[current].entry_time + ratelimit_;
  }

  const XenBehaviour behaviour_;
  Slice slice_;
  HvTime ratelimit_;
  State state_;
  Queues queues_;
  Accounting accounting_;
  Placement placement_;
  std::vector<TimerInfo> timers_;
  /// Per pCPU.
  std::vector<TimerId> tickers_;
  /// Per pCPU: the rate limit decided its last pass, so that another is made when that ends.
  std::vector<bool> cut_short_;
};

}  // namespace
}  // namespace credit

PolicyEntry policy_credit() {
  return entry_of<credit::Credit>({"credit", "credit by weight and cap every 30 ms, and a boost for those who wake up"},
                                  "From 4.18 a pCPU balances at most once per millisecond, and a unit that yielded is "
                                  "not stolen.");
}

}  // namespace vecusim
