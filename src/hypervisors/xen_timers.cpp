// One comparator for many timers.
#include "hypervisors/xen_timers.hpp"

#include <algorithm>

namespace vecusim {

XenTimers::XenTimers(Simulation& simulation, Duration slop, Delegate<void()> comparator, Delegate<void()> raise)
    : simulation_(&simulation), slop_(slop), comparator_(simulation.queue, comparator), raise_(raise) {}

XenTimers::Id XenTimers::add(Delegate<void()> action) {
  timers_.push_back({action});
  return timers_.size() - 1;
}

const XenTimers::Entry* XenTimers::earliest() const {
  const Entry* first = nullptr;
  for (const Entry& entry : timers_) {
    if (entry.due == kNever) continue;
    if (first == nullptr || entry.due < first->due || (entry.due == first->due && entry.sequence < first->sequence)) {
      first = &entry;
    }
  }
  return first;
}

void XenTimers::set(Id timer, Time due) {
  timers_[timer].due = due;
  timers_[timer].sequence = sequence_++;
  if (due != kNever && earliest() == &timers_[timer]) raise_();
}

void XenTimers::stop(Id timer) {
  if (timers_[timer].due == kNever) return;
  const bool was_first = earliest() == &timers_[timer];
  timers_[timer].due = kNever;
  if (was_first) raise_();
}

std::optional<XenTimers::Id> XenTimers::next_due() const {
  const Entry* first = earliest();
  if (first == nullptr || first->due > simulation_->now()) return std::nullopt;
  return static_cast<Id>(first - timers_.data());
}

const Delegate<void()>* XenTimers::take_due() {
  const auto due = next_due();
  if (!due) return nullptr;
  timers_[*due].due = kNever;
  return &timers_[*due].action;
}

void XenTimers::program() {
  const Entry* first = earliest();
  if (first == nullptr) {
    comparator_.disarm();
  } else {
    comparator_.arm_at(std::max(first->due, simulation_->now() + slop_));
  }
}

}  // namespace vecusim
