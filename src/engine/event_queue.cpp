// The indexed 4-ary heap behind EventQueue.
#include "engine/event_queue.hpp"

#include <algorithm>
#include <cassert>

namespace vecusim {

Time EventQueue::next() const {
  if (firing_ == kAbsent) return size_ == 0 ? kNever : due_of(heap()[0]);
  // The root is no longer armed: one of its children is next.
  if (size_ == 1) return kNever;
  return due_of(*std::min_element(heap() + 1, heap() + std::min<std::size_t>(size_, 5)));
}

bool EventQueue::step() {
  assert(firing_ == kAbsent);
  if (size_ == 0) return false;
  const Key root = heap()[0];
  const Id id = id_of(root);
  now_ = due_of(root);
  ++fired_;
  firing_ = id;
  fetch_next_actions();
  action_of_[id]();
  if (firing_ == id) {  // not armed again and not disarmed: it leaves now
    firing_ = kAbsent;
    erase(0);
  }
  return true;
}

// One of the root's children mostly fires next: its action comes into the cache while the present one runs. With ten
// thousand timers on a machine whose caches are shared this is a quarter of an event's time.
void EventQueue::fetch_next_actions() const {
  if (size_ < 5) return;
  for (std::size_t child = 1; child < 5; ++child) __builtin_prefetch(&action_of_[id_of(heap()[child])]);
}

void EventQueue::run_until(Time end) {
  while (size_ != 0 && due_of(heap()[0]) <= end) step();
  now_ = std::max(now_, end);
}

EventQueue::Id EventQueue::add(Delegate<void()> action) {
  if (!free_.empty()) {
    const Id id = free_.back();
    free_.pop_back();
    action_of_[id] = action;
    return id;
  }
  const auto id = static_cast<Id>(slot_of_.size());
  slot_of_.push_back(kAbsent);
  action_of_.push_back(action);
  // Room for every timer at once: arming never allocates.
  storage_.resize(std::max(storage_.size(), std::size_t{id} + 1 + kOffset));
  if (free_.capacity() < slot_of_.size()) free_.reserve(slot_of_.capacity());
  return id;
}

void EventQueue::remove(Id id) {
  disarm(id);
  free_.push_back(id);
}

void EventQueue::arm(Id id, Time due) {
  if (due == kNever) {
    disarm(id);
    return;
  }
  const Key armed = key(std::max(due, now_), take_sequence(), id);
  const Id slot = slot_of_[id];
  if (slot == kAbsent) {
    sift_up(size_++, armed);
    return;
  }
  if (firing_ == id) firing_ = kAbsent;
  if (slot != 0 && armed < heap()[(slot - 1) / 4]) {
    sift_up(slot, armed);
  } else {
    sift_down(slot, armed);
  }
}

void EventQueue::disarm(Id id) {
  const Id slot = slot_of_[id];
  if (slot == kAbsent) return;
  if (firing_ == id) firing_ = kAbsent;
  erase(slot);
}

std::uint32_t EventQueue::take_sequence() {
  if (sequence_ == ~std::uint32_t{0}) renumber();
  return sequence_++;
}

// Every four billion armings: the pending timers keep their order under the smallest numbers. A sorted array is a heap.
void EventQueue::renumber() {
  std::sort(heap(), heap() + size_);
  for (std::size_t i = 0; i < size_; ++i) {
    put(i, key(due_of(heap()[i]), static_cast<std::uint32_t>(i), id_of(heap()[i])));
  }
  sequence_ = static_cast<std::uint32_t>(size_);
}

void EventQueue::put(std::size_t slot, Key key) {
  heap()[slot] = key;
  slot_of_[id_of(key)] = static_cast<Id>(slot);
}

void EventQueue::sift_up(std::size_t slot, Key key) {
  while (slot != 0) {
    const std::size_t parent = (slot - 1) / 4;
    if (heap()[parent] < key) break;
    put(slot, heap()[parent]);
    slot = parent;
  }
  put(slot, key);
}

void EventQueue::sift_down(std::size_t slot, Key key) {
  const Key* const keys = heap();
  for (;;) {
    const std::size_t first = 4 * slot + 1;
    if (first >= size_) break;
    std::size_t least = first;
    if (first + 3 < size_) {
      const std::size_t a = first + static_cast<std::size_t>(keys[first + 1] < keys[first]);
      const std::size_t b = first + 2 + static_cast<std::size_t>(keys[first + 3] < keys[first + 2]);
      least = keys[b] < keys[a] ? b : a;
    } else {
      for (std::size_t child = first + 1; child < size_; ++child) {
        if (keys[child] < keys[least]) least = child;
      }
    }
    if (key < keys[least]) break;
    put(slot, keys[least]);
    slot = least;
  }
  put(slot, key);
}

void EventQueue::erase(std::size_t slot) {
  slot_of_[id_of(heap()[slot])] = kAbsent;
  const Key last = heap()[--size_];
  if (slot == size_) return;
  if (slot != 0 && last < heap()[(slot - 1) / 4]) {
    sift_up(slot, last);
  } else {
    sift_down(slot, last);
  }
}

}  // namespace vecusim
