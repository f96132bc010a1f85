// Vehicle Computer 3: Renesas R-Car H3 with four Cortex-A57, four Cortex-A53 and a GIC-400. (Its network switch is
// described by a scenario's `network`.)
//
// Caches: A57 48 KB instructions and 32 KB data per core, 2 MB shared; A53 32 + 32 KB, 512 KB (WikiChip, "R-Car H3").
// Clocks: 1500 and 1200 MHz, the highest without boost (Renesas' overview of the chip). Counter: a quarter of the timer
// unit's 33.28 MHz, which is that of the board of the published measurements (M. Babchuk, xen-devel, January 2021), as
// both come from the same crystal; an assumption. Lines: the timer unit's channels have level-sensitive interrupts of
// their own (device-tree binding renesas,tmu). Their numbers only tell them apart: no latency depends on them.
#include "models/board.hpp"

namespace vecusim {

namespace {

constexpr double kA57Clock = 1500.0;
constexpr double kA53Clock = 1200.0;
constexpr Range<double> kA57Clocks{500.0, 1700.0};
constexpr Range<double> kA53Clocks{800.0, 1200.0};

struct Vc3 final : BoardChoice {
  double a57_clock = kA57Clock;
  double a53_clock = kA53Clock;

  void fields(FieldVisitor& visit) override {
    visit.number({"clock_mhz", "clock of the four Cortex-A57, which are the first cores"}, a57_clock, kA57Clocks);
    visit.number({"a53_clock_mhz", "clock of the four Cortex-A53"}, a53_clock, kA53Clocks);
  }
  std::unique_ptr<Config> clone() const override { return std::make_unique<Vc3>(*this); }
  BoardSpec spec() const override {
    BoardSpec spec;
    spec.clusters = {{.cores = 4,
                      .l1_lines = 1280,
                      .l2_lines = 32768,
                      .min_clock_mhz = kA57Clocks.lo,
                      .max_clock_mhz = kA57Clocks.hi,
                      .default_clock_mhz = kA57Clock},
                     {.cores = 4,
                      .l1_lines = 1024,
                      .l2_lines = 8192,
                      .min_clock_mhz = kA53Clocks.lo,
                      .max_clock_mhz = kA53Clocks.hi,
                      .default_clock_mhz = kA53Clock}};
    spec.gpio_pins = 0;
    spec.lines = {{.name = "tmu0", .spi = 136}, {.name = "tmu1", .spi = 137}, {.name = "tmu2", .spi = 138}};
    spec.counter_mhz = 8.32;
    spec.list_registers = 4;
    return spec;
  }
  double clock_mhz(std::size_t cluster) const override { return cluster == 0 ? a57_clock : a53_clock; }
};

}  // namespace

BoardEntry board_vc3() {
  return {{"vc3", "Vehicle Computer 3: R-Car H3, 4 Cortex-A57 and 4 Cortex-A53, GIC-400"},
          [] { return std::unique_ptr<Config>(std::make_unique<Vc3>()); }};
}

}  // namespace vecusim
