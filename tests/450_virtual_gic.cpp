// The list registers of a vCPU: what is written when, and when the maintenance interrupt comes.
#include <vector>

#include "catch.hpp"
#include "hypervisors/virtual_gic.hpp"

using namespace vecusim;

namespace {

constexpr IrqId irq(int number) { return IrqId{static_cast<std::uint16_t>(number)}; }

// What the guest takes until nothing is left, handling each at once; the maintenance interrupt ends the walk.
std::vector<int> handle(VirtualGic& gic, bool& maintenance) {
  std::vector<int> taken;
  maintenance = false;
  while (!maintenance && gic.pending() != kSpurious) {
    const IrqId next = gic.acknowledge();
    taken.push_back(static_cast<int>(next));
    maintenance = gic.end(next);
  }
  return taken;
}

using Taken = std::vector<int>;

}  // namespace

TEST_CASE("An interrupt for the loaded vCPU is written at once, for another one at its next entry") {
  VirtualGic gic(4);
  gic.inject(irq(40), true);
  CHECK(gic.pending() == irq(40));
  gic.inject(irq(41), false);
  bool maintenance = false;
  CHECK(handle(gic, maintenance) == Taken{40});
  gic.sync_to();
  CHECK(handle(gic, maintenance) == Taken{41});
}

TEST_CASE("Six interrupts and four list registers: three are handled, then the maintenance interrupt refills") {
  VirtualGic gic(4);
  for (int i = 40; i < 46; ++i) gic.inject(irq(i), false);
  gic.sync_to();
  CHECK(gic.overflowed(irq(44)));
  CHECK(gic.overflowed(irq(45)));
  bool maintenance = false;
  // With the third one's end a single list register is left to do.
  CHECK(handle(gic, maintenance) == Taken{40, 41, 42});
  CHECK(maintenance);
  gic.sync_from();
  gic.sync_to();
  CHECK_FALSE(gic.overflowed(irq(44)));
  CHECK(handle(gic, maintenance) == Taken{43, 44, 45});
  CHECK_FALSE(maintenance);
}

TEST_CASE("As many interrupts as list registers need no maintenance") {
  VirtualGic gic(4);
  for (int i = 40; i < 44; ++i) gic.inject(irq(i), false);
  gic.sync_to();
  bool maintenance = false;
  CHECK(handle(gic, maintenance) == Taken{40, 41, 42, 43});
  CHECK_FALSE(maintenance);
}

TEST_CASE("n interrupts in r list registers need the smallest k of maintenance interrupts with r + k (r - 1) >= n") {
  for (std::size_t registers = 2; registers <= 4; ++registers) {
    for (int n = 1; n <= 20; ++n) {
      VirtualGic gic(registers);
      for (int i = 0; i < n; ++i) gic.inject(irq(40 + i), false);
      gic.sync_to();
      std::size_t rounds = 0;
      Taken all;
      bool maintenance = true;
      for (; maintenance; ++rounds) {
        const Taken taken = handle(gic, maintenance);
        all.insert(all.end(), taken.begin(), taken.end());
        gic.sync_from();
        gic.sync_to();
      }
      INFO(registers << " list registers, " << n << " interrupts");
      std::size_t k = 0;
      while (registers + k * (registers - 1) < static_cast<std::size_t>(n)) ++k;
      CHECK(rounds - 1 == k);
      Taken expected;
      for (int i = 0; i < n; ++i) expected.push_back(40 + i);
      CHECK(all == expected);
    }
  }
}

TEST_CASE("What is pending already is not counted twice") {
  VirtualGic gic(4);
  gic.inject(irq(40), false);
  gic.inject(irq(40), false);
  gic.sync_to();
  gic.inject(irq(40), true);
  bool maintenance = false;
  CHECK(handle(gic, maintenance) == Taken{40});
  gic.sync_from();
  gic.sync_to();
  CHECK(gic.pending() == kSpurious);
  CHECK_FALSE(gic.needs_delivery());
}

TEST_CASE("What comes again while its handler runs is pending again after the handler's end") {
  VirtualGic gic(4);
  gic.inject(irq(40), true);
  gic.acknowledge();
  gic.inject(irq(40), true);
  CHECK(gic.pending() == kSpurious);
  gic.end(irq(40));
  CHECK(gic.pending() == irq(40));
}

TEST_CASE("What comes again for a vCPU that is not loaded is seen at the exit after its handler's end") {
  VirtualGic gic(4);
  gic.inject(irq(40), true);
  gic.acknowledge();
  gic.inject(irq(40), false);
  gic.end(irq(40));
  CHECK(gic.pending() == kSpurious);
  // WFI is such an exit, and does not block.
  gic.sync_from();
  CHECK(gic.needs_delivery());
  gic.sync_to();
  CHECK(gic.pending() == irq(40));
}

TEST_CASE("Nobody overtakes those who wait for a list register") {
  VirtualGic gic(2);
  for (int i = 40; i < 43; ++i) gic.inject(irq(i), false);
  gic.sync_to();
  gic.acknowledge();
  gic.end(irq(40));
  // A list register is done, but 42 came first; and Xen has not taken it back.
  gic.inject(irq(43), true);
  CHECK(gic.overflowed(irq(43)));
  gic.sync_from();
  gic.sync_to();
  CHECK_FALSE(gic.overflowed(irq(42)));
  CHECK(gic.overflowed(irq(43)));
}
