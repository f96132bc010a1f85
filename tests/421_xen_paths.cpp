// The pieces of Xen's code, put together as the paths whose totals were counted on the emulated board: each total comes
// out within 2 %.
#include <numeric>

#include "catch.hpp"
#include "hypervisors/xen_costs.hpp"
#include "source_dir.hpp"
#include "system/scenario.hpp"

using namespace vecusim;

namespace {

using Codes = std::vector<XenCode>;

class PathCounts {
 public:
  explicit PathCounts(std::string_view scheduler) : table_(scenario_.costs), costs_(table_, scheduler) {}
  double of(const Codes& codes) const {
    return std::accumulate(codes.begin(), codes.end(), 0.0,
                           [&](double sum, XenCode code) { return sum + costs_[code].cycles; });
  }

 private:
  Scenario scenario_ = load_scenario((source_dir() / "validation/scenarios/xen417-dom0.json").string()).scenario;
  CostTable table_;
  XenCosts costs_;
};

Codes operator+(Codes a, const Codes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

using enum XenCode;
const Codes kExpiry = {irq_ack, irq_timer, timer_expired, inject};
const Codes kEnter = {enter_guest, enter_register};
const Codes kSwitchIn = {schedule, pass, restore, switched, timer_softirq};

Approx total(double value) { return Approx(value).epsilon(0.02); }

}  // namespace

TEST_CASE("The timer of a blocked vCPU on an idle pCPU, by scheduler") {
  const Codes wake_up = Codes{exit_idle} + kExpiry + Codes{wake, timer_softirq} + kSwitchIn + kEnter;
  CHECK(PathCounts("credit2").of(wake_up) == total(5174));
  CHECK(PathCounts("rtds").of(wake_up) == total(5240));
  CHECK(PathCounts("credit").of(wake_up) == total(5143));
  // null has no slice, so no timer is programmed after the switch.
  const Codes without_slice =
      Codes{exit_idle} + kExpiry + Codes{wake, timer_softirq, schedule, pass, restore, switched} + kEnter;
  CHECK(PathCounts("null").of(without_slice) == total(3819));
}

TEST_CASE("WFI of the only vCPU, by scheduler") {
  const Codes sleep = {exit_guest, exit_register, trap_wfi,      schedule_running, pass_idle,
                       save,       restore_idle,  switched_idle, timer_softirq};
  CHECK(PathCounts("credit2").of(sleep) == total(4258));
  CHECK(PathCounts("rtds").of(sleep) == total(4052));
  CHECK(PathCounts("credit").of(sleep) == total(4400));
  CHECK(PathCounts("null").of(sleep) == total(3572));
}

TEST_CASE("The timer of the vCPU that runs, with and without a list register in use") {
  const PathCounts counts("credit2");
  const Codes interrupt = {exit_guest, irq_ack, irq_vtimer, inject_running, enter_guest};
  CHECK(counts.of(interrupt) == total(896));
  CHECK(counts.of(interrupt + Codes{exit_register}) == total(1061));
}

TEST_CASE("The timer of a blocked vCPU beside a hog: refused, and preempting it") {
  const PathCounts counts("credit2");
  const Codes refused = Codes{exit_guest} + kExpiry + Codes{wake_busy, timer_softirq, enter_guest};
  CHECK(counts.of(refused) == total(2114));
  const Codes preempts = Codes{exit_guest} + kExpiry +
                         Codes{wake_busy,     timer_softirq,  schedule_running, pass,         save,
                               restore_after, switched_after, requeue,          timer_softirq} +
                         kEnter;
  CHECK(counts.of(preempts) == total(7850));
}

TEST_CASE("A vCPU blocks and another one comes") {
  const Codes blocks =
      Codes{exit_guest, trap_wfi, schedule_running, pass, save, restore_after, switched_after, timer_softirq} + kEnter;
  CHECK(PathCounts("credit2").of(blocks) == total(5603));
}

TEST_CASE("SGIs of a guest, and the kick that follows") {
  const PathCounts counts("credit2");
  const Codes trap = {exit_guest, exit_register, trap_sgi, inject};
  CHECK(counts.of(trap + Codes{wake_busy, enter_guest}) == total(1980));
  CHECK(counts.of(trap + Codes{wake, sgi_send, enter_guest}) == total(1802));
  CHECK(counts.of(trap + Codes{sgi_send, enter_guest}) == total(1223));
  CHECK(counts.of(trap + Codes{exit_register, enter_guest}) == Approx(1183).epsilon(0.03));
  CHECK(counts.of(Codes{exit_guest, irq_ack, irq_event} + kEnter) == total(571));
  // PathCounts on two pCPUs that compete for locks: the minimum.
  CHECK(counts.of(Codes{exit_idle, irq_ack, irq_event_idle} + kSwitchIn + kEnter) == total(3943));
}
