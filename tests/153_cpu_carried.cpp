// A processor that a work of another processor carries: it runs with the work and waits for what the work waits for.
#include "catch.hpp"
#include "engine/cpu.hpp"

using namespace vecusim;

namespace {

struct Done {
  void finish() {
    at = queue.now();
    account.close(at);
  }
  EventQueue& queue;
  Account& account;
  Time at = kNever;
};

// The outer processor has a carrying work without end and a more urgent one; the inner one has 10 us of work.
struct Nested {
  Nested() {
    carrier.demand = 1000s;
    carrier.level = 3;
    carrier.context = Context::idle;
    carrier.carries = &inner;
    urgent.demand = 4us;
    urgent.level = 1;
    urgent.inflicts = Wait::masked;
    urgent.party = Party{7};
    work.demand = 10us;
    work.account = &account;
    work.done = Delegate<void()>::to<&Done::finish>(done);
    account.open(kStart, stage);
    inner.halt(Wait::thread, Party{3});
    inner.submit(work);
  }
  Duration waited(Wait kind) const { return stage.waits[static_cast<std::size_t>(kind)]; }

  EventQueue queue;
  Trace trace;
  Cpu outer{queue, trace, CpuId{0}};
  Cpu inner{queue, trace, CpuId{1}};
  Work carrier{};
  Work urgent{};
  Work work{};
  StageTime stage{};
  Account account{};
  Done done{queue, account};
};

}  // namespace

TEST_CASE("A carried processor runs while its work is served, and only then") {
  Nested nested;
  nested.queue.run_until(kStart + 5us);
  CHECK(nested.done.at == kNever);
  nested.outer.submit(nested.carrier);
  nested.queue.run_until(kStart + 8us);
  nested.outer.submit(nested.urgent);  // 8 to 12 us
  nested.queue.run_until(kStart + 100us);
  CHECK(nested.done.at == kStart + 19us);
  CHECK(nested.stage.service == 10us);
  CHECK(nested.waited(Wait::thread) == 5us);
  CHECK(nested.waited(Wait::masked) == 4us);
  CHECK(nested.stage.longest_wait_for == Party{3});
}

TEST_CASE("A carried processor halts with its work: withdrawn, or on a halted processor") {
  Nested nested;
  nested.outer.submit(nested.carrier);
  nested.queue.run_until(kStart + 2us);
  nested.outer.withdraw(nested.carrier);
  nested.inner.halt(Wait::lock, Party{5});  // the owner says what it waits for
  nested.queue.run_until(kStart + 7us);
  nested.outer.submit(nested.carrier);
  nested.queue.run_until(kStart + 9us);
  nested.outer.halt(Wait::slot, Party{6});
  nested.queue.run_until(kStart + 20us);
  CHECK(nested.done.at == kNever);
  nested.outer.resume();
  nested.queue.run_until(kStart + 100us);
  CHECK(nested.done.at == kStart + 26us);
  CHECK(nested.waited(Wait::lock) == 5us);
  CHECK(nested.waited(Wait::slot) == 11us);
  CHECK(nested.stage.service == 10us);
}
