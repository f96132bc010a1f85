// The distribution of credit.
#include "schedulers/credit_accounting.hpp"

#include <algorithm>

namespace vecusim::credit {
namespace {

// Xen computes a distribution in unsigned 32-bit numbers, which wrap (golden trace format, point 53).
std::uint32_t divide_up(std::uint32_t dividend, std::uint32_t divisor) { return (dividend + divisor - 1) / divisor; }

}  // namespace

void Accounting::activate(UnitId unit) {
  state_[unit].active = true;
  const DomainId id = state_[unit].domain;
  std::vector<UnitId>& units = state_.domains[index(id)].active;
  if (units.empty()) active_.insert(active_.begin(), id);
  units.insert(units.begin(), unit);
}

void Accounting::deactivate(UnitId unit) {
  state_[unit].active = false;
  const DomainId id = state_[unit].domain;
  std::vector<UnitId>& units = state_.domains[index(id)].active;
  std::erase(units, unit);
  if (units.empty()) std::erase(active_, id);
}

void Accounting::distribute(const HookContext& context, const Slice& slice, Verdict& verdict) {
  const std::uint32_t debt = balance_ < 0 ? -static_cast<std::uint32_t>(balance_) : 0;
  balance_ = 0;
  Round round{.credits = slice.credits,
              .debt = debt,
              .total = slice.credits * static_cast<std::uint32_t>(state_.pool.size()) + debt};
  for (const DomainId domain : active_) round.weight += weight_of(domain);
  if (round.weight == 0) return;
  round.weight_left = round.weight;

  for (std::size_t d = 0; d < active_.size();) {
    const DomainId domain = active_[d];
    pay(context, domain, share_of(domain, round), slice.credits, verdict);
    if (!state_.domains[index(domain)].active.empty()) ++d;
  }
  for (Pcpu& pcpu : state_.pcpus) pcpu.unsorted = true;
}

std::uint32_t Accounting::weight_of(DomainId id) const {
  const Domain& domain = state_.domains[index(id)];
  return static_cast<std::uint32_t>(domain.weight) * static_cast<std::uint32_t>(domain.active.size());
}

/// What the domain could take at most, or else its share by weight. What it leaves goes to those after it; it then goes
/// to the front, so that next time those who could take more come after it.
Accounting::Share Accounting::share_of(DomainId id, Round& round) {
  const Domain& domain = state_.domains[index(id)];
  const auto units = static_cast<std::uint32_t>(domain.active.size());
  const std::uint32_t weight = weight_of(id);
  round.weight_left -= weight;
  std::uint32_t peak = units * round.credits + divide_up(round.debt * weight, round.weight);
  std::uint32_t cap = 0;
  if (domain.cap_pct != 0) {
    cap = divide_up(static_cast<std::uint32_t>(domain.cap_pct) * round.credits, 100);
    peak = std::min(peak, cap);
  }
  std::uint32_t share = divide_up(round.total * weight, round.weight);
  if (share < peak) {
    round.more_wanted = true;
  } else {
    if (round.weight_left != 0) round.total += divide_up((share - peak) * round.weight, round.weight_left);
    if (round.more_wanted) {
      const auto place = std::find(active_.begin(), active_.end(), id);
      std::rotate(active_.begin(), place, place + 1);
    }
    share = peak;
  }
  return {divide_up(share, units), divide_up(cap, units)};
}

void Accounting::pay(const HookContext& context, DomainId domain, const Share& share, std::uint32_t credits,
                     Verdict& verdict) {
  const auto limit = static_cast<std::int32_t>(credits);
  std::vector<UnitId>& units = state_.domains[index(domain)].active;
  for (std::size_t u = 0; u < units.size();) {
    const UnitId id = units[u];
    Unit& unit = state_[id];
    unit.credit = add_credits(unit.credit, share.each);
    if (classify(context, id, share, limit, verdict)) {
      ++u;
    } else {
      unit.credit /= 2;
      deactivate(id);
    }
    balance_ = add_credits(balance_, static_cast<std::uint32_t>(unit.credit));
  }
}

bool Accounting::classify(const HookContext& context, UnitId id, const Share& share, std::int32_t limit,
                          Verdict& verdict) {
  Unit& unit = state_[id];
  if (unit.credit >= 0) {
    unit.rank = Rank::under;
    if (unit.parked) release(context, id, verdict);
    return unit.credit <= limit;
  }
  unit.rank = Rank::over;
  const bool capped = state_.domains[index(unit.domain)].cap_pct != 0;
  if (capped && unit.credit < -static_cast<std::int32_t>(share.cap_each) && !unit.parked) park(context, id, verdict);
  unit.credit = std::max(unit.credit, -limit);
  return true;
}

void Accounting::park(const HookContext& context, UnitId unit, Verdict& verdict) {
  state_[unit].parked = true;
  verdict.pause(unit);
  queues_.sleep(context, unit, verdict);
}

/// The unit counts as parked until it has been woken: that gives no boost.
void Accounting::release(const HookContext& context, UnitId unit, Verdict& verdict) {
  verdict.unpause(unit);
  if (context.machine[unit].runnable) queues_.wake(context, unit, verdict);
  state_[unit].parked = false;
}

}  // namespace vecusim::credit
