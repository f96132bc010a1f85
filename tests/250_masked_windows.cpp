// What an arrival finds of sections with interrupts off.
#include "catch.hpp"
#include "models/masked_windows.hpp"

using namespace vecusim;

namespace {

Law constant(Duration value) {
  Law law;
  law.value = value;
  return law;
}

}  // namespace

TEST_CASE("Windows are met as often as they cover time, and for as long as their rest lasts") {
  QuantileTables tables;
  Simulation simulation(tables, 3, 0);
  MaskedWindows windows(simulation, "test", 1000.0, constant(100us));  // a tenth of all time
  constexpr int kArrivals = 100'000;
  int met = 0;
  double sum = 0.0;
  for (int i = 0; i < kArrivals; ++i) {
    simulation.queue.run_until(simulation.now() + 10ms);
    const Duration left = windows.residual();
    met += static_cast<int>(left > Duration::zero());
    sum += to_us(left);
  }
  CHECK(static_cast<double>(met) / kArrivals == Approx(0.1).epsilon(0.05));
  CHECK(sum / met == Approx(50.0).epsilon(0.02));
}

TEST_CASE("Who comes into a window that is known waits for the same end") {
  QuantileTables tables;
  Simulation simulation(tables, 3, 0);
  MaskedWindows windows(simulation, "test", 1e9, constant(100us));  // always
  const Duration left = windows.residual();
  simulation.queue.run_until(kStart + left / 2);
  CHECK(windows.residual() == left - left / 2);
}
