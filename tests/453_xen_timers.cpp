// Xen's software timers: one comparator for all of a core, and the slop that makes short sleeps late.
#include <vector>

#include "catch.hpp"
#include "hypervisors/xen_timers.hpp"

using namespace vecusim;

namespace {

struct Bench {
  Bench() {
    for (int i = 0; i < 3; ++i) ids.push_back(timers.add(Delegate<void()>::to<&Bench::nothing>(*this)));
  }
  void comparator() { comparators.push_back(simulation.now() - kStart); }
  void raise() { ++raised; }
  void nothing() {}
  // The TIMER softirq: everything that is due, then the comparator.
  std::size_t handle() {
    std::size_t done = 0;
    while (const Delegate<void()>* action = timers.take_due()) {
      (*action)();
      ++done;
    }
    timers.program();
    return done;
  }
  void run_until(Duration time) { simulation.queue.run_until(kStart + time); }

  QuantileTables tables;
  Simulation simulation{tables, 1, 0};
  XenTimers timers{simulation, 50us, Delegate<void()>::to<&Bench::comparator>(*this),
                   Delegate<void()>::to<&Bench::raise>(*this)};
  std::vector<XenTimers::Id> ids;
  std::vector<Duration> comparators;
  int raised = 0;
};

}  // namespace

TEST_CASE("A timer that is due within the slop comes a slop after the handler that programmed it") {
  Bench bench;
  bench.timers.set(bench.ids[0], kStart + 10us);
  CHECK(bench.raised == 1);
  CHECK(bench.handle() == 0);
  bench.run_until(1ms);
  CHECK(bench.comparators == std::vector<Duration>{50us});
  CHECK(bench.handle() == 1);
}

TEST_CASE("A timer that is due later comes in time") {
  Bench bench;
  bench.timers.set(bench.ids[0], kStart + 51us);
  bench.handle();
  bench.run_until(1ms);
  CHECK(bench.comparators == std::vector<Duration>{51us});
}

TEST_CASE("One softirq handles all that is due by then, and only a new first timer raises it") {
  Bench bench;
  bench.timers.set(bench.ids[0], kStart + 10us);
  bench.timers.set(bench.ids[1], kStart + 40us);
  bench.timers.set(bench.ids[2], kStart + 300us);
  CHECK(bench.raised == 1);
  bench.handle();
  bench.run_until(100us);
  CHECK(bench.comparators == std::vector<Duration>{50us});
  CHECK(bench.handle() == 2);
  bench.run_until(1ms);
  CHECK(bench.comparators == std::vector<Duration>{50us, 300us});
}

TEST_CASE("A timer that is stopped does not come") {
  Bench bench;
  bench.timers.set(bench.ids[0], kStart + 100us);
  bench.handle();
  bench.timers.stop(bench.ids[0]);
  bench.handle();
  bench.run_until(1ms);
  CHECK(bench.comparators.empty());
}
