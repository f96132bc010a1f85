// The sending half of a serial port.
#include "catch.hpp"
#include "models/uart.hpp"

using namespace vecusim;

namespace {

constexpr Duration kCharacter = 10us;

// What writing takes from an idle port on, if the writer needs no time of its own.
Duration writing(std::int64_t room, int characters) {
  Uart uart(kCharacter, room);
  Time now = kStart + 1s;
  for (int i = 0; i < characters; ++i) {
    now = std::max(now, uart.ready());
    uart.write(now);
  }
  return now - (kStart + 1s);
}

}  // namespace

TEST_CASE("Written into an empty FIFO only, all characters but two wait for the wire") {
  CHECK(writing(1, 1) == Duration::zero());
  CHECK(writing(1, 2) == Duration::zero());
  CHECK(writing(1, 3) == kCharacter);
  CHECK(writing(1, 13) == 11 * kCharacter);
}

TEST_CASE("Written while there is space, the FIFO and the shifter take their fill at once") {
  CHECK(writing(8, 9) == Duration::zero());
  CHECK(writing(8, 10) == kCharacter);
  CHECK(writing(8, 20) == 11 * kCharacter);
}

TEST_CASE("A port that has been idle starts anew, and one that is busy goes on") {
  Uart uart(kCharacter, 1);
  uart.write(kStart + 5us);
  CHECK(uart.idle_at() == kStart + 15us);
  uart.write(kStart + 6us);
  CHECK(uart.idle_at() == kStart + 25us);
  CHECK(uart.ready() == kStart + 15us);
  uart.write(kStart + 100us);
  CHECK(uart.idle_at() == kStart + 110us);
}
