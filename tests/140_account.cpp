// Account and the trace: where time is booked, and who hears of it.
#include <string>
#include <vector>

#include "catch.hpp"
#include "engine/account.hpp"
#include "engine/simulation.hpp"
#include "engine/trace.hpp"

using namespace vecusim;

namespace {

constexpr Party kAlice{1};
constexpr Party kBob{2};

Duration waited(const StageTime& stage, Wait kind) { return stage.waits[static_cast<std::size_t>(kind)]; }
constexpr Time at(Duration d) { return kStart + d; }

}  // namespace

TEST_CASE("an account books service and waits where they belong") {
  StageTime stage;
  Account account;
  account.open(at(1us), stage);
  account.wait(at(3us), Wait::queue, kAlice);
  account.wait(at(7us), Wait::hypervisor, kBob);
  account.serve(at(8us));
  account.serve(at(10us));
  account.close(at(13us));
  CHECK(stage.service == 7us);
  CHECK(waited(stage, Wait::queue) == 4us);
  CHECK(waited(stage, Wait::hypervisor) == 1us);
  CHECK(stage.total() == 12us);
}

TEST_CASE("stages follow one another without a gap") {
  StageTime first;
  StageTime second;
  Account account;
  account.open(at(0us), first);
  account.wait(at(1us), Wait::masked);
  account.turn_to(at(5us), second);
  account.close(at(6us));
  CHECK(first.total() == 5us);
  CHECK(waited(first, Wait::masked) == 4us);
  CHECK(second.service == 1us);
  CHECK(second.total() == 1us);
}

TEST_CASE("the longest wait is one wait, and names who inflicted it") {
  StageTime stage;
  Account account;
  account.open(at(0us), stage);
  SECTION("of several") {
    account.wait(at(1us), Wait::queue, kAlice);  // 3 us
    account.wait(at(4us), Wait::queue, kBob);    // 5 us
    account.wait(at(9us), Wait::queue, kAlice);  // 4 us
    account.wait(at(13us), Wait::lock, kAlice);  // 1 us
    account.close(at(14us));
    CHECK(stage.longest_wait == 5us);
    CHECK(stage.longest_wait_for == kBob);
  }
  SECTION("also if it is said again while it goes on") {
    account.wait(at(1us), Wait::queue, kBob);    // 4 us
    account.wait(at(5us), Wait::queue, kAlice);  // 6 us
    account.wait(at(7us), Wait::queue, kAlice);
    account.wait(at(10us), Wait::queue, kAlice);
    account.close(at(11us));
    CHECK(stage.longest_wait == 6us);
    CHECK(stage.longest_wait_for == kAlice);
    CHECK(waited(stage, Wait::queue) == 10us);
  }
  SECTION("and service ends it") {
    account.wait(at(1us), Wait::queue, kAlice);  // 3 us
    account.serve(at(4us));
    account.wait(at(5us), Wait::queue, kAlice);  // 2 us
    account.close(at(7us));
    CHECK(stage.longest_wait == 3us);
  }
  SECTION("and service alone is none") {
    account.close(at(9us));
    CHECK(stage.longest_wait == Duration::zero());
    CHECK(stage.longest_wait_for == Party::nobody);
  }
}

TEST_CASE("every kind of wait and every context has a name of its own") {
  for (std::size_t i = 0; i < kWaits; ++i) {
    CHECK_FALSE(kWaitNames[i].empty());
    for (std::size_t j = 0; j < i; ++j) CHECK(kWaitNames[i] != kWaitNames[j]);
  }
  CHECK(kWaitNames[static_cast<std::size_t>(Wait::relay)] == "relay");
  CHECK(kContextNames[static_cast<std::size_t>(Context::hypervisor)] == "hypervisor");
}

namespace {

struct Scribe final : TraceSink {
  Scribe(std::string& t, std::string n) : text(t), name(std::move(n)) {}
  void on(const Counted& event) override { text += name + std::to_string(static_cast<int>(event.what)); }
  void on(const Dropped&) override { text += name + "d"; }
  std::string& text;
  std::string name;
};

}  // namespace

TEST_CASE("sinks hear of events in the order of their attachment, and only what they listen to") {
  std::string text;
  Scribe first(text, "x");
  Scribe second(text, "y");
  Trace trace;
  trace.emit(Counted{at(1us), Count::decision, CpuId{0}});
  trace.attach(second);
  trace.attach(first);
  trace.emit(Counted{at(1us), Count::interrupt, CpuId{0}});
  trace.emit(Occupied{at(1us), CpuId{0}, Context::irq, kAlice});
  trace.emit(Dropped{at(2us), InterruptId{0}, 7, Fate::lost});
  CHECK(text == "y1x1ydxd");
}

TEST_CASE("a simulation knows its parties by name") {
  QuantileTables tables;
  Simulation simulation(tables, 1, 0);
  const Party dom0 = simulation.party("dom0");
  const Party guest = simulation.party("domU");
  CHECK(dom0 != Party::nobody);
  CHECK(simulation.name_of(dom0) == "dom0");
  CHECK(simulation.name_of(guest) == "domU");
  CHECK(simulation.name_of(Party::nobody).empty());
  CHECK(simulation.now() == kStart);
}
