// What Linux threads do: wait for an interrupt and answer it, serve a threaded handler, or be a load.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/distribution.hpp"
#include "models/linux.hpp"

namespace vecusim {

/// Flights that wait for a thread, oldest first. sysfs holds one, a gpiochip's event queue 16.
class Inbox {
 public:
  explicit Inbox(std::size_t capacity) : flights_(capacity) {}
  bool empty() const { return size_ == 0; }
  /// False if it is full.
  bool push(Flight& flight);
  Flight* pop();
  template <class F>
  void for_each(F f) const {
    for (std::size_t i = 0; i < size_; ++i) f(*flights_[(first_ + i) % flights_.size()]);
  }

 private:
  std::vector<Flight*> flights_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

/// A thread that is woken with a flight. What comes while it is busy waits in its inbox.
class Receiver : public Thread {
 public:
  void start() override {}
  /// A flight for it, from whoever would wake it; one for which there is no room merges. Returns the thread if it has
  /// to be woken for it.
  Thread* take(Flight& flight);

 protected:
  Receiver(Linux& kernel, std::string_view name, const TaskConfig& task, std::vector<std::int64_t> cpus);
  /// Done: back to sleep, or to the next flight.
  void sleep();

 private:
  void asleep();

  bool busy_ = false;
  Inbox inbox_;
};

/// The user's task: poll, read, compute, note, answer, and poll again.
class InterruptTask final : public Receiver {
 public:
  InterruptTask(Linux& kernel, LinuxRoute& route);
  void woken() override;

 private:
  void next_code();
  void code_done();
  void advance();
  void go_to_sleep();
  void notified();

  LinuxRoute& route_;
  std::vector<LinuxCode> codes_;
  std::size_t at_ = 0;
  bool activated_ = false;
};

/// One of the threads between the handler and the task: it wakes the next one.
class HopThread final : public Receiver {
 public:
  HopThread(Linux& kernel, LinuxRoute& route, std::size_t number, Receiver& next);
  void woken() override;

 private:
  void execute(LinuxCode code, Context context, Delegate<void()> done);
  void returned();
  void understood();
  void hand_on();
  void handed_on();

  LinuxRoute& route_;
  Receiver& next_;
};

/// A task that sleeps until absolute times on its kernel's timer and reads the clock when it wakes up, as cyclictest
/// does: what came while it was late is skipped.
class TimedTask final : public Thread {
 public:
  TimedTask(Linux& kernel, LinuxRoute& route);
  void start() override;
  void woken() override;
  Flight* timed_flight() const override { return flight_; }

 private:
  void returned();
  void noted();
  void asleep();
  void arm();
  void due();
  void due_at_last();

  LinuxRoute& route_;
  Timer due_;
  Timer last_;  // its slack is over
  Time next_ = kNever;
};

/// The threaded half of a handler.
class IrqThread final : public Thread {
 public:
  IrqThread(Linux& kernel, LinuxRoute& route);
  void start() override {}
  void woken() override;
  /// An edge from the hard handler. Returns the thread if it has to be woken.
  Thread* take(Flight& flight);

 private:
  void next();
  void handled();
  void rest();

  LinuxRoute& route_;
  bool busy_ = false;
  Inbox inbox_;
};

/// Hog, periodic, sporadic or recorded load.
class LoadTask final : public Thread {
 public:
  LoadTask(Linux& kernel, const TaskConfig& task);
  void start() override;
  void woken() override;

 private:
  void print_line();
  void worked();
  void call();
  void called();
  void stall();
  void finished();
  void done();
  Duration interval();

  TaskConfig config_;
  RandomStream stream_;
  RandomStream stall_stream_;
  Distribution exponential_;
  bool stalls_;  // in a guest the hypervisor may have it emulated
  Distribution stall_;
  Time due_{};
  std::size_t piece_ = 0;
};

}  // namespace vecusim
