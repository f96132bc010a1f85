// Raspberry Pi 4: BCM2711 with four Cortex-A72, GIC-400 and 58 pins.
//
// Caches: 48 KB instructions and 32 KB data per core, 1 MB shared (Arm's and Broadcom's data sheets). Clock: 600 to
// 1500 MHz, 1800 MHz from board revision 1.4 on; the kernel's default governor keeps it at 600. The pins' banks
// interrupt by SPI 113.
#include "models/board.hpp"

namespace vecusim {

namespace {

constexpr double kMinClock = 600.0;
constexpr double kMaxClock = 1800.0;

struct Pi4 final : BoardChoice {
  double clock = kMinClock;

  void fields(FieldVisitor& visit) override {
    visit.number({"clock_mhz", "clock of the four cores; the kernel's default governor keeps it at 600"}, clock,
                 {kMinClock, kMaxClock});
  }
  std::unique_ptr<Config> clone() const override { return std::make_unique<Pi4>(*this); }
  BoardSpec spec() const override {
    BoardSpec spec;
    spec.clusters = {{.cores = 4,
                      .l1_lines = 1280,
                      .l2_lines = 16384,
                      .min_clock_mhz = kMinClock,
                      .max_clock_mhz = kMaxClock,
                      .default_clock_mhz = kMinClock}};
    spec.gpio_clock_mhz = 500.0;
    spec.gpio_pins = 58;
    spec.gpio_spi = 113;
    // Of the chip's other devices: BCM2711 ARM Peripherals, section 6.2.4; an SPI is 64 plus the number there.
    spec.lines = {{.name = "dma0", .spi = 80},
                  {.name = "i2c", .spi = 117},
                  {.name = "spi", .spi = 118},
                  {.name = "uart", .spi = 121}};
    spec.counter_mhz = 54.0;
    spec.list_registers = 4;
    return spec;
  }
  double clock_mhz(std::size_t) const override { return clock; }
};

}  // namespace

BoardEntry board_pi4() {
  return {{"pi4", "Raspberry Pi 4 Model B: BCM2711, 4 Cortex-A72, GIC-400"},
          [] { return std::unique_ptr<Config>(std::make_unique<Pi4>()); }};
}

}  // namespace vecusim
