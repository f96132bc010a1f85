// The steps that several parts of Credit2 have in common.
#include "schedulers/credit2_state.hpp"

#include "schedulers/credit2_tickle.hpp"

namespace vecusim::credit2 {

void State::assign(UnitId id, RunqueueId to) {
  unit(id).runqueue = to;
  runqueues[to].assign(units, id);
}

void State::deassign(UnitId id) {
  runqueues[unit(id).runqueue].deassign(units, id);
  unit(id).runqueue = kNoRunqueue;
}

void Call::tickle(PcpuId pcpu) const {
  state.runqueue(pcpu).tickle(pcpu, state.siblings(pcpu));
  verdict.tickle(pcpu);
}

void Call::update_load(UnitId id, int change) const {
  Unit& own = unit(id);
  const bool counted = change == 0 ? runnable(id) : change < 0;
  const std::int64_t time = LoadScale::time(now());
  own.load_average = state.parameters.load.follow(own.load_average, counted ? 1 : 0, own.load_time, time);
  own.load_time = time;
}

void Call::update_loads(UnitId id, int change) const {
  runqueue(id).load.update(state.parameters.load, now(), change);
  update_load(id, change);
}

void Call::dequeue(UnitId id) const {
  update_loads(id, -1);
  runqueue(id).dequeue(state.units, id);
}

void Call::admit(UnitId id) const {
  update_loads(id, +1);
  runqueue(id).enqueue(state.units, id);
  tickle_for(*this, id);
}

}  // namespace vecusim::credit2
