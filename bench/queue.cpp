// EventQueue beside bare 4-ary heaps on two workloads: every timer sets itself again when it fires ("hold"), and every
// firing also moves the deadline of one other timer ("move").
//
// The bare heaps know nothing of objects, cancelling within an action or the wrap-around of sequence numbers; they are
// what the machine allows. Every figure includes the same source of exponential delays.
#include <array>
#include <cmath>
#include <deque>
#include <memory>

#include "engine/event_queue.hpp"
#include "harness.hpp"

namespace vecusim::bench {
namespace {

/// Exponential delays of mean 1 ms by a piecewise linear quantile function: cheap, so that the queue is what is timed.
class Delays {
 public:
  Delays() {
    constexpr double kMean = 1e9;  // ps
    constexpr double kLastStep = 0.25;
    for (std::size_t i = 0; i < kSteps; ++i) knots_[i] = -kMean * std::log1p(-static_cast<double>(i) / kSteps);
    knots_[kSteps] = -kMean * std::log(kLastStep / kSteps);
  }

  Duration next() {
    const std::uint64_t word = random();
    const std::size_t step = word >> 54;
    const double between = static_cast<double>(static_cast<std::int64_t>((word >> 11) & 0xfffff)) * 0x1p-20;
    return Duration{static_cast<std::int64_t>(knots_[step] + between * (knots_[step + 1] - knots_[step])) + 1};
  }

  /// Uniform in [0, n).
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((random() >> 32) * n) >> 32); }

 private:
  static constexpr std::size_t kSteps = 1024;

  std::uint64_t random() {  // xorshift64
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }

  std::uint64_t state_ = 0x2545f4914f6cdd1d;
  std::array<double, kSteps + 1> knots_{};
};

/// What a heap orders: by due, then by sequence.
struct Entry {
  std::int64_t due;
  std::uint32_t sequence;
  std::uint32_t id;

  bool operator<(const Entry& other) const {
    return due < other.due || (due == other.due && static_cast<std::int32_t>(sequence - other.sequence) < 0);
  }
};

/// A 4-ary heap in an array, the four children of an entry in one cache line. If `kIndexed`, it knows where each id
/// stands.
template <bool kIndexed>
class BareHeap {
 public:
  explicit BareHeap(std::size_t capacity) : storage_(capacity + kOffset), slot_of_(capacity) {}

  void push(std::int64_t due, std::uint32_t id) { sift_up(size_++, {due, sequence_++, id}); }
  const Entry& top() const { return storage_[kOffset]; }
  Entry pop() {
    const Entry result = top();
    const Entry last = at(--size_);
    if (size_ != 0) sift_down(0, last);
    return result;
  }
  void move(std::uint32_t id, std::int64_t due) {
    const Entry entry{due, sequence_++, id};
    const std::size_t slot = slot_of_[id];
    if (slot != 0 && entry < at((slot - 1) / 4)) {
      sift_up(slot, entry);
    } else {
      sift_down(slot, entry);
    }
  }

 private:
  static constexpr std::size_t kOffset = 3;

  Entry& at(std::size_t slot) { return storage_[slot + kOffset]; }
  void put(std::size_t slot, const Entry& entry) {
    at(slot) = entry;
    if constexpr (kIndexed) slot_of_[entry.id] = static_cast<std::uint32_t>(slot);
  }
  void sift_up(std::size_t slot, Entry entry) {
    for (; slot != 0; slot = (slot - 1) / 4) {
      if (!(entry < at((slot - 1) / 4))) break;
      put(slot, at((slot - 1) / 4));
    }
    put(slot, entry);
  }
  void sift_down(std::size_t slot, Entry entry) {
    for (std::size_t first = 4 * slot + 1; first < size_; first = 4 * slot + 1) {
      std::size_t least = first;
      if (first + 3 < size_) {
        const std::size_t a = first + static_cast<std::size_t>(at(first + 1) < at(first));
        const std::size_t b = first + 2 + static_cast<std::size_t>(at(first + 3) < at(first + 2));
        least = at(b) < at(a) ? b : a;
      } else {
        for (std::size_t child = first + 1; child < size_; ++child) {
          if (at(child) < at(least)) least = child;
        }
      }
      if (!(at(least) < entry)) break;
      put(slot, at(least));
      slot = least;
    }
    put(slot, entry);
  }

  std::size_t size_ = 0;
  std::uint32_t sequence_ = 0;
  std::vector<Entry, LineAligned<Entry>> storage_;
  std::vector<std::uint32_t> slot_of_;
};

/// The action of every event, called through a pointer as a simulator must.
struct Tally {
  std::uint64_t sum = 0;
  void add(std::uint32_t id) { sum += id; }
};
struct Slot {
  void (*call)(void*, std::uint32_t);
  void* object;
};
void add_to_tally(void* tally, std::uint32_t id) { static_cast<Tally*>(tally)->add(id); }

template <bool kIndexed>
struct BareModel {
  explicit BareModel(std::uint32_t n) : heap(n), slots(n, Slot{add_to_tally, &tally}), count(n) {
    for (std::uint32_t id = 0; id < n; ++id) heap.push(delays.next().count(), id);
  }
  BareModel(const BareModel&) = delete;
  BareModel& operator=(const BareModel&) = delete;

  void hold(std::uint64_t events) {
    for (; events != 0; --events) {
      const Entry fired = heap.pop();
      slots[fired.id].call(slots[fired.id].object, fired.id);
      heap.push(fired.due + delays.next().count(), fired.id);
    }
    keep(tally);
  }
  void move(std::uint64_t events) {
    for (; events != 0; --events) {
      const Entry fired = heap.top();
      slots[fired.id].call(slots[fired.id].object, fired.id);
      heap.move(fired.id, fired.due + delays.next().count());
      std::uint32_t other = delays.below(count);
      if (other == fired.id) other = (other + 1) % count;
      heap.move(other, fired.due + delays.next().count());
    }
    keep(tally);
  }

  Tally tally;
  Delays delays;
  BareHeap<kIndexed> heap;
  std::vector<Slot> slots;
  std::uint32_t count;
};

/// The same workloads as components of a simulation see them.
class EngineModel {
 public:
  EngineModel(std::uint32_t n, bool moves_others) : moves_others_(moves_others) {
    for (std::uint32_t id = 0; id < n; ++id) parts_.emplace_back(*this, id).timer.arm_in(delays_.next());
  }

  void run(std::uint64_t events) {
    for (; events != 0; --events) queue_.step();
    keep(tally_);
  }

 private:
  struct Part {
    Part(EngineModel& m, std::uint32_t i)
        : model(m), id(i), timer(m.queue_, Delegate<void()>::to<&Part::fire>(*this)) {}
    void fire() {
      model.tally_.add(id);
      timer.arm_in(model.delays_.next());
      if (model.moves_others_) model.move_one_but(id);
    }
    EngineModel& model;
    std::uint32_t id;
    Timer timer;
  };

  void move_one_but(std::uint32_t id) {
    const auto count = static_cast<std::uint32_t>(parts_.size());
    std::uint32_t other = delays_.below(count);
    if (other == id) other = (other + 1) % count;
    parts_[other].timer.arm_in(delays_.next());
  }

  Tally tally_;
  Delays delays_;
  bool moves_others_;
  EventQueue queue_;
  std::deque<Part> parts_;
};

Contender bare_hold(std::uint32_t n) {
  return {"bare heap", [model = std::make_shared<BareModel<false>>(n)](std::uint64_t events) { model->hold(events); }};
}
Contender bare_move(std::uint32_t n) {
  return {"bare indexed heap",
          [model = std::make_shared<BareModel<true>>(n)](std::uint64_t events) { model->move(events); }};
}
Contender engine(std::uint32_t n, bool moves_others) {
  return {"EventQueue",
          [model = std::make_shared<EngineModel>(n, moves_others)](std::uint64_t events) { model->run(events); }};
}

}  // namespace
}  // namespace vecusim::bench

int main() {
  using namespace vecusim::bench;
  constexpr std::uint64_t kEvents = 1'000'000;
  print_header();
  compare({"hold, 10 timers", {bare_hold(10), engine(10, false)}}, kEvents);
  compare({"hold, 1000 timers", {bare_hold(1000), engine(1000, false)}}, kEvents);
  compare({"move one other, 10000 timers", {bare_move(10000), engine(10000, true)}}, kEvents);
}
