// EventQueue against a sorted set over millions of random operations, most of them from within actions.
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "engine/event_queue.hpp"
#include "event_queue_probe.hpp"

using namespace vecusim;

namespace {

/// Does everything twice: to an EventQueue with its timers, and to a std::set ordered by (due, arming number).
class Twins {
 public:
  Twins(std::size_t timers, std::uint64_t seed) : random_(seed), timers_(timers), expected_(timers) {}

  void run(std::uint64_t operations) {
    while (operations_ < operations && mismatch_.empty()) {
      switch (below(4)) {
        case 0:
          run_a_little();
          break;
        case 1:
          operate_on(below(timers_.size()));
          break;
        default:
          step();
      }
      check(queue_.next() == next(), "next()");
    }
  }

  EventQueue& queue() { return queue_; }
  std::uint64_t operations() const { return operations_; }
  const std::string& mismatch() const { return mismatch_; }

 private:
  struct Part {
    Part(Twins& t, std::size_t i) : twins(t), index(i), timer(t.queue_, Delegate<void()>::to<&Part::fire>(*this)) {}
    void fire() { twins.on_fire(index); }  // may destroy this part
    Twins& twins;
    std::size_t index;
    Timer timer;
  };
  struct Expected {
    Time due = kNever;
    std::uint64_t number = 0;
  };
  using Key = std::pair<std::pair<Time, std::uint64_t>, std::size_t>;

  void on_fire(std::size_t index) {
    ++operations_;
    if (order_.empty() || order_.begin()->second != index) return fail("another timer is first");
    check(order_.begin()->first.first == queue_.now(), "now() is the deadline");
    order_.erase(order_.begin());
    expected_[index] = {};
    check(!timers_[index]->timer.armed(), "not armed within its action");
    check(queue_.next() == next(), "next() within an action");
    if (below(2) == 0) operate_on(index);
    for (std::uint64_t more = below(4); more != 0; --more) operate_on(below(4) == 0 ? index : below(timers_.size()));
  }

  void operate_on(std::size_t index) {
    ++operations_;
    std::unique_ptr<Part>& part = timers_[index];
    if (!part) {
      part = std::make_unique<Part>(*this, index);
    } else if (const std::uint64_t what = below(16); what == 0) {
      expect(index, kNever);
      part.reset();
      return;
    } else if (what < 3) {
      part->timer.disarm();
      expect(index, kNever);
    } else if (what < 6) {
      const Time due = queue_.now() + delay();
      part->timer.arm_at(due);
      expect(index, due);
    } else {
      const Duration in = delay();
      part->timer.arm_in(in);
      expect(index, queue_.now() + in);
    }
    check(part->timer.armed() == (expected_[index].due != kNever), "armed()");
    check(part->timer.due() == expected_[index].due, "due()");
  }

  void expect(std::size_t index, Time due) {
    Expected& old = expected_[index];
    if (old.due != kNever) order_.erase({{old.due, old.number}, index});
    old = {};
    if (due == kNever) return;
    old = {std::max(due, queue_.now()), ++armings_};
    order_.insert({{old.due, old.number}, index});
  }

  void step() {
    const bool any = !order_.empty();
    check(queue_.step() == any, "step() tells whether something fired");
  }

  void run_a_little() {
    const Time end = queue_.now() + Duration{static_cast<std::int64_t>(below(3))};
    queue_.run_until(end);
    check(queue_.now() == end, "run_until() moves the clock to its end");
    check(order_.empty() || order_.begin()->first.first > end, "run_until() fires all that is due");
  }

  Time next() const { return order_.empty() ? kNever : order_.begin()->first.first; }
  /// Mostly short, so that many deadlines are equal; sometimes in the past.
  Duration delay() {
    const auto spread = static_cast<std::int64_t>(below(8) == 0 ? 2 * timers_.size() : 6);
    return Duration{static_cast<std::int64_t>(below(static_cast<std::uint64_t>(spread))) - 1};
  }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  void check(bool ok, const char* what) {
    if (!ok) fail(what);
  }
  void fail(const char* what) {
    if (mismatch_.empty()) mismatch_ = std::string(what) + " (operation " + std::to_string(operations_) + ")";
  }

  std::mt19937_64 random_;
  EventQueue queue_;
  std::vector<std::unique_ptr<Part>> timers_;
  std::vector<Expected> expected_;
  std::set<Key> order_;
  std::uint64_t armings_ = 0;
  std::uint64_t operations_ = 0;
  std::string mismatch_;
};

}  // namespace

TEST_CASE("the queue equals a sorted set over a million random operations") {
  const std::size_t timers = GENERATE(as<std::size_t>{}, 1, 2, 5, 64, 5000);
  Twins twins(timers, timers);
  twins.run(300'000);
  CHECK(twins.mismatch() == "");
  CHECK(twins.operations() >= 300'000);
}

TEST_CASE("the queue equals a sorted set wherever the arming numbers end") {
  const std::uint32_t left = GENERATE(range(0U, 2000U, 10U));
  Twins twins(32, left);
  EventQueueProbe::set_armings_left(twins.queue(), left);
  twins.run(8'000);
  CHECK(twins.mismatch() == "");
  CHECK(EventQueueProbe::sequence(twins.queue()) < 10'000);
}
