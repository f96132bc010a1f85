// The pass, the flags of units and the timers of the ideal machine.
#include "system/golden_machine.hpp"

#include <utility>

namespace vecusim::golden {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace

Time to_time(HvTime at) {
  constexpr HvTime kLimit = std::chrono::floor<HvTime>(kNever.time_since_epoch());
  return at >= kLimit ? kNever : Time{Duration{at}};
}

IdealMachine::PcpuState::PcpuState(IdealMachine& owner, PcpuId pcpu)
    : machine(owner), id(pcpu), slice(owner.queue_, Delegate<void()>::to<&PcpuState::slice_ends>(*this)) {}

void IdealMachine::PcpuState::slice_ends() { machine.request(id); }

IdealMachine::PolicyTimer::PolicyTimer(IdealMachine& owner, TimerId timer_id)
    : machine(owner), id(timer_id), timer(owner.queue_, Delegate<void()>::to<&PolicyTimer::fire>(*this)) {}

void IdealMachine::PolicyTimer::fire() {
  machine.executing_ = machine.policy_->timers()[index(id)].pcpu;
  machine.policy_->timer(machine.context(), id, machine.verdict_);
  machine.carry_out();
}

IdealMachine::IdealMachine(std::unique_ptr<Policy> policy, std::size_t pcpus, PassObserver& observer)
    : policy_(std::move(policy)), observer_(observer) {
  state_.current.assign(pcpus, kIdle);
  for (std::size_t p = 0; p < pcpus; ++p) pcpu_states_.emplace_back(*this, static_cast<PcpuId>(p));
  verdict_.reserve(pcpus, 0);
}

HvTime IdealMachine::now() const { return std::chrono::duration_cast<HvTime>(queue_.now() - kStart); }

// ---- Set-up ----

void IdealMachine::add_pcpus() {
  for (const PcpuState& pcpu : pcpu_states_) {
    policy_->add_pcpu(context(), pcpu.id, verdict_);
    carry_out();
    request(pcpu.id);
  }
}

DomainId IdealMachine::add_domain() {
  const auto domain = static_cast<DomainId>(domains_++);
  policy_->new_domain(context(), domain, verdict_);
  carry_out();
  return domain;
}

UnitId IdealMachine::add_unit(const UnitSpec& spec, PcpuMask hard) {
  const PcpuMask all = PcpuMask::first_n(pcpus());
  const auto unit = static_cast<UnitId>(units_.size());
  units_.emplace_back().since = now();
  state_.units.push_back({false, false, false, now(), hard & all, all});
  verdict_.reserve(pcpus(), units_.size());
  policy_->insert(context(), unit, spec, verdict_);
  carry_out();
  return unit;
}

// ---- What happens to units ----

void IdealMachine::come_up(UnitId unit) {
  flags(unit).down = false;
  flags(unit).blocked = false;
  wake(unit);
}

void IdealMachine::block(UnitId unit) {
  flags(unit).blocked = true;
  refresh(unit);
  request(policy_->pcpu_of(unit));
}

void IdealMachine::unblock(UnitId unit) {
  if (!std::exchange(flags(unit).blocked, false)) return;
  wake(unit);
}

void IdealMachine::yield(UnitId unit) {
  policy_->yield(context(), unit, verdict_);
  carry_out();
  request(policy_->pcpu_of(unit));
}

void IdealMachine::pause(UnitId unit) {
  ++flags(unit).pauses;
  sleep(unit);
}

void IdealMachine::unpause(UnitId unit) {
  if (flags(unit).pauses == 0 || --flags(unit).pauses != 0) return;
  wake(unit);
}

void IdealMachine::set_affinity(UnitId unit, std::optional<PcpuMask> hard, std::optional<PcpuMask> soft) {
  const PcpuMask all = PcpuMask::first_n(pcpus());
  UnitState& state = state_.units[index(unit)];
  if (hard) state.hard = *hard & all;
  if (soft) state.soft = *soft & all;
  policy_->adjust_affinity(context(), unit);
  flags(unit).migrating = true;
  sleep(unit);
  finish_migration(unit);
}

void IdealMachine::wake(UnitId unit) {
  refresh(unit);
  const Runstate runstate = flags(unit).runstate;
  if (!runnable(unit)) {
    if (!flags(unit).blocked && runstate == Runstate::blocked) enter(unit, Runstate::offline);
    return;
  }
  if (runstate == Runstate::blocked || runstate == Runstate::offline) enter(unit, Runstate::runnable);
  policy_->wake(context(), unit, verdict_);
  carry_out();
}

void IdealMachine::sleep(UnitId unit) {
  refresh(unit);
  if (flags(unit).runstate == Runstate::runnable) enter(unit, Runstate::offline);
  policy_->sleep(context(), unit, verdict_);
  carry_out();
}

void IdealMachine::finish_migration(UnitId unit) {
  if (state_[unit].running || !flags(unit).migrating) return;
  const PcpuId to = policy_->pick(context(), unit);
  flags(unit).migrating = false;
  refresh(unit);
  policy_->migrate(context(), unit, to, verdict_);
  carry_out();
  wake(unit);
}

// ---- Parameters ----

bool IdealMachine::adjust_domain(DomainId domain, const DomainParameters& parameters) {
  const bool accepted = policy_->adjust_domain(context(), domain, parameters, verdict_);
  carry_out();
  return accepted;
}

bool IdealMachine::adjust_unit(UnitId unit, const ServerParameters& parameters) {
  const bool accepted = policy_->adjust_unit(context(), unit, parameters, verdict_);
  carry_out();
  return accepted;
}

bool IdealMachine::adjust_ratelimit(HvTime ratelimit) { return policy_->adjust_ratelimit(context(), ratelimit); }

bool IdealMachine::set_table(const SlotTable& table) { return policy_->set_table(context(), table); }

// ---- Passes ----

void IdealMachine::settle() {
  while (!pending_.empty()) {
    const PcpuId pcpu = pending_.first();
    do {
      pending_.erase(pcpu);
      pass(pcpu);
    } while (pending_.contains(pcpu));
  }
}

void IdealMachine::pass(PcpuId pcpu) {
  executes_on(pcpu);
  Timer& slice = pcpu_states_[index(pcpu)].slice;
  slice.disarm();
  const UnitId previous = state_.current_of(pcpu);
  const Decision decision = policy_->schedule(context(), previous, verdict_);
  observer_.decided(pcpu, previous, decision);
  carry_out();
  if (decision.slice >= HvTime{0}) slice.arm_at(to_time(now() + decision.slice));
  if (decision.unit == previous) return;
  switch_in(pcpu, decision.unit);
  if (previous != kIdle) {
    enter(previous, flags(previous).blocked ? Runstate::blocked
                    : runnable(previous)    ? Runstate::runnable
                                            : Runstate::offline);
  }
  observer_.switched(pcpu, previous, decision.unit);
  if (previous != kIdle) switch_out(previous);
}

void IdealMachine::switch_in(PcpuId pcpu, UnitId unit) {
  PcpuState& place = pcpu_states_[index(pcpu)];
  if (state_.current_of(pcpu) == kIdle) place.idle_total += now() - place.idle_since;
  place.idle_since = now();
  state_.current[index(pcpu)] = unit;
  if (unit == kIdle) return;
  state_.units[index(unit)].running = true;
  state_.units[index(unit)].entry_time = now();
  ++flags(unit).totals.switched_in;
  enter(unit, Runstate::running);
}

void IdealMachine::switch_out(UnitId unit) {
  state_.units[index(unit)].running = false;
  state_.units[index(unit)].entry_time = now();
  policy_->context_saved(context(), unit, verdict_);
  carry_out();
  finish_migration(unit);
}

// ---- Flags and runstates ----

bool IdealMachine::runnable(UnitId unit) const {
  const Flags& own = units_[index(unit)];
  return state_[unit].runnable && !own.parked && !own.paused_by_policy;
}

/// Shows the policy what has become of the unit's flags.
void IdealMachine::refresh(UnitId unit) {
  const Flags& own = flags(unit);
  UnitState& shown = state_.units[index(unit)];
  shown.online = !own.down;
  shown.runnable = !own.down && !own.blocked && !own.migrating && own.pauses == 0;
}

void IdealMachine::enter(UnitId unit, Runstate state) {
  Flags& own = flags(unit);
  own.totals.in_state[static_cast<std::size_t>(own.runstate)] += now() - own.since;
  own.runstate = state;
  own.since = now();
}

Totals IdealMachine::totals(UnitId unit, HvTime end) const {
  const Flags& own = units_[index(unit)];
  Totals totals = own.totals;
  totals.in_state[static_cast<std::size_t>(own.runstate)] += end - own.since;
  return totals;
}

HvTime IdealMachine::idle_time(PcpuId pcpu, HvTime end) const {
  const PcpuState& place = pcpu_states_[index(pcpu)];
  return place.idle_total + (state_.current_of(pcpu) == kIdle ? end - place.idle_since : HvTime{0});
}

// ---- Requests ----

void IdealMachine::carry_out() {
  for (const Request& request : verdict_.requests()) carry_out(request);
  verdict_.clear();
}

void IdealMachine::carry_out(const Request& request) {
  std::visit(Overloaded{
                 [&](Tickle r) { this->request(r.pcpu); },
                 [&](Arm r) { timer_of(r.timer).arm_at(to_time(r.at)); },
                 [&](Cancel r) { timer_of(r.timer).disarm(); },
                 [&](Park r) { flags(r.unit).parked = true; },
                 [&](Unpark r) { flags(r.unit).parked = false; },
                 [&](Pause r) {
                   flags(r.unit).paused_by_policy = true;
                   if (flags(r.unit).runstate == Runstate::runnable) enter(r.unit, Runstate::offline);
                 },
                 [&](Unpause r) {
                   flags(r.unit).paused_by_policy = false;
                   const Runstate state = flags(r.unit).runstate;
                   const bool waits = state == Runstate::blocked || state == Runstate::offline;
                   if (waits && runnable(r.unit)) enter(r.unit, Runstate::runnable);
                 },
                 [&](Migrate r) {
                   flags(r.unit).migrating = true;
                   refresh(r.unit);
                 },
             },
             request);
}

Timer& IdealMachine::timer_of(TimerId id) {
  while (timers_.size() <= index(id)) timers_.emplace_back(*this, static_cast<TimerId>(timers_.size()));
  return timers_[index(id)].timer;
}

}  // namespace vecusim::golden
