// A PC of 2007: Core 2 Duo with two cores and a shared L2 cache.
//
// What a kernel's timing depends on is here what it is elsewhere: a timer of each core's own, interrupts of devices and
// between cores (APICs instead of a GIC; the cost table says what they take). Caches: 32 + 32 KB per core, 2 or 4 MB
// shared (Intel's data sheets of the E4000, E6000, T5000 and T7000 series). No virtual-processor identifiers: a switch
// to a guest empties the TLB. Software reads the 14.318 MHz counter (HPET). The lines only tell interrupts apart.
#include "models/board.hpp"

namespace vecusim {

namespace {

constexpr Range<double> kClocks{2000.0, 2400.0};
constexpr double kClock = 2200.0;
constexpr std::int64_t kLinesPerMegabyte = 16384;

struct Core2 final : BoardChoice {
  double clock = kClock;
  std::int64_t l2_megabytes = 4;

  void fields(FieldVisitor& visit) override {
    visit.number({"clock_mhz", "clock of the two cores"}, clock, kClocks);
    visit.integer({"l2_mb", "size of the shared L2 cache"}, l2_megabytes, {2, 4});
  }
  std::unique_ptr<Config> clone() const override { return std::make_unique<Core2>(*this); }
  BoardSpec spec() const override {
    BoardSpec spec;
    spec.clusters = {{.cores = 2,
                      .l1_lines = 1024,
                      .l2_lines = l2_megabytes * kLinesPerMegabyte,
                      .min_clock_mhz = kClocks.lo,
                      .max_clock_mhz = kClocks.hi,
                      .default_clock_mhz = kClock}};
    spec.gpio_pins = 0;
    spec.lines = {{.name = "parport", .spi = 7}, {.name = "irq16", .spi = 16}, {.name = "irq17", .spi = 17}};
    spec.counter_mhz = 14.318;
    return spec;
  }
  double clock_mhz(std::size_t) const override { return clock; }
};

}  // namespace

BoardEntry board_core2() {
  return {{"core2", "PC of 2007: Core 2 Duo, 2 cores with a shared L2 cache, APICs"},
          [] { return std::unique_ptr<Config>(std::make_unique<Core2>()); }};
}

}  // namespace vecusim
