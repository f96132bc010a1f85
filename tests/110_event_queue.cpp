// EventQueue and Timer: order, ties, and what an action may do to timers.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "engine/event_queue.hpp"
#include "event_queue_probe.hpp"

using namespace vecusim;

namespace {

/// Writes its mark when it fires, and does what `then` says.
struct Bell {
  Bell(EventQueue& q, std::string& t, char m)
      : queue(q), text(t), mark(m), timer(q, Delegate<void()>::to<&Bell::ring>(*this)) {}
  void ring() {
    text += mark;
    const auto action = then;  // a copy: the action may destroy this bell
    if (action) action();
  }
  EventQueue& queue;
  std::string& text;
  char mark;
  std::function<void()> then;
  Timer timer;
};

struct Fixture {
  EventQueue queue;
  std::string text;
  Bell a{queue, text, 'a'};
  Bell b{queue, text, 'b'};
  Bell c{queue, text, 'c'};
};

constexpr Time at(Duration d) { return kStart + d; }

}  // namespace

TEST_CASE_METHOD(Fixture, "timers fire in the order of their deadlines") {
  a.timer.arm_at(at(3us));
  b.timer.arm_at(at(1us));
  c.timer.arm_at(at(2us));
  queue.run_until(at(10us));
  CHECK(text == "bca");
  CHECK(queue.fired() == 3);
}

TEST_CASE_METHOD(Fixture, "timers due at the same moment fire in the order of arming") {
  b.timer.arm_at(at(1us));
  a.timer.arm_in(1us);
  c.timer.arm_at(at(1us));
  queue.run_until(at(1us));
  CHECK(text == "bac");
}

TEST_CASE_METHOD(Fixture, "arming again replaces the deadline and goes behind what was armed before") {
  a.timer.arm_at(at(1us));
  b.timer.arm_at(at(1us));
  a.timer.arm_at(at(1us));
  c.timer.arm_at(at(5us));
  c.timer.arm_at(at(1us));
  queue.run_until(at(10us));
  CHECK(text == "bac");
}

TEST_CASE_METHOD(Fixture, "nothing fires one picosecond early, and the clock stands at the deadline") {
  a.timer.arm_at(at(1us));
  queue.run_until(at(1us) - Duration{1});
  CHECK(text.empty());
  CHECK(queue.now() == at(1us) - Duration{1});
  CHECK(queue.step());
  CHECK(text == "a");
  CHECK(queue.now() == at(1us));
  CHECK_FALSE(queue.step());
  queue.run_until(at(1ns));
  CHECK(queue.now() == at(1us));
}

TEST_CASE_METHOD(Fixture, "arming in the past means now, behind what is armed for now already") {
  queue.run_until(at(5us));
  a.timer.arm_at(at(5us));
  b.timer.arm_at(at(2us));
  c.timer.arm_in(-3us);
  CHECK(b.timer.due() == at(5us));
  queue.run_until(at(5us));
  CHECK(text == "abc");
}

TEST_CASE_METHOD(Fixture, "a disarmed timer does not fire") {
  a.timer.arm_at(at(1us));
  b.timer.arm_at(at(2us));
  a.timer.disarm();
  CHECK_FALSE(a.timer.armed());
  CHECK(a.timer.due() == kNever);
  CHECK(b.timer.armed());
  CHECK(b.timer.due() == at(2us));
  a.timer.disarm();
  queue.run_until(at(10us));
  CHECK(text == "b");
}

TEST_CASE_METHOD(Fixture, "the end of time is never reached: it disarms") {
  a.timer.arm_at(at(1us));
  a.timer.arm_at(kNever);
  CHECK_FALSE(a.timer.armed());
  queue.run_until(at(1us));
  b.timer.arm_in(Duration::max());
  CHECK_FALSE(b.timer.armed());
  b.timer.arm_in(Duration::max() - Duration{1us});
  CHECK_FALSE(b.timer.armed());
  b.timer.arm_in(Duration::max() - Duration{1us} - Duration{1});
  CHECK(b.timer.due() == kNever - Duration{1});
  CHECK(text.empty());
}

TEST_CASE_METHOD(Fixture, "next() is when the next armed timer is due") {
  CHECK(queue.next() == kNever);
  b.timer.arm_at(at(2us));
  a.timer.arm_at(at(1us));
  CHECK(queue.next() == at(1us));
  a.timer.disarm();
  CHECK(queue.next() == at(2us));
}

TEST_CASE_METHOD(Fixture, "within its own action a timer is not armed") {
  bool armed = true;
  Time due{};
  Time next{};
  a.then = [&] {
    armed = a.timer.armed();
    due = a.timer.due();
    next = queue.next();
  };
  a.timer.arm_at(at(1us));
  SECTION("and alone, nothing is next") {
    queue.step();
    CHECK_FALSE(armed);
    CHECK(due == kNever);
    CHECK(next == kNever);
  }
  SECTION("and the next one is among the others") {
    c.timer.arm_at(at(7us));
    b.timer.arm_at(at(4us));
    queue.step();
    CHECK(next == at(4us));
  }
  SECTION("unless the action has armed it again") {
    a.then = [&, look = a.then] {
      a.timer.arm_in(3us);
      look();
    };
    b.timer.arm_at(at(9us));
    queue.step();
    CHECK(armed);
    CHECK(due == at(4us));
    CHECK(next == at(4us));
    CHECK(a.timer.armed());
  }
}

TEST_CASE_METHOD(Fixture, "an action that arms its own timer for now comes behind what is due now") {
  int left = 2;
  a.then = [&] {
    if (--left >= 0) a.timer.arm_in(Duration::zero());
  };
  a.timer.arm_at(at(1us));
  b.timer.arm_at(at(1us));
  queue.run_until(at(1us));
  CHECK(text == "abaa");
  CHECK(queue.now() == at(1us));
}

TEST_CASE_METHOD(Fixture, "an action may disarm others that are due at the same moment") {
  a.then = [&] {
    b.timer.disarm();
    c.timer.disarm();
  };
  for (Bell* bell : {&a, &b, &c}) bell->timer.arm_at(at(1us));
  queue.run_until(at(1us));
  CHECK(text == "a");
  CHECK(queue.next() == kNever);
}

TEST_CASE_METHOD(Fixture, "an action may arm and disarm its own timer in any order") {
  b.timer.arm_at(at(2us));
  a.timer.arm_at(at(1us));
  SECTION("disarmed: nothing more") {
    a.then = [&] { a.timer.disarm(); };
  }
  SECTION("armed and disarmed: nothing more") {
    a.then = [&] {
      a.timer.arm_in(1ns);
      a.timer.disarm();
    };
  }
  SECTION("disarmed twice: nothing more") {
    a.then = [&] {
      a.timer.disarm();
      a.timer.disarm();
    };
  }
  queue.run_until(at(1500ns));
  CHECK(text == "a");
  SECTION("disarmed, then armed: it fires again") {
    a.then = [&] {
      if (text != "a") return;
      a.timer.disarm();
      a.timer.arm_in(1ns);
    };
    text.clear();
    a.timer.arm_in(1ns);
    queue.run_until(at(1900ns));
    CHECK(text == "aa");
  }
  CHECK(b.timer.armed());
}

TEST_CASE_METHOD(Fixture, "an action may bring another timer forward to now") {
  a.then = [&] { c.timer.arm_in(Duration::zero()); };
  a.timer.arm_at(at(1us));
  b.timer.arm_at(at(1us));
  c.timer.arm_at(at(3us));
  queue.run_until(at(2us));
  CHECK(text == "abc");
}

TEST_CASE_METHOD(Fixture, "an action may destroy its own timer") {
  auto own = std::make_unique<Bell>(queue, text, 'x');
  own->timer.arm_at(at(1us));
  b.timer.arm_at(at(1us));
  std::unique_ptr<Bell> successor;
  SECTION("and the others go on") {
    own->then = [&] { own.reset(); };
    queue.run_until(at(2us));
    CHECK(text == "xb");
  }
  SECTION("and a timer made there is another one, although it takes its place") {
    own->then = [&] {
      own.reset();
      successor = std::make_unique<Bell>(queue, text, 'y');
      successor->timer.arm_in(1ns);
    };
    queue.run_until(at(2us));
    CHECK(text == "xby");
    CHECK_FALSE(successor->timer.armed());
  }
}

TEST_CASE_METHOD(Fixture, "an action may destroy a timer that is due at the same moment") {
  auto other = std::make_unique<Bell>(queue, text, 'x');
  a.then = [&] { other.reset(); };
  a.timer.arm_at(at(1us));
  other->timer.arm_at(at(1us));
  b.timer.arm_at(at(1us));
  queue.run_until(at(1us));
  CHECK(text == "ab");
}

TEST_CASE_METHOD(Fixture, "an action may make more timers than the queue has had so far") {
  std::vector<std::unique_ptr<Bell>> born;
  a.then = [&] {
    for (int i = 0; i < 200; ++i) {
      born.push_back(std::make_unique<Bell>(queue, text, '.'));
      born.back()->timer.arm_in(Duration{200 - i});
    }
  };
  a.timer.arm_at(at(1us));
  queue.run_until(at(2us));
  CHECK(text == "a" + std::string(200, '.'));
  CHECK(queue.fired() == 201);
}

TEST_CASE_METHOD(Fixture, "the order of equal deadlines outlives the end of the arming numbers") {
  EventQueueProbe::set_armings_left(queue, 2);
  b.timer.arm_at(at(1us));
  a.timer.arm_at(at(1us));
  c.timer.arm_at(at(1us));
  CHECK(EventQueueProbe::sequence(queue) == 3);
  queue.run_until(at(1us));
  CHECK(text == "bac");
}

TEST_CASE_METHOD(Fixture, "the arming numbers may end within an action") {
  b.then = [&] { b.timer.arm_in(Duration::zero()); };
  c.then = [&] { b.timer.disarm(); };
  EventQueueProbe::set_armings_left(queue, 3);
  b.timer.arm_at(at(1us));
  a.timer.arm_at(at(1us));
  c.timer.arm_at(at(1us));
  queue.run_until(at(1us));
  CHECK(text == "bac");
  CHECK(queue.next() == kNever);
}
