// Time, Delegate and Line: what the rest is written in.
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "engine/delegate.hpp"
#include "engine/line.hpp"
#include "engine/time.hpp"

using namespace vecusim;

TEST_CASE("durations of different units add up in picoseconds") {
  CHECK((40us + Duration{3ns}).count() == 40'003'000);
  CHECK(Duration{1s}.count() == 1'000'000'000'000);
  CHECK(kStart + 1us < kStart + 1001ns);
}

TEST_CASE("a number without a unit is no duration, and a moment is no duration") {
  CHECK_FALSE(std::is_convertible_v<double, Duration>);
  CHECK_FALSE(std::is_convertible_v<int, Duration>);
  CHECK_FALSE(std::is_convertible_v<std::chrono::duration<double>, Duration>);
  CHECK_FALSE(std::is_convertible_v<Duration, Time>);
}

TEST_CASE("real numbers become durations by rounding to the nearest picosecond") {
  CHECK(from_ps(0.4) == Duration::zero());
  CHECK(from_ps(0.5) == Duration{1});
  CHECK(from_ps(-0.5) == Duration{-1});
  CHECK(from_ns(18.5) == Duration{18'500});
  CHECK(from_us(0.0000015) == Duration{2});
  CHECK(from_us(123.456789) == Duration{123'456'789});
}

TEST_CASE("a real number beyond the range of time becomes its end") {
  CHECK(from_ps(1e19) == Duration::max());
  CHECK(from_ps(0x1p63) == Duration::max());
  CHECK(from_ps(std::numeric_limits<double>::infinity()) == Duration::max());
  CHECK(from_us(-1e19) == Duration::min());
  CHECK(from_ps(0x1.fffffffffffffp62).count() == 0x7ffffffffffffc00);
}

TEST_CASE("reports get microseconds and seconds") {
  CHECK(to_us(1500ns) == Approx(1.5).epsilon(1e-15));
  CHECK(to_s(250ms) == Approx(0.25).epsilon(1e-15));
}

namespace {

struct Pin {
  std::vector<int> levels;
  int scale = 1;
  void set(int level) { levels.push_back(level * scale); }
  int doubled(int level) const { return 2 * level * scale; }
  std::string join(std::string text, const std::string& more) { return text + more; }
};

struct Note {
  std::string* text;
  char mark;
  void sign() { *text += mark; }
};

}  // namespace

TEST_CASE("a delegate calls the member function of its object") {
  Pin pin;
  const auto set = Delegate<void(int)>::to<&Pin::set>(pin);
  set(3);
  set(4);
  CHECK(pin.levels == std::vector<int>{3, 4});

  pin.scale = 5;
  CHECK(Delegate<int(int)>::to<&Pin::doubled>(pin)(2) == 20);
  CHECK(Delegate<std::string(std::string, const std::string&)>::to<&Pin::join>(pin)("ab", "cd") == "abcd");
}

TEST_CASE("a delegate is two words, and tells whether it is empty") {
  CHECK(sizeof(Delegate<void(int)>) == 2 * sizeof(void*));
  CHECK(std::is_trivially_copyable_v<Delegate<void(int)>>);
  Pin pin;
  CHECK_FALSE(Delegate<void(int)>{});
  CHECK(Delegate<void(int)>::to<&Pin::set>(pin));
}

TEST_CASE("a line calls its sinks at once and in the order of connection") {
  std::string text;
  Note first{&text, 'a'};
  Note second{&text, 'b'};
  Line<> line;
  line();
  CHECK(text.empty());
  line.connect(Delegate<void()>::to<&Note::sign>(second));
  line.connect(Delegate<void()>::to<&Note::sign>(first));
  line.connect(Delegate<void()>::to<&Note::sign>(second));
  line();
  CHECK(text == "bab");
}

TEST_CASE("every sink of a line gets the same arguments") {
  Pin left;
  Pin right;
  Line<int> line;
  line.connect(Delegate<void(int)>::to<&Pin::set>(left));
  line.connect(Delegate<void(int)>::to<&Pin::set>(right));
  line(7);
  CHECK(left.levels == std::vector<int>{7});
  CHECK(right.levels == left.levels);
}
