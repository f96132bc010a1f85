// One scheduler driven by hand.
#include <stdexcept>

#include "catch.hpp"
#include "system/policy_drive.hpp"
#include "system/problem.hpp"

using namespace vecusim;
using golden::PolicyDrive;

namespace {

PolicyDrive credit2() { return {"credit2", 1, json::Node::object(), kDefaultXenVersion}; }

}  // namespace

TEST_CASE("a driven scheduler shares by weight") {
  PolicyDrive drive = credit2();
  const UnitId heavy = drive.add_unit(drive.add_domain({.weight = 512, .cap_pct = {}, .server = {}}), {}, {});
  const UnitId light = drive.add_unit(drive.add_domain({.weight = 256, .cap_pct = {}, .server = {}}), {}, {});
  drive.wake(heavy);
  drive.wake(light);
  drive.run_until(3s);
  const auto ran = [&](UnitId unit) { return drive.totals(unit).in(Runstate::running); };
  CHECK(ran(heavy) + ran(light) == 3s);
  CHECK(ran(heavy) > 1900ms);
  CHECK(ran(heavy) < 2100ms);
}

TEST_CASE("a unit that blocks leaves its pCPU, and comes back when it is woken") {
  PolicyDrive drive = credit2();
  const UnitId unit = drive.add_unit(drive.add_domain({}), {}, {});
  CHECK(drive.runstate(unit) == Runstate::offline);
  drive.wake(unit);
  CHECK(drive.running_on(0) == unit);
  drive.run_until(1ms);
  drive.take_passes();
  drive.block(unit);
  CHECK(drive.running_on(0) == kIdle);
  const auto passes = drive.take_passes();
  REQUIRE(passes.size() == 1);
  CHECK(passes[0].at == 1ms);
  CHECK(passes[0].previous == unit);
  drive.wake(unit);
  CHECK(drive.runstate(unit) == Runstate::running);
}

TEST_CASE("what cannot be meant of a driven scheduler is refused") {
  PolicyDrive drive = credit2();
  CHECK_THROWS_AS(drive.wake(UnitId{0}), std::invalid_argument);
  const UnitId unit = drive.add_unit(drive.add_domain({}), {}, {});
  CHECK_THROWS_AS(drive.block(unit), std::invalid_argument);
  CHECK_THROWS_AS(drive.add_unit(DomainId{7}, {}, {}), std::invalid_argument);
  CHECK_THROWS_AS(drive.add_unit(DomainId{0}, {1}, {}), std::invalid_argument);
  CHECK_THROWS_AS(drive.set_table({1ms, {}}), std::invalid_argument);
  CHECK_THROWS_AS((PolicyDrive{"credit3", 1, json::Node::object(), kDefaultXenVersion}), InvalidInput);
  CHECK_THROWS_AS((PolicyDrive{"credit2", 0, json::Node::object(), kDefaultXenVersion}), std::invalid_argument);
}
