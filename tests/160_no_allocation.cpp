// After the start nothing is allocated per event: timers, works on a CPU, accounts, streams, laws and the trace.
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "allocations.hpp"
#include "catch.hpp"
#include "engine/cpu.hpp"
#include "engine/line.hpp"
#include "engine/simulation.hpp"

using namespace vecusim;

namespace {

/// A source that, at random intervals, moves a timeout, signals a line and submits a work of its own, which goes on
/// with a second one; if the first is still under way it is withdrawn.
class Source {
 public:
  Source(Simulation& simulation, Cpu& cpu, const Line<>& line, std::uint8_t level, Distribution law)
      : simulation_(simulation),
        cpu_(cpu),
        line_(line),
        law_(std::move(law)),
        stream_(simulation.stream("source")),
        fire_(simulation.queue, Delegate<void()>::to<&Source::on_fire>(*this)),
        timeout_(simulation.queue, Delegate<void()>::to<&Source::on_timeout>(*this)) {
    first_.level = second_.level = level;
    first_.begin = second_.begin = Delegate<Duration()>::to<&Source::draw>(*this);
    first_.done = Delegate<void()>::to<&Source::on_first>(*this);
    first_.account = &account_;
    account_.open(simulation.now(), stage_);
    fire_.arm_in(draw());
  }

 private:
  Duration draw() { return law_.quantile(stream_.uniform()); }
  void on_fire() {
    line_();
    timeout_.arm_in(5us);
    cpu_.withdraw(first_);
    cpu_.submit(first_);
    fire_.arm_in(draw() + 1us);
  }
  void on_first() {
    if (!second_.submitted) cpu_.go_on(second_);
  }
  void on_timeout() {
    cpu_.halt(Wait::runqueue, Party::nobody);
    cpu_.resume();
  }

  Simulation& simulation_;
  Cpu& cpu_;
  const Line<>& line_;
  Distribution law_;
  RandomStream stream_;
  Timer fire_;
  Timer timeout_;
  StageTime stage_{};
  Account account_{};
  Work first_{};
  Work second_{};
};

struct Counter final : TraceSink {
  void on(const Occupied&) override { ++changes; }
  void edge() { ++edges; }
  std::uint64_t changes = 0;
  std::uint64_t edges = 0;
};

}  // namespace

TEST_CASE("the counter counts") {
  const std::uint64_t before = test::allocations();
  std::vector<int> numbers(1000);
  CHECK(numbers.data() != nullptr);
  const EventQueue queue;  // its heap is aligned to cache lines: the other form of operator new
  CHECK(queue.next() == kNever);
  CHECK(test::allocations() - before >= 2);
}

TEST_CASE("no event allocates") {
  QuantileTables tables;
  Simulation simulation(tables, 1, 0);
  Cpu cpu(simulation.queue, simulation.trace, CpuId{0});
  Counter counter;
  Line<> line;
  line.connect(Delegate<void()>::to<&Counter::edge>(counter));
  simulation.trace.attach(counter);
  std::deque<Source> sources;
  const std::array laws = {Distribution::constant(3us),
                           Distribution::uniform(1us, 7us),
                           Distribution::lognormal(tables, 2us, 0.8),
                           Distribution::gamma(tables, 0.7, 4us),
                           Distribution::bounded_pareto(tables, 1us, 1ms, 1.1),
                           Distribution::empirical({1us, 2us, 30us})};
  for (std::size_t i = 0; i < laws.size(); ++i) {
    sources.emplace_back(simulation, cpu, line, static_cast<std::uint8_t>(i % 3), laws[i]);
  }

  simulation.queue.run_until(kStart + 1ms);
  const std::uint64_t allocations = test::allocations();
  const std::uint64_t fired = simulation.queue.fired();
  const std::uint64_t edges = counter.edges;
  const std::uint64_t changes = counter.changes;
  simulation.queue.run_until(kStart + 100ms);
  const std::uint64_t allocated = test::allocations() - allocations;
  CHECK(allocated == 0);
  CHECK(simulation.queue.fired() - fired > 50'000);
  CHECK(counter.edges - edges > 10'000);
  CHECK(counter.changes - changes > 10'000);
}

TEST_CASE("arming never allocates, however many timers are armed for the first time") {
  struct Silent {
    void fire() {}
  } silent;
  EventQueue queue;
  std::deque<Timer> timers;
  for (int i = 0; i < 1000; ++i) timers.emplace_back(queue, Delegate<void()>::to<&Silent::fire>(silent));
  const std::uint64_t before = test::allocations();
  for (Timer& timer : timers) timer.arm_in(1us);
  queue.run_until(kStart + 1us);
  CHECK(test::allocations() == before);
  CHECK(queue.fired() == 1000);
}
