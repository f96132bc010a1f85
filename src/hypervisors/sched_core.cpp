// Flags, runstates and the policy's hooks.
#include "hypervisors/sched_core.hpp"

#include <utility>

namespace vecusim {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

SchedCore::SchedCore(std::unique_ptr<Policy> policy, std::size_t pcpus, SchedHost& host)
    : policy_(std::move(policy)), host_(host) {
  state_.current.assign(pcpus, kIdle);
  verdict_.reserve(pcpus, 0);
}

// ---- Set-up ----

void SchedCore::add_pcpu(const Moment& at, PcpuId pcpu) {
  policy_->add_pcpu(context(at), pcpu, verdict_);
  carry_out(at.now);
  host_.request_pass(pcpu);
}

DomainId SchedCore::add_domain(const Moment& at) {
  const auto domain = static_cast<DomainId>(domains_);
  add_domain(at, domain);
  return domain;
}

void SchedCore::add_domain(const Moment& at, DomainId domain) {
  domains_ = index(domain) + 1;
  policy_->new_domain(context(at), domain, verdict_);
  carry_out(at.now);
}

UnitId SchedCore::add_unit(const Moment& at, const UnitSpec& spec, PcpuMask hard) {
  const PcpuMask all = PcpuMask::first_n(pcpus());
  const auto unit = static_cast<UnitId>(units_.size());
  units_.emplace_back().since = at.now;
  state_.units.push_back({false, false, false, at.now, hard & all, all});
  verdict_.reserve(pcpus(), units_.size());
  policy_->insert(context(at), unit, spec, verdict_);
  carry_out(at.now);
  return unit;
}

// ---- What happens to units ----

void SchedCore::come_up(const Moment& at, UnitId unit) {
  flags(unit).down = false;
  flags(unit).blocked = false;
  wake(at, unit);
}

void SchedCore::block(const Moment&, UnitId unit) {
  flags(unit).blocked = true;
  refresh(unit);
  host_.request_pass(policy_->pcpu_of(unit));
}

bool SchedCore::unblock(const Moment& at, UnitId unit) {
  if (!std::exchange(flags(unit).blocked, false)) return false;
  wake(at, unit);
  return true;
}

void SchedCore::yield(const Moment& at, UnitId unit) {
  policy_->yield(context(at), unit, verdict_);
  carry_out(at.now);
  host_.request_pass(policy_->pcpu_of(unit));
}

void SchedCore::pause(const Moment& at, UnitId unit) {
  ++flags(unit).pauses;
  sleep(at, unit);
}

void SchedCore::unpause(const Moment& at, UnitId unit) {
  if (flags(unit).pauses == 0 || --flags(unit).pauses != 0) return;
  wake(at, unit);
}

void SchedCore::set_affinity(const Moment& at, UnitId unit, std::optional<PcpuMask> hard,
                             std::optional<PcpuMask> soft) {
  const PcpuMask all = PcpuMask::first_n(pcpus());
  UnitState& state = state_.units[index(unit)];
  if (hard) state.hard = *hard & all;
  if (soft) state.soft = *soft & all;
  policy_->adjust_affinity(context(at), unit);
  flags(unit).migrating = true;
  sleep(at, unit);
  finish_migration(at, unit);
}

void SchedCore::wake(const Moment& at, UnitId unit) {
  refresh(unit);
  const Runstate state = flags(unit).runstate;
  if (!runnable(unit)) {
    if (!flags(unit).blocked && state == Runstate::blocked) enter(at.now, unit, Runstate::offline);
    return;
  }
  if (state == Runstate::blocked || state == Runstate::offline) enter(at.now, unit, Runstate::runnable);
  policy_->wake(context(at), unit, verdict_);
  carry_out(at.now);
}

void SchedCore::sleep(const Moment& at, UnitId unit) {
  refresh(unit);
  if (flags(unit).runstate == Runstate::runnable) enter(at.now, unit, Runstate::offline);
  policy_->sleep(context(at), unit, verdict_);
  carry_out(at.now);
}

void SchedCore::finish_migration(const Moment& at, UnitId unit) {
  if (state_[unit].running || !flags(unit).migrating) return;
  const PcpuId to = policy_->pick(context(at), unit);
  flags(unit).migrating = false;
  refresh(unit);
  policy_->migrate(context(at), unit, to, verdict_);
  carry_out(at.now);
  wake(at, unit);
}

// ---- Parameters ----

bool SchedCore::adjust_domain(const Moment& at, DomainId domain, const DomainParameters& parameters) {
  const bool accepted = policy_->adjust_domain(context(at), domain, parameters, verdict_);
  carry_out(at.now);
  return accepted;
}

bool SchedCore::adjust_unit(const Moment& at, UnitId unit, const ServerParameters& parameters) {
  const bool accepted = policy_->adjust_unit(context(at), unit, parameters, verdict_);
  carry_out(at.now);
  return accepted;
}

bool SchedCore::adjust_ratelimit(const Moment& at, HvTime ratelimit) {
  return policy_->adjust_ratelimit(context(at), ratelimit);
}

bool SchedCore::set_table(const Moment& at, const SlotTable& table) { return policy_->set_table(context(at), table); }

// ---- The pass ----

Decision SchedCore::decide(const Moment& at, PcpuId pcpu) {
  return policy_->schedule(context(at), state_.current_of(pcpu), verdict_);
}

bool SchedCore::take_effect(const Moment& at, PcpuId pcpu, UnitId previous, const Decision& decision) {
  carry_out(at.now);
  if (decision.unit == previous) return false;
  state_.current[index(pcpu)] = decision.unit;
  if (decision.unit != kIdle) {
    state_.units[index(decision.unit)].running = true;
    state_.units[index(decision.unit)].entry_time = at.now;
    ++flags(decision.unit).totals.switched_in;
    enter(at.now, decision.unit, Runstate::running);
  }
  if (previous != kIdle) {
    enter(at.now, previous,
          flags(previous).blocked ? Runstate::blocked
          : runnable(previous)    ? Runstate::runnable
                                  : Runstate::offline);
  }
  return true;
}

void SchedCore::switched_out(const Moment& at, UnitId previous) {
  state_.units[index(previous)].running = false;
  state_.units[index(previous)].entry_time = at.now;
  policy_->context_saved(context(at), previous, verdict_);
  carry_out(at.now);
  finish_migration(at, previous);
}

void SchedCore::timer(const Moment& at, TimerId timer) {
  policy_->timer(context(at), timer, verdict_);
  carry_out(at.now);
}

// ---- Flags and runstates ----

bool SchedCore::runnable(UnitId unit) const {
  const Flags& own = units_[index(unit)];
  return state_[unit].runnable && !own.parked && !own.paused_by_policy;
}

// Shows the policy what has become of the unit's flags.
void SchedCore::refresh(UnitId unit) {
  const Flags& own = flags(unit);
  UnitState& shown = state_.units[index(unit)];
  shown.online = !own.down;
  shown.runnable = !own.down && !own.blocked && !own.migrating && own.pauses == 0;
}

void SchedCore::enter(HvTime now, UnitId unit, Runstate state) {
  Flags& own = flags(unit);
  own.totals.in_state[static_cast<std::size_t>(own.runstate)] += now - own.since;
  own.runstate = state;
  own.since = now;
  host_.entered(unit, state);
}

RunTotals SchedCore::totals(UnitId unit, HvTime end) const {
  const Flags& own = units_[index(unit)];
  RunTotals totals = own.totals;
  totals.in_state[static_cast<std::size_t>(own.runstate)] += end - own.since;
  return totals;
}

// ---- Requests ----

void SchedCore::carry_out(HvTime now) {
  for (const Request& request : verdict_.requests()) carry_out(now, request);
  verdict_.clear();
}

void SchedCore::carry_out(HvTime now, const Request& request) {
  std::visit(Overloaded{
                 [&](Tickle r) { host_.request_pass(r.pcpu); },
                 [&](Arm r) { host_.arm(r.timer, r.at); },
                 [&](Cancel r) { host_.cancel(r.timer); },
                 [&](Park r) { flags(r.unit).parked = true; },
                 [&](Unpark r) { flags(r.unit).parked = false; },
                 [&](Pause r) {
                   flags(r.unit).paused_by_policy = true;
                   if (flags(r.unit).runstate == Runstate::runnable) enter(now, r.unit, Runstate::offline);
                 },
                 [&](Unpause r) {
                   flags(r.unit).paused_by_policy = false;
                   const Runstate state = flags(r.unit).runstate;
                   const bool waits = state == Runstate::blocked || state == Runstate::offline;
                   if (waits && runnable(r.unit)) enter(now, r.unit, Runstate::runnable);
                 },
                 [&](Migrate r) {
                   flags(r.unit).migrating = true;
                   refresh(r.unit);
                 },
             },
             request);
}

}  // namespace vecusim
