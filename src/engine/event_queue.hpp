// EventQueue and Timer: what is due next, in the order (due, arming sequence), over an indexed 4-ary heap.
//
// An event is "this timer is due". Timers belong to components and can be armed again or disarmed at any moment, also
// from within an action; re-arming replaces the earlier deadline and takes a new place behind everything armed before
// for the same moment. The heap knows where each timer stands, so a timeout that is moved a thousand times costs no
// stale entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "engine/delegate.hpp"
#include "engine/time.hpp"

namespace vecusim {

class Timer;

/// Allocates on cache-line boundaries.
template <class T>
struct LineAligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAligned() = default;
  template <class U>
  explicit LineAligned(const LineAligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }
  bool operator==(const LineAligned&) const = default;
};

class EventQueue {
 public:
  EventQueue() = default;
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  Time now() const { return now_; }
  /// When the next timer is due; kNever if none is armed.
  Time next() const;
  /// Fires the next timer and moves the clock to it; false if none is armed. Not to be called from within an action.
  bool step();
  /// Fires all that is due at or before `end`, then moves the clock to `end`.
  void run_until(Time end);
  /// Timers fired so far.
  std::uint64_t fired() const { return fired_; }

 private:
  friend class Timer;
  friend struct EventQueueProbe;  // a test's: it starts the numbering just before its end
  using Id = std::uint32_t;

  // due (64 bits), sequence (32), id (32), most significant first: one unsigned comparison is the order, without a
  // branch.
  __extension__ using Key = unsigned __int128;
  static constexpr Id kAbsent = ~Id{0};

  static Key key(Time due, std::uint32_t sequence, Id id) {
    const auto ticks = static_cast<std::uint64_t>(due.time_since_epoch().count());
    return (static_cast<Key>(ticks) << 64) | (static_cast<std::uint64_t>(sequence) << 32) | id;
  }
  static Time due_of(Key key) { return Time{Duration{static_cast<std::int64_t>(key >> 64)}}; }
  static Id id_of(Key key) { return static_cast<Id>(key); }

  // The heap begins three keys in, so that the four children of a key share one cache line.
  static constexpr std::size_t kOffset = 3;
  Key* heap() { return storage_.data() + kOffset; }
  const Key* heap() const { return storage_.data() + kOffset; }

  Id add(Delegate<void()> action);
  void remove(Id id);
  void arm(Id id, Time due);
  void disarm(Id id);
  std::uint32_t take_sequence();
  void renumber();
  void put(std::size_t slot, Key key);
  void sift_up(std::size_t slot, Key key);
  void sift_down(std::size_t slot, Key key);
  void erase(std::size_t slot);
  void fetch_next_actions() const;

  Time now_ = kStart;
  std::uint64_t fired_ = 0;
  std::uint32_t sequence_ = 0;
  std::size_t size_ = 0;
  // While its action runs, the fired timer still stands at the root; if it is armed again there, one sift replaces two.
  Id firing_ = kAbsent;
  std::vector<Key, LineAligned<Key>> storage_ = std::vector<Key, LineAligned<Key>>(kOffset);
  std::vector<Id> slot_of_;
  std::vector<Delegate<void()>> action_of_;
  std::vector<Id> free_;
};

/// A deadline with an action. Not copyable; disarms when destroyed. The queue must outlive it.
class Timer {
 public:
  Timer(EventQueue& queue, Delegate<void()> action) : queue_(&queue), id_(queue.add(action)) {}
  ~Timer() { queue_->remove(id_); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Replaces an earlier deadline. A moment in the past means now; kNever disarms.
  void arm_at(Time due) { queue_->arm(id_, due); }
  /// A delay that leads beyond the end of time disarms.
  void arm_in(Duration delay) { queue_->arm(id_, delay < kNever - queue_->now() ? queue_->now() + delay : kNever); }
  void disarm() { queue_->disarm(id_); }
  /// False from the moment its action begins, unless the action arms it again.
  bool armed() const { return queue_->slot_of_[id_] != EventQueue::kAbsent && queue_->firing_ != id_; }
  /// kNever if not armed.
  Time due() const { return armed() ? EventQueue::due_of(queue_->heap()[queue_->slot_of_[id_]]) : kNever; }

 private:
  EventQueue* queue_;
  EventQueue::Id id_;
};

}  // namespace vecusim
