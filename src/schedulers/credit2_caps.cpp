// Handing out, parking, releasing and replenishing under a cap.
#include "schedulers/credit2_caps.hpp"

#include <algorithm>
#include <utility>

#include "schedulers/credit2_tickle.hpp"

namespace vecusim::credit2 {
namespace {

void park(const Call& call, Domain& domain, UnitId id) {
  Unit& unit = call.unit(id);
  unit.parked = true;
  call.verdict.park(id);
  if (unit.queued) call.dequeue(id);
  domain.parked.push_back(id);
}

void start_capping(const Call& call, Domain& domain) {
  domain.budget = domain.total_budget;
  domain.next_replenishment = call.now() + call.state.parameters.cap_period;
  call.verdict.arm(domain.replenishment, domain.next_replenishment);
  for (const UnitId id : domain.units) {
    if (call.shown(id).running) {
      call.burn(id);
      call.tickle(call.unit(id).pcpu);
    }
    call.unit(id).budget = HvTime{0};
  }
}

void stop_capping(const Call& call, Domain& domain) {
  call.verdict.cancel(domain.replenishment);
  for (const UnitId id : domain.units) {
    call.unit(id).budget = kUncapped;
    call.unit(id).quota = HvTime{0};
  }
  release_parked(call, domain);
}

}  // namespace

bool take_budget(const Call& call, UnitId id) {
  Unit& unit = call.unit(id);
  if (unit.budget > HvTime{0}) return true;
  Domain& domain = call.state.domain(unit.domain);
  domain.budget += unit.budget;  // it pays for having overrun
  unit.budget = std::clamp(domain.budget, HvTime{0}, unit.quota);
  domain.budget -= unit.budget;
  if (unit.budget > HvTime{0}) return true;
  park(call, domain, id);
  return false;
}

bool return_budget(const Call& call, UnitId id) {
  Unit& unit = call.unit(id);
  if (!unit.capped() || unit.budget <= HvTime{0}) return false;
  Domain& domain = call.state.domain(unit.domain);
  domain.budget += std::exchange(unit.budget, HvTime{0});
  return domain.budget > HvTime{0};
}

void release_parked(const Call& call, Domain& domain) {
  while (!domain.parked.empty()) {
    const UnitId id = domain.parked.back();
    domain.parked.pop_back();
    Unit& unit = call.unit(id);
    unit.parked = false;
    call.verdict.unpark(id);
    if (unit.scheduled) {
      unit.delayed_add = true;
    } else if (call.runnable(id)) {
      call.admit(id);
    }
  }
}

void replenish(const Call& call, Domain& domain) {
  do {
    domain.next_replenishment += call.state.parameters.cap_period;
    domain.budget += domain.total_budget;
  } while (domain.next_replenishment <= call.now());
  if (domain.budget > HvTime{0}) {
    domain.budget = std::min(domain.budget, domain.total_budget);
    release_parked(call, domain);
  }
  call.verdict.arm(domain.replenishment, domain.next_replenishment);
}

void set_cap(const Call& call, Domain& domain, std::int32_t cap_pct) {
  const bool was_capped = std::exchange(domain.cap_pct, cap_pct) != 0;
  if (cap_pct == 0) {
    if (was_capped) stop_capping(call, domain);
    return;
  }
  domain.total_budget = call.state.parameters.cap_period * cap_pct / 100;
  const auto units = static_cast<std::int64_t>(domain.units.size());
  for (const UnitId id : domain.units) call.unit(id).quota = std::max(domain.total_budget / units, kMinSlice);
  if (!was_capped) start_capping(call, domain);
}

}  // namespace vecusim::credit2
