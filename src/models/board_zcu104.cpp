// ZCU104: Zynq UltraScale+ with four Cortex-A53 and a GIC-400.
//
// Caches: 32 KB instructions and 32 KB data per core, 1 MB shared of 16 ways, which pages of 4 KB divide into 16
// colours. Clock: 1.2 GHz, as in the published measurements of static partitioning hypervisors on this board. Counter:
// 100 MHz. Interrupt numbers: Zynq UltraScale+ technical reference manual (UG1085), table of system interrupts,
// less 32.
#include "models/board.hpp"

namespace vecusim {

namespace {

constexpr double kClock = 1200.0;
constexpr Range<double> kClocks{300.0, 1500.0};

struct Zcu104 final : BoardChoice {
  double clock = kClock;

  void fields(FieldVisitor& visit) override { visit.number({"clock_mhz", "clock of all cores"}, clock, kClocks); }
  std::unique_ptr<Config> clone() const override { return std::make_unique<Zcu104>(*this); }
  BoardSpec spec() const override {
    BoardSpec spec;
    spec.clusters = {{.cores = 4,
                      .l1_lines = 1024,
                      .l2_lines = 16384,
                      .l2_colors = 16,
                      .min_clock_mhz = kClocks.lo,
                      .max_clock_mhz = kClocks.hi,
                      .default_clock_mhz = kClock}};
    spec.gpio_clock_mhz = 100.0;
    spec.gpio_pins = 78;
    spec.gpio_spi = 16;
    spec.lines = {{.name = "can0", .spi = 23}, {.name = "can1", .spi = 24}, {.name = "ttc0", .spi = 36},
                  {.name = "ttc1", .spi = 37}, {.name = "ttc2", .spi = 38}, {.name = "gem0", .spi = 57},
                  {.name = "gem3", .spi = 63}, {.name = "pl0", .spi = 89}};
    spec.counter_mhz = 100.0;
    spec.list_registers = 4;
    return spec;
  }
  double clock_mhz(std::size_t) const override { return clock; }
};

}  // namespace

BoardEntry board_zcu104() {
  return {{"zcu104", "ZCU104: Zynq UltraScale+, 4 Cortex-A53, GIC-400"},
          [] { return std::unique_ptr<Config>(std::make_unique<Zcu104>()); }};
}

}  // namespace vecusim
