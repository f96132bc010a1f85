// The R-Car H3 presets: what distinguishes their rows.
#include "catch.hpp"
#include "system_bench.hpp"

using namespace vecusim;
using namespace vecusim::test;

TEST_CASE("Trapping WFI costs dom0 a wake-up and a switch, some microseconds") {
  const double trap = simulate("h3-dom0", {}).mean_us();
  const double native = simulate("h3-dom0", {"/hypervisor/vwfi=native"}).mean_us();
  CHECK(trap - native > 3.0);
  CHECK(trap - native < 5.0);
}

TEST_CASE("A real-time domU answers a little sooner than dom0, by what the handlers' kernels differ in") {
  const double dom0 = simulate("h3-dom0", {}).mean_us();
  const Recorded domu = simulate("h3-domu", {});
  CHECK(domu.flights.size() == 1024);
  CHECK(domu.mean_us() < dom0);
  CHECK(domu.mean_us() > dom0 - 1.0);
  CHECK(domu.waited(Wait::budget) == Duration::zero());
}
