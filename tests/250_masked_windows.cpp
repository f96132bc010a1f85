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

TEST_CASE("The rest of a window of constant length is uniform") {
  QuantileTables tables;
  const Distribution rest = residual_life(tables, constant(10us));
  CHECK(to_us(rest.quantile(0.25)) == Approx(2.5).epsilon(0.01));
  CHECK(to_us(rest.quantile(0.75)) == Approx(7.5).epsilon(0.01));
}

TEST_CASE("The rest of an exponential window is exponential again") {
  QuantileTables tables;
  Law law;
  law.model = Law::Model::gamma;
  law.shape = 1.0;
  law.scale = 10us;
  const Distribution rest = residual_life(tables, law);
  for (const double u : {0.1, 0.5, 0.9})
    CHECK(to_us(rest.quantile(u)) == Approx(-10.0 * std::log(1.0 - u)).epsilon(0.02));
}

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
